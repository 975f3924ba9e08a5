; Kotlin. The captures are explained in language-spec.ts.

; --- imports: paths are taken apart by `readImport`

((package_header (qualified_identifier) @alias) @import.package)
(import) @import

; --- what lies around declarations

(line_comment) @doc
(block_comment) @doc

; --- symbols

(class_declaration "interface" name: (identifier) @name (class_body)? @body) @symbol.interface
(class_declaration name: (identifier) @name (enum_class_body) @body) @symbol.enum
(class_declaration
  name: (identifier) @name
  (primary_constructor (class_parameters) @parameters)
  (class_body)? @body) @symbol.class
(class_declaration name: (identifier) @name (class_body)? @body) @symbol.class
(object_declaration name: (identifier) @name (class_body)? @body) @symbol.class
(enum_entry . (identifier) @name) @symbol.enum-member
(type_alias type: (identifier) @name (_) @type .) @symbol.type
(function_declaration
  [(user_type) (nullable_type)] @owner
  .
  "."
  .
  name: (identifier) @name
  (function_value_parameters) @parameters
  .
  [(user_type) (nullable_type)]? @type
  (function_body)? @body) @symbol.function
(function_declaration
  name: (identifier) @name
  (function_value_parameters) @parameters
  .
  [(user_type) (nullable_type)]? @type
  (function_body)? @body) @symbol.function
(secondary_constructor "constructor" @name (function_value_parameters) @parameters (block)? @body) @symbol.constructor
(property_declaration (variable_declaration . (identifier) @name [(user_type) (nullable_type)] @type)) @symbol.variable
(property_declaration (variable_declaration . (identifier) @name .) . (_) @value) @symbol.variable
(property_declaration (variable_declaration . (identifier) @name .)) @symbol.variable
(class_parameter ["val" "var"] (identifier) @name . (_) @type) @symbol.property

; --- variables and parameters

(class_parameter (identifier) @bind . (_) @type)
(parameter . (identifier) @bind (_) @type .)
(lambda_parameters (variable_declaration . (identifier) @bind (_) @type))
(lambda_parameters (variable_declaration . (identifier) @local))
(multi_variable_declaration (variable_declaration . (identifier) @local))
(for_statement (variable_declaration . (identifier) @bind) . (_) @element)
(catch_block . (identifier) @bind . (_) @type)
(type_parameter . (identifier) @local)
(value_argument . (identifier) @ignore "=")

(function_value_parameters (parameter_modifiers (parameter_modifier) @guard) @many (#set! guard "vararg")) @list
(function_value_parameters [(line_comment) (block_comment) (parameter_modifiers)] @uncounted) @list
(value_arguments [(line_comment) (block_comment)] @uncounted) @list

; --- references

(call_expression . (identifier) @ref.call (value_arguments) @arguments)
(call_expression . (navigation_expression (_) @receiver . (identifier) @ref.call .) (value_arguments) @arguments)
(call_expression . (identifier) @ref.call (annotated_lambda))
(call_expression . (navigation_expression (_) @receiver . (identifier) @ref.call .) (annotated_lambda))
(infix_expression (_) . (identifier) @ref.call . (_))
(callable_reference (_) @receiver . (identifier) @ref.read .)
(annotation (user_type (identifier) @ref.decorator .))
(annotation (constructor_invocation . (user_type (identifier) @ref.decorator .) (value_arguments) @arguments))
(delegation_specifier (constructor_invocation . (user_type (identifier) @ref.extends .)))
(delegation_specifier (constructor_invocation . (user_type (identifier) @ref.extends . (type_arguments))))
(delegation_specifier (user_type (identifier) @ref.implements .))
(delegation_specifier (user_type (identifier) @ref.implements . (type_arguments)))
(delegation_specifier (explicit_delegation . (user_type (identifier) @ref.implements .)))
(user_type (identifier) @receiver . (identifier) @ref.type .)
(user_type . (identifier) @ref.type .)
(user_type (identifier) @receiver . (identifier) @ref.type . (type_arguments))
(user_type . (identifier) @ref.type . (type_arguments))
(user_type (identifier) @ignore)
(assignment left: (identifier) @ref.write)
(assignment left: (navigation_expression (_) @receiver . (identifier) @ref.write .))
(qualified_identifier (identifier) @ignore)
(navigation_expression (_) @receiver . (identifier) @ref.read .)
