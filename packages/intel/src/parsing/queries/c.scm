; C, and what C++ has of it. The captures are explained in language-spec.ts.

; --- imports

((preproc_include path: (string_literal (string_content) @specifier)) @import.wildcard (#set! imported "*"))
((preproc_include path: (system_lib_string) @specifier) @import.wildcard (#set! imported "*"))

; --- what lies around declarations

(comment) @doc
(declaration) @outer
(field_declaration) @outer
(type_definition) @outer

; --- symbols

(function_definition
  type: (_) @type
  declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters)
  body: (_) @body) @symbol.function
(function_definition
  type: (_) @type
  declarator: (pointer_declarator
    declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters))
  body: (_) @body) @symbol.function
(function_definition
  type: (_) @type
  declarator: (pointer_declarator
    declarator: (pointer_declarator
      declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters)))
  body: (_) @body) @symbol.function
((declaration
  type: (_) @type
  declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters)) @symbol.function
  (#set! flag "abstract"))
((declaration
  type: (_) @type
  declarator: (pointer_declarator
    declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters))) @symbol.function
  (#set! flag "abstract"))
(struct_specifier name: (type_identifier) @name body: (_) @body) @symbol.struct
(union_specifier name: (type_identifier) @name body: (_) @body) @symbol.struct
(enum_specifier name: (type_identifier) @name body: (_) @body) @symbol.enum
(enumerator name: (identifier) @name) @symbol.enum-member
(type_definition type: (struct_specifier !name body: (_) @body) declarator: (type_identifier) @name) @symbol.struct
(type_definition type: (union_specifier !name body: (_) @body) declarator: (type_identifier) @name) @symbol.struct
(type_definition type: (enum_specifier !name body: (_) @body) declarator: (type_identifier) @name) @symbol.enum
(type_definition
  type: [(struct_specifier name: (_) @type body: (_)) (union_specifier name: (_) @type body: (_)) (enum_specifier name: (_) @type body: (_))]
  declarator: (type_identifier) @name @symbol.type)
(type_definition type: (_) @type declarator: (type_identifier) @name) @symbol.type
(type_definition type: (_) @type declarator: (pointer_declarator declarator: (type_identifier) @name)) @symbol.type
(type_definition
  declarator: (function_declarator
    declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))) @symbol.type
(field_declaration type: (_) @type declarator: (field_identifier) @name @symbol.field)
(field_declaration type: (_) @type declarator: (pointer_declarator declarator: (field_identifier) @name) @symbol.field)
(field_declaration
  type: (_) @type
  declarator: (pointer_declarator
    declarator: (pointer_declarator declarator: (field_identifier) @name))) @symbol.field
(field_declaration type: (_) @type declarator: (array_declarator declarator: (field_identifier) @name)) @symbol.field
(field_declaration
  declarator: (function_declarator
    declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @name)))) @symbol.field
(declaration type: (_) @type declarator: (identifier) @name @symbol.variable)
(declaration type: (_) @type declarator: (init_declarator declarator: (identifier) @name value: (_) @value) @symbol.variable)
(declaration type: (_) @type declarator: (pointer_declarator declarator: (identifier) @name) @symbol.variable)
(declaration
  type: (_) @type
  declarator: (init_declarator declarator: (pointer_declarator declarator: (identifier) @name)) @symbol.variable)
(declaration type: (_) @type declarator: (array_declarator declarator: (identifier) @name) @symbol.variable)
(declaration
  type: (_) @type
  declarator: (init_declarator declarator: (array_declarator declarator: (identifier) @name)) @symbol.variable)
(declaration
  declarator: (init_declarator
    declarator: (function_declarator
      declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))) @symbol.variable)
(preproc_function_def name: (identifier) @name parameters: (_) @parameters) @symbol.macro
(preproc_def name: (identifier) @name value: (_)) @symbol.macro

; --- variables and parameters

(parameter_declaration type: (_) @type declarator: (identifier) @bind)
(parameter_declaration type: (_) @type declarator: (pointer_declarator declarator: (identifier) @bind))
(parameter_declaration
  type: (_) @type
  declarator: (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @bind)))
(parameter_declaration type: (_) @type declarator: (array_declarator declarator: (identifier) @bind))
(parameter_declaration
  declarator: (function_declarator
    declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @local))))
(preproc_params (identifier) @local)
(field_designator (field_identifier) @ignore)
(labeled_statement label: (_) @ignore)
(goto_statement label: (_) @ignore)
(preproc_ifdef name: (identifier) @ignore)
(preproc_defined (identifier) @ignore)

(parameter_list (parameter_declaration type: (primitive_type) !declarator) @uncounted) @list
(parameter_list (comment) @uncounted) @list
(argument_list (comment) @uncounted) @list

; --- references

(call_expression function: (identifier) @ref.call arguments: (_) @arguments)
(call_expression
  function: (field_expression argument: (_) @receiver field: (field_identifier) @ref.call)
  arguments: (_) @arguments)
(call_expression
  function: (parenthesized_expression (pointer_expression argument: (identifier) @ref.call))
  arguments: (_) @arguments)
(assignment_expression left: (identifier) @ref.write)
(assignment_expression left: (field_expression argument: (_) @receiver field: (field_identifier) @ref.write))
(update_expression argument: (identifier) @ref.write)
(update_expression argument: (field_expression argument: (_) @receiver field: (field_identifier) @ref.write))
(type_identifier) @ref.type
(field_expression argument: (_) @receiver field: (field_identifier) @ref.read)
