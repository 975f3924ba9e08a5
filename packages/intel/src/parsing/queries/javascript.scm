; What JavaScript says in other words than TypeScript. Stands before ecmascript.scm.

; --- symbols

(function_declaration name: (identifier) @name parameters: (_) @parameters body: (_) @body) @symbol.function
(generator_function_declaration name: (identifier) @name parameters: (_) @parameters body: (_) @body) @symbol.function
(method_definition
  name: (_) @name
  parameters: (_) @parameters
  body: (_) @body) @symbol.method
(class_declaration name: (_) @name body: (_) @body) @symbol.class

(field_definition
  property: (_) @name
  value: [
    (arrow_function parameters: (_) @parameters body: (_) @body)
    (arrow_function parameter: (_) @parameters body: (_) @body)
    (function_expression parameters: (_) @parameters body: (_) @body)
  ] @function) @symbol.method
(field_definition
  property: (_) @name
  value: (_)? @value) @symbol.field

(variable_declarator
  name: (identifier) @name
  value: [
    (arrow_function parameters: (_) @parameters body: (_) @body)
    (arrow_function parameter: (_) @parameters body: (_) @body)
    (function_expression parameters: (_) @parameters body: (_) @body)
  ] @function) @symbol.function
(pair
  key: (_) @name
  value: [
    (arrow_function parameters: (_) @parameters body: (_) @body)
    (arrow_function parameter: (_) @parameters body: (_) @body)
    (function_expression parameters: (_) @parameters body: (_) @body)
  ] @function) @symbol.method
(assignment_expression
  left: (member_expression object: (_) @owner property: (property_identifier) @name)
  right: [
    (arrow_function parameters: (_) @parameters body: (_) @body)
    (arrow_function parameter: (_) @parameters body: (_) @body)
    (function_expression parameters: (_) @parameters body: (_) @body)
  ] @function) @symbol.method
((assignment_expression left: (member_expression object: (this) property: (property_identifier) @name) right: (_) @value) @symbol.field
  (#set! owner "this"))

(lexical_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @symbol.variable) @statement
(variable_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @symbol.variable) @statement
(lexical_declaration
  (variable_declarator
    name: (object_pattern (shorthand_property_identifier_pattern) @name @symbol.variable))) @statement

; --- variables and parameters

(formal_parameters (identifier) @local)
(formal_parameters (assignment_pattern left: (identifier) @bind right: (_) @value))
(assignment_pattern left: (identifier) @local)
(formal_parameters [(rest_pattern) @many (comment) @uncounted]) @list

; --- references

(class_heritage (identifier) @ref.extends)
(class_heritage (member_expression object: (_) @receiver property: (_) @ref.extends))
