; Go. The captures are explained in language-spec.ts.

; --- imports

((package_clause (package_identifier) @alias) @import.package)
((import_spec name: (dot) path: (_ (_) @specifier)) @import.wildcard (#set! imported "*") (#set! alias "."))
((import_spec name: (package_identifier) @alias path: (_ (_) @specifier)) @import (#set! imported "*"))
((import_spec name: (blank_identifier) path: (_ (_) @specifier)) @import (#set! alias "_"))
((import_spec !name path: (_ (_) @specifier)) @import (#set! imported "*"))

; --- what lies around declarations

(comment) @doc
(type_declaration) @outer
(const_declaration) @outer
(var_declaration) @outer

; --- symbols

(function_declaration
  name: (identifier) @name
  parameters: (_) @parameters
  result: (parameter_list . (parameter_declaration type: (_) @type))
  body: (_)? @body) @symbol.function
(function_declaration
  name: (identifier) @name
  parameters: (_) @parameters
  result: (_)? @type
  body: (_)? @body) @symbol.function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: (_) @owner))
  name: (field_identifier) @name
  parameters: (_) @parameters
  result: (parameter_list . (parameter_declaration type: (_) @type))
  body: (_)? @body) @symbol.method
(method_declaration
  receiver: (parameter_list (parameter_declaration type: (_) @owner))
  name: (field_identifier) @name
  parameters: (_) @parameters
  result: (_)? @type
  body: (_)? @body) @symbol.method
(type_spec name: (type_identifier) @name type: (struct_type (_) @body)) @symbol.struct
(type_spec name: (type_identifier) @name type: (interface_type) @body) @symbol.interface
(type_spec name: (type_identifier) @name type: (_) @type) @symbol.type
(type_alias name: (type_identifier) @name type: (_) @type) @symbol.type
(method_elem
  name: (field_identifier) @name
  parameters: (_) @parameters
  result: (parameter_list . (parameter_declaration type: (_) @type))) @symbol.method
(method_elem name: (field_identifier) @name parameters: (_) @parameters result: (_)? @type) @symbol.method
(field_declaration name: (field_identifier) @name type: (_) @type) @symbol.field
(const_spec (identifier) @name @symbol.constant type: (_) @type)
(const_spec (identifier) @name @symbol.constant)
(var_spec . name: (identifier) @name . value: (expression_list . (_) @value)) @symbol.variable
(var_spec name: (identifier) @name @symbol.variable type: (_) @type)
(var_spec . name: (identifier) @name @symbol.variable value: (expression_list . (_) @value))
(var_spec name: (identifier) @name @symbol.variable)

; --- variables and parameters

(parameter_declaration name: (identifier) @bind type: (_) @type)
(variadic_parameter_declaration name: (identifier) @local)
(short_var_declaration left: (expression_list . (identifier) @bind) right: (expression_list . (_) @value))
(short_var_declaration
  left: (expression_list (_) (identifier) @bind .)
  right: (expression_list (_) (_) @value .))
(short_var_declaration left: (expression_list (identifier) @local))
(range_clause left: (expression_list (_) (identifier) @bind) right: (_) @element)
(range_clause left: (expression_list (identifier) @local))
(type_switch_statement alias: (expression_list (identifier) @local))
(receive_statement left: (expression_list (identifier) @local))
(type_parameter_declaration name: (identifier) @local)
(keyed_element . (literal_element (identifier) @ignore))
(labeled_statement label: (label_name) @ignore)

(parameter_list (variadic_parameter_declaration) @many) @list
(parameter_list (comment) @uncounted) @list
(argument_list (variadic_argument) @many) @list
(argument_list (comment) @uncounted) @list

; --- references

(call_expression function: (identifier) @guard arguments: (argument_list . (type_identifier) @ref.new)
  (#set! guard "new"))
(call_expression function: (identifier) @ref.call arguments: (_) @arguments)
(call_expression
  function: (selector_expression operand: (_) @receiver field: (field_identifier) @ref.call)
  arguments: (_) @arguments)
(call_expression
  function: (parenthesized_expression (selector_expression operand: (_) @receiver field: (field_identifier) @ref.call))
  arguments: (_) @arguments)
(call_expression function: (index_expression operand: (identifier) @ref.call) arguments: (_) @arguments)
(call_expression
  function: (index_expression operand: (selector_expression operand: (_) @receiver field: (field_identifier) @ref.call))
  arguments: (_) @arguments)
(type_instantiation_expression type: (type_identifier) @ref.call)
(composite_literal type: (type_identifier) @ref.new)
(composite_literal type: (qualified_type package: (_) @receiver name: (type_identifier) @ref.new))
(composite_literal type: (generic_type type: (type_identifier) @ref.new))
(composite_literal
  type: (generic_type type: (qualified_type package: (_) @receiver name: (type_identifier) @ref.new)))
(field_declaration !name type: (type_identifier) @ref.extends)
(field_declaration !name type: (qualified_type package: (_) @receiver name: (type_identifier) @ref.extends))
(field_declaration !name type: (generic_type type: (type_identifier) @ref.extends))
(interface_type (type_elem . (type_identifier) @ref.extends .))
(interface_type (type_elem . (qualified_type package: (_) @receiver name: (type_identifier) @ref.extends) .))
(assignment_statement left: (expression_list (identifier) @ref.write))
(assignment_statement
  left: (expression_list (selector_expression operand: (_) @receiver field: (field_identifier) @ref.write)))
(inc_statement (identifier) @ref.write)
(inc_statement (selector_expression operand: (_) @receiver field: (field_identifier) @ref.write))
(dec_statement (identifier) @ref.write)
(dec_statement (selector_expression operand: (_) @receiver field: (field_identifier) @ref.write))
(qualified_type package: (_) @receiver name: (type_identifier) @ref.type)
(type_identifier) @ref.type
(selector_expression operand: (_) @receiver field: (field_identifier) @ref.read)
