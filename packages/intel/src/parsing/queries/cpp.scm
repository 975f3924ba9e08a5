; C++, before what it has of C. The captures are explained in language-spec.ts.

; --- imports

((using_declaration "namespace" (_) @specifier) @import.wildcard (#set! imported "*"))
(using_declaration (qualified_identifier scope: (_) @specifier name: (identifier) @imported)) @import
((namespace_alias_definition name: (_) @alias (_) @specifier) @import (#set! imported "*"))

; --- what lies around declarations

(template_declaration) @outer

; --- symbols

(namespace_definition name: (_) @name body: (_) @body) @symbol.module
(class_specifier name: (type_identifier) @name body: (_) @body) @symbol.class
(class_specifier name: (template_type name: (type_identifier) @name) body: (_) @body) @symbol.class
(struct_specifier name: (template_type name: (type_identifier) @name) body: (_) @body) @symbol.struct
(alias_declaration name: (type_identifier) @name type: (_) @type) @symbol.type
(concept_definition name: (identifier) @name) @symbol.type

; Members that are declared in their class.
((field_declaration
  type: (_) @type
  declarator: [
    (function_declarator declarator: (field_identifier) @name parameters: (_) @parameters)
    (pointer_declarator (function_declarator declarator: (field_identifier) @name parameters: (_) @parameters))
    (reference_declarator (function_declarator declarator: (field_identifier) @name parameters: (_) @parameters))
  ]) @symbol.method
  (#set! flag "abstract"))
(field_declaration type: (_) @type declarator: (reference_declarator (field_identifier) @name)) @symbol.field
((declaration declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters) !type) @symbol.constructor
  (#set! flag "abstract"))
(function_definition
  type: (_)? @type
  declarator: [
    (function_declarator declarator: (field_identifier) @name parameters: (_) @parameters)
    (pointer_declarator (function_declarator declarator: (field_identifier) @name parameters: (_) @parameters))
    (reference_declarator (function_declarator declarator: (field_identifier) @name parameters: (_) @parameters))
    (function_declarator declarator: (operator_name) @name parameters: (_) @parameters)
    (reference_declarator (function_declarator declarator: (operator_name) @name parameters: (_) @parameters))
    (function_declarator declarator: (destructor_name) @name parameters: (_) @parameters)
  ]
  body: (_) @body) @symbol.method
((field_declaration
  declarator: [
    (function_declarator declarator: (operator_name) @name parameters: (_) @parameters)
    (reference_declarator (function_declarator declarator: (operator_name) @name parameters: (_) @parameters))
  ]) @symbol.method
  (#set! flag "abstract"))
((function_definition
  !type
  declarator: (function_declarator declarator: (identifier) @name @guard parameters: (_) @parameters)
  body: (_)? @body) @symbol.constructor
  (#set! except "TEST TEST_F TEST_P TYPED_TEST"))

; Members that are defined outside of it.
(function_definition
  type: (_)? @type
  declarator: [
    (function_declarator
      declarator: (qualified_identifier scope: (_) @owner name: [(identifier) (destructor_name) (operator_name)] @name)
      parameters: (_) @parameters)
    (pointer_declarator
      (function_declarator
        declarator: (qualified_identifier scope: (_) @owner name: [(identifier) (operator_name)] @name)
        parameters: (_) @parameters))
    (reference_declarator
      (function_declarator
        declarator: (qualified_identifier scope: (_) @owner name: [(identifier) (operator_name)] @name)
        parameters: (_) @parameters))
    (function_declarator
      declarator: (qualified_identifier
        name: (qualified_identifier scope: (_) @owner name: [(identifier) (destructor_name) (operator_name)] @name))
      parameters: (_) @parameters)
    (pointer_declarator
      (function_declarator
        declarator: (qualified_identifier name: (qualified_identifier scope: (_) @owner name: (identifier) @name))
        parameters: (_) @parameters))
    (reference_declarator
      (function_declarator
        declarator: (qualified_identifier name: (qualified_identifier scope: (_) @owner name: (identifier) @name))
        parameters: (_) @parameters))
  ]
  body: (_) @body) @symbol.function
(function_definition
  type: (_) @type
  declarator: (reference_declarator
    (function_declarator declarator: (identifier) @name parameters: (_) @parameters))
  body: (_) @body) @symbol.function
((declaration
  type: (_) @type
  declarator: (reference_declarator
    (function_declarator declarator: (identifier) @name parameters: (_) @parameters))) @symbol.function
  (#set! flag "abstract"))
(declaration
  declarator: (init_declarator
    declarator: (identifier) @name
    value: (lambda_expression
      declarator: (_ parameters: (_) @parameters)
      body: (_) @body) @function)) @symbol.function
(declaration
  type: (_) @type
  declarator: (init_declarator declarator: (reference_declarator (identifier) @name) value: (_) @value)) @symbol.variable
(declaration
  type: (placeholder_type_specifier)
  declarator: (init_declarator
    declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name)]
    value: (_) @value)) @symbol.variable

; A test of GoogleTest, Catch2 or doctest.
((function_definition
  declarator: (function_declarator
    declarator: (identifier) @guard
    parameters: (parameter_list . (parameter_declaration) (parameter_declaration type: (type_identifier) @name) .))
  body: (_) @body) @symbol.function
  (#set! guard "TEST TEST_F TEST_P TYPED_TEST") (#set! flag "test"))

; --- variables and parameters

(parameter_declaration
  type: (_) @type
  declarator: [(reference_declarator (identifier) @bind) (pointer_declarator (reference_declarator (identifier) @bind))])
(optional_parameter_declaration
  type: (_) @type
  declarator: [
    (identifier) @bind
    (reference_declarator (identifier) @bind)
    (pointer_declarator declarator: (identifier) @bind)
  ])
(for_range_loop
  type: (placeholder_type_specifier)
  declarator: [(identifier) @bind (reference_declarator (identifier) @bind) (pointer_declarator declarator: (identifier) @bind)]
  right: (_) @element)
(for_range_loop
  type: (_) @type
  declarator: [(identifier) @bind (reference_declarator (identifier) @bind) (pointer_declarator declarator: (identifier) @bind)])
(structured_binding_declarator (identifier) @local)
(lambda_capture_initializer left: (identifier) @local)
(type_parameter_declaration (type_identifier) @local)
(field_initializer (field_identifier) @ref.write)

(parameter_list (variadic_parameter_declaration) @many) @list
(argument_list (parameter_pack_expansion) @many) @list

; --- references

(base_class_clause (type_identifier) @ref.extends)
(base_class_clause (template_type name: (type_identifier) @ref.extends))
(base_class_clause (qualified_identifier scope: (_) @receiver name: (type_identifier) @ref.extends))
(base_class_clause
  (qualified_identifier scope: (_) @receiver name: (template_type name: (type_identifier) @ref.extends)))
(new_expression type: (type_identifier) @ref.new arguments: (_) @arguments)
(new_expression type: (template_type name: (type_identifier) @ref.new) arguments: (_) @arguments)
(new_expression type: (qualified_identifier scope: (_) @receiver name: (type_identifier) @ref.new) arguments: (_) @arguments)
(new_expression type: (type_identifier) @ref.new)
(compound_literal_expression type: (type_identifier) @ref.new)
(call_expression
  function: (qualified_identifier scope: (_) @receiver name: (identifier) @ref.call)
  arguments: (_) @arguments)
(call_expression
  function: (qualified_identifier
    scope: (_) @receiver
    name: (qualified_identifier name: (identifier) @ref.call))
  arguments: (_) @arguments)
(call_expression
  function: (qualified_identifier scope: (_) @receiver name: (template_function name: (identifier) @ref.call))
  arguments: (_) @arguments)
(call_expression function: (template_function name: (identifier) @ref.call) arguments: (_) @arguments)
(call_expression
  function: (field_expression argument: (_) @receiver field: (template_method name: (field_identifier) @ref.call))
  arguments: (_) @arguments)
(declaration type: (type_identifier) @ref.new declarator: (init_declarator value: (argument_list) @arguments))
(qualified_identifier scope: (_) @receiver name: (identifier) @ref.read)
(qualified_identifier scope: (_) @receiver name: (type_identifier) @ref.type)
(namespace_identifier) @ref.read
