; What TypeScript adds to ecmascript.scm, or says more precisely: it stands before it.

((import_statement (import_require_clause (identifier) @alias source: (string (string_fragment) @specifier))) @import
  (#set! imported "*"))
((export_statement "=" (identifier) @imported) @export (#set! alias "export="))
(ambient_declaration) @outer

; --- symbols

(function_declaration
  name: (identifier) @name
  parameters: (_) @parameters
  return_type: (type_annotation (_) @type)?
  body: (_) @body) @symbol.function
(generator_function_declaration
  name: (identifier) @name
  parameters: (_) @parameters
  return_type: (type_annotation (_) @type)?
  body: (_) @body) @symbol.function
(function_signature
  name: (identifier) @name
  parameters: (_) @parameters
  return_type: (type_annotation (_) @type)?) @symbol.function
(method_definition
  name: (_) @name
  parameters: (_) @parameters
  return_type: (type_annotation (_) @type)?
  body: (_) @body) @symbol.method
(method_signature
  name: (_) @name
  parameters: (_) @parameters
  return_type: (type_annotation (_) @type)?) @symbol.method
(abstract_method_signature
  name: (_) @name
  parameters: (_) @parameters
  return_type: (type_annotation (_) @type)?) @symbol.method

(class_declaration name: (_) @name body: (_) @body) @symbol.class
(abstract_class_declaration name: (_) @name body: (_) @body) @symbol.class
(interface_declaration name: (_) @name body: (_) @body) @symbol.interface
(enum_declaration name: (_) @name body: (_) @body) @symbol.enum
(enum_body name: (property_identifier) @name @symbol.enum-member)
(enum_assignment name: (property_identifier) @name) @symbol.enum-member
(type_alias_declaration name: (_) @name) @symbol.type
(internal_module name: (_) @name body: (_) @body) @symbol.module
(module name: (string (string_fragment) @name) body: (_) @body) @symbol.module
(module name: (identifier) @name body: (_) @body) @symbol.module

(public_field_definition
  name: (_) @name
  value: [
    (arrow_function parameters: (_) @parameters return_type: (type_annotation (_) @type)? body: (_) @body)
    (arrow_function parameter: (_) @parameters body: (_) @body)
    (function_expression parameters: (_) @parameters return_type: (type_annotation (_) @type)? body: (_) @body)
  ] @function) @symbol.method
(public_field_definition
  name: (_) @name
  type: (type_annotation (_) @type)?
  value: (_)? @value) @symbol.field
((required_parameter (accessibility_modifier) pattern: (identifier) @name type: (type_annotation (_) @type)?) @symbol.field
  (#set! owner "this"))
((required_parameter "readonly" pattern: (identifier) @name type: (type_annotation (_) @type)?) @symbol.field
  (#set! owner "this"))
((optional_parameter (accessibility_modifier) pattern: (identifier) @name type: (type_annotation (_) @type)?) @symbol.field
  (#set! owner "this"))
(interface_body (property_signature name: (property_identifier) @name type: (type_annotation (_) @type)?) @symbol.property)
(type_alias_declaration
  value: (object_type (property_signature name: (property_identifier) @name type: (type_annotation (_) @type)?) @symbol.property))

(variable_declarator
  name: (identifier) @name
  value: [
    (arrow_function parameters: (_) @parameters return_type: (type_annotation (_) @type)? body: (_) @body)
    (arrow_function parameter: (_) @parameters body: (_) @body)
    (function_expression parameters: (_) @parameters return_type: (type_annotation (_) @type)? body: (_) @body)
  ] @function) @symbol.function
(pair
  key: (_) @name
  value: [
    (arrow_function parameters: (_) @parameters return_type: (type_annotation (_) @type)? body: (_) @body)
    (arrow_function parameter: (_) @parameters body: (_) @body)
    (function_expression parameters: (_) @parameters return_type: (type_annotation (_) @type)? body: (_) @body)
  ] @function) @symbol.method
(assignment_expression
  left: (member_expression object: (_) @owner property: (property_identifier) @name)
  right: [
    (arrow_function parameters: (_) @parameters body: (_) @body)
    (function_expression parameters: (_) @parameters body: (_) @body)
  ] @function) @symbol.method

(lexical_declaration
  (variable_declarator name: (identifier) @name type: (type_annotation (_) @type)? value: (_)? @value) @symbol.variable) @statement
(variable_declaration
  (variable_declarator name: (identifier) @name type: (type_annotation (_) @type)? value: (_)? @value) @symbol.variable) @statement
(lexical_declaration
  (variable_declarator
    name: (object_pattern (shorthand_property_identifier_pattern) @name @symbol.variable))) @statement

; --- variables and parameters

(required_parameter pattern: (identifier) @bind type: (type_annotation (_) @type)? value: (_)? @value)
(optional_parameter pattern: (identifier) @bind type: (type_annotation (_) @type)?)
(required_parameter pattern: (rest_pattern (identifier) @bind) type: (type_annotation (_) @type))
(type_parameter name: (type_identifier) @local)
(mapped_type_clause name: (type_identifier) @local)
(infer_type (type_identifier) @local)
(type_predicate name: (identifier) @ignore)
(formal_parameters [
  (required_parameter pattern: (rest_pattern)) @many
  (required_parameter pattern: (this)) @uncounted
  (comment) @uncounted
]) @list

; --- references

(extends_clause value: (identifier) @ref.extends)
(extends_clause value: (member_expression object: (_) @receiver property: (_) @ref.extends))
(extends_type_clause type: (type_identifier) @ref.extends)
(extends_type_clause type: (generic_type name: (type_identifier) @ref.extends))
(extends_type_clause type: (nested_type_identifier module: (_) @receiver name: (type_identifier) @ref.extends))
(extends_type_clause
  type: (generic_type name: (nested_type_identifier module: (_) @receiver name: (type_identifier) @ref.extends)))
(implements_clause (type_identifier) @ref.implements)
(implements_clause (generic_type name: (type_identifier) @ref.implements))
(implements_clause (nested_type_identifier module: (_) @receiver name: (type_identifier) @ref.implements))
(implements_clause
  (generic_type name: (nested_type_identifier module: (_) @receiver name: (type_identifier) @ref.implements)))
(nested_type_identifier module: (_) @receiver name: (type_identifier) @ref.type)
(call_expression function: (non_null_expression (identifier) @ref.call) arguments: (_) @arguments)
(call_expression
  function: (non_null_expression
    (member_expression object: (_) @receiver property: (_) @ref.call))
  arguments: (_) @arguments)
(type_identifier) @ref.type
