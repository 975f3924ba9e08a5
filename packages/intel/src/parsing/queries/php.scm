; PHP. The captures are explained in language-spec.ts.

; --- imports: paths are taken apart by `readImport`

((namespace_definition name: (_) @alias) @import.package)
(namespace_use_declaration) @import
((require_once_expression (string (string_content) @specifier)) @import.wildcard (#set! imported "*"))
((require_expression (string (string_content) @specifier)) @import.wildcard (#set! imported "*"))
((include_once_expression (string (string_content) @specifier)) @import.wildcard (#set! imported "*"))
((include_expression (string (string_content) @specifier)) @import.wildcard (#set! imported "*"))
((require_once_expression (binary_expression right: (string (string_content) @specifier))) @import.wildcard
  (#set! imported "*"))
((require_expression (binary_expression right: (string (string_content) @specifier))) @import.wildcard
  (#set! imported "*"))

; --- what lies around declarations

(comment) @doc
(property_declaration) @outer
(const_declaration) @outer

; --- symbols

(class_declaration name: (name) @name body: (_) @body) @symbol.class
(interface_declaration name: (name) @name body: (_) @body) @symbol.interface
(trait_declaration name: (name) @name body: (_) @body) @symbol.trait
(enum_declaration name: (name) @name body: (_) @body) @symbol.enum
(enum_case name: (name) @name) @symbol.enum-member
(function_definition
  name: (name) @name
  parameters: (_) @parameters
  return_type: (_)? @type
  body: (_) @body) @symbol.function
(method_declaration
  name: (name) @name
  parameters: (_) @parameters
  return_type: (_)? @type
  body: (_)? @body) @symbol.method
(const_element (name) @name) @symbol.constant
(property_declaration type: (_)? @type (property_element name: (variable_name (name) @name)) @symbol.field)
((property_promotion_parameter type: (_)? @type name: (variable_name (name) @name)) @symbol.field
  (#set! owner "this"))

; --- variables and parameters

(property_promotion_parameter type: (_)? @type name: (variable_name) @bind)
(simple_parameter type: (_) @type name: (variable_name) @bind)
(simple_parameter name: (variable_name) @local)
(variadic_parameter name: (variable_name) @local)
(assignment_expression left: (variable_name) @bind right: (_) @value)
(assignment_expression left: (member_access_expression) @bind.field right: (_) @value)
(foreach_statement . (_) @element . (variable_name) @bind)
(foreach_statement . (_) @element . (pair (_) (variable_name) @bind))
(catch_clause type: (type_list . (_) @type) name: (variable_name) @bind)

(formal_parameters (variadic_parameter) @many) @list
(formal_parameters (comment) @uncounted) @list
(arguments (argument (variadic_unpacking)) @many) @list
(arguments (comment) @uncounted) @list

; --- references

(function_call_expression function: (name) @ref.call arguments: (_) @arguments)
(function_call_expression
  function: (qualified_name prefix: (namespace_name) @receiver (name) @ref.call .)
  arguments: (_) @arguments)
(function_call_expression function: (qualified_name (name) @ref.call .) arguments: (_) @arguments)
(member_call_expression object: (_) @receiver name: (name) @ref.call arguments: (_) @arguments)
(nullsafe_member_call_expression object: (_) @receiver name: (name) @ref.call arguments: (_) @arguments)
(scoped_call_expression scope: (_) @receiver name: (name) @ref.call arguments: (_) @arguments)
(object_creation_expression . (name) @ref.new (arguments) @arguments)
(object_creation_expression . (name) @ref.new)
(object_creation_expression . (qualified_name prefix: (namespace_name) @receiver (name) @ref.new .) (arguments) @arguments)
(object_creation_expression . (qualified_name (name) @ref.new .))
(attribute (name) @ref.decorator)
(attribute (qualified_name (name) @ref.decorator .))
(base_clause (name) @ref.extends)
(base_clause (qualified_name (name) @ref.extends .))
(class_interface_clause (name) @ref.implements)
(class_interface_clause (qualified_name (name) @ref.implements .))
(use_declaration (name) @ref.implements)
(use_declaration (qualified_name (name) @ref.implements .))
(named_type (name) @ref.type)
(named_type (qualified_name (name) @ref.type .))
(binary_expression operator: "instanceof" right: (name) @ref.type)
(class_constant_access_expression . (_) @receiver (name) @ref.read .)
(class_constant_access_expression . (name) @ref.type)
(scoped_call_expression scope: (name) @ref.type)
(scoped_property_access_expression scope: (name) @ref.type)
(assignment_expression left: (member_access_expression object: (_) @receiver name: (name) @ref.write))
(member_access_expression object: (_) @receiver name: (name) @ref.read)
(nullsafe_member_access_expression object: (_) @receiver name: (name) @ref.read)
(argument . (name) @ref.read)
(binary_expression (name) @ref.read)
