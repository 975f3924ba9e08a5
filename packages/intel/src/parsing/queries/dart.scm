; Dart. Its grammar knows no calls and no chains: their parts are siblings. The captures are explained in language-spec.ts.

; --- imports: combinators are read by `readImport`

(library_import) @import
(library_export) @import.export
(part_directive) @import
(import_specification (identifier) @ignore)
(combinator (identifier) @ignore)
(library_name (dotted_identifier_list (identifier) @ignore))

; --- what lies around declarations

(comment) @doc
(documentation_comment) @doc
(annotation) @leading
(declaration) @outer

; --- symbols

(class_definition name: (identifier) @name body: (_) @body) @symbol.class
(mixin_declaration (mixin) . (identifier) @name (class_body) @body) @symbol.class
(extension_declaration class: (type_identifier) @name body: (_) @body) @symbol.extension
(extension_type_declaration name: (identifier) @name) @symbol.class
(enum_declaration name: (identifier) @name body: (_) @body) @symbol.enum
(enum_constant name: (identifier) @name) @symbol.enum-member
(type_alias . (type_identifier) @name) @symbol.type
((function_signature
  (type_identifier) @type
  .
  (type_arguments)? @arguments
  .
  name: (identifier) @name
  (formal_parameter_list) @parameters) @symbol.function
  .
  (function_body) @body)
((function_signature name: (identifier) @name (formal_parameter_list) @parameters) @symbol.function . (function_body) @body)
((method_signature
  (function_signature
    (type_identifier) @type
    .
    (type_arguments)? @arguments
    .
    name: (identifier) @name
    (formal_parameter_list) @parameters)) @symbol.method
  .
  (function_body) @body)
((method_signature (function_signature name: (identifier) @name (formal_parameter_list) @parameters)) @symbol.method
  .
  (function_body) @body)
((method_signature (getter_signature (type_identifier) @type . name: (identifier) @name)) @symbol.property
  .
  (function_body) @body)
((method_signature (getter_signature name: (identifier) @name)) @symbol.property . (function_body) @body)
((method_signature (setter_signature name: (identifier) @name)) @symbol.property . (function_body) @body)
((method_signature
  (constructor_signature . name: (identifier) @name . parameters: (_) @parameters)) @symbol.constructor
  .
  (function_body) @body)
((method_signature
  (constructor_signature name: (identifier) name: (identifier) @name parameters: (_) @parameters)) @symbol.constructor
  .
  (function_body) @body)
((method_signature
  (factory_constructor_signature (identifier) @name . (formal_parameter_list) @parameters)) @symbol.constructor
  .
  (function_body) @body)
(declaration (constructor_signature . name: (identifier) @name . parameters: (_) @parameters) @symbol.constructor)
(declaration
  (constructor_signature name: (identifier) name: (identifier) @name parameters: (_) @parameters) @symbol.constructor)
((declaration
  (function_signature
    (type_identifier) @type
    .
    (type_arguments)? @arguments
    .
    name: (identifier) @name
    (formal_parameter_list) @parameters) @symbol.method)
  (#set! flag "abstract"))
((declaration (function_signature name: (identifier) @name (formal_parameter_list) @parameters) @symbol.method)
  (#set! flag "abstract"))
((declaration (getter_signature (type_identifier) @type name: (identifier) @name) @symbol.property)
  (#set! flag "abstract"))
(local_function_declaration
  (lambda_expression
    parameters: (function_signature name: (identifier) @name (formal_parameter_list) @parameters)
    body: (_) @body) @symbol.function)
(declaration
  (type_identifier) @type
  .
  (type_arguments)? @arguments
  .
  (nullable_type)?
  .
  (initialized_identifier_list (initialized_identifier . (identifier) @name) @symbol.field))
(declaration (initialized_identifier_list (initialized_identifier . (identifier) @name . (_) @value) @symbol.field))
(declaration (initialized_identifier_list (initialized_identifier . (identifier) @name) @symbol.field))
(static_final_declaration . (identifier) @name . (_) @value (_) @arguments .) @symbol.constant
(static_final_declaration . (identifier) @name . (_) @value .) @symbol.constant
(program
  (type_identifier) @type
  .
  (initialized_identifier_list (initialized_identifier . (identifier) @name) @symbol.variable))
(program (initialized_identifier_list (initialized_identifier . (identifier) @name) @symbol.variable))

; --- variables and parameters

(formal_parameter (type_identifier) @type . (type_arguments)? @arguments . (nullable_type)? . name: (identifier) @bind)
(formal_parameter name: (identifier) @local)
(formal_parameter . (identifier) @local .)
(constructor_param (this) (identifier) @ignore)
(initialized_variable_definition
  (type_identifier) @type
  .
  (type_arguments)? @arguments
  .
  (nullable_type)?
  .
  name: (identifier) @bind)
(initialized_variable_definition
  name: (identifier) @bind
  value: (new_expression (type_identifier) @type))
(initialized_variable_definition
  name: (identifier) @bind
  value: (type_cast_expression (type_cast (type_identifier) @type)))
(initialized_variable_definition name: (identifier) @bind . value: (_) @value value: (_) @arguments .)
(initialized_variable_definition name: (identifier) @bind . value: (_) @value .)
(initialized_variable_definition name: (identifier) @local)
(for_loop_parts name: (identifier) @bind value: (_) @element)
(catch_parameters (identifier) @local)
(type_parameter . (type_identifier) @local)
(named_argument (label (identifier) @ignore))

(formal_parameter_list (optional_formal_parameters) @many) @list
(arguments (comment) @uncounted) @list

; --- references

((identifier) @ref.call . (selector (argument_part (arguments) @arguments)))
(([(this) (super)] @receiver)
  .
  (unconditional_assignable_selector (identifier) @ref.call)
  .
  (selector (argument_part (arguments) @arguments)))
((identifier) @receiver
  .
  (selector [(unconditional_assignable_selector (identifier) @ref.call) (conditional_assignable_selector (identifier) @ref.call)])
  .
  (selector (argument_part (arguments) @arguments)))
((identifier) @receiver
  .
  (selector (unconditional_assignable_selector))
  .
  (selector [(unconditional_assignable_selector (identifier) @ref.call) (conditional_assignable_selector (identifier) @ref.call)])
  .
  (selector (argument_part (arguments) @arguments)))
((identifier) @receiver
  .
  (selector (argument_part))
  .
  (selector [(unconditional_assignable_selector (identifier) @ref.call) (conditional_assignable_selector (identifier) @ref.call)])
  .
  (selector (argument_part (arguments) @arguments)))
((identifier) @receiver
  .
  (selector [(unconditional_assignable_selector) (conditional_assignable_selector)])
  .
  (selector (argument_part))
  .
  (selector [(unconditional_assignable_selector (identifier) @ref.call) (conditional_assignable_selector (identifier) @ref.call)])
  .
  (selector (argument_part (arguments) @arguments)))
((selector) @receiver
  .
  (selector [(unconditional_assignable_selector (identifier) @ref.call) (conditional_assignable_selector (identifier) @ref.call)])
  .
  (selector (argument_part (arguments) @arguments)))
(selector (unconditional_assignable_selector (identifier) @ref.read))
(cascade_section (cascade_selector (identifier) @ref.call) . (argument_part (arguments) @arguments))
(new_expression (type_identifier) @ref.new (arguments) @arguments)
(const_object_expression (type_identifier) @ref.new (arguments) @arguments)
(annotation name: (identifier) @ref.decorator)
(superclass . (type_identifier) @ref.extends)
(mixins (type_identifier) @ref.implements)
(interfaces (type_identifier) @ref.implements)
(assignment_expression left: (assignable_expression . (identifier) @ref.write .))
(assignment_expression
  left: (assignable_expression (this) @receiver . (unconditional_assignable_selector (identifier) @ref.write)))
(type_identifier) @ref.type
