; Scala. The captures are explained in language-spec.ts.

; --- imports: paths are taken apart by `readImport`

((package_clause name: (_) @alias) @import.package)
(import_declaration) @import
(import_declaration path: (identifier) @ignore)

; --- what lies around declarations

(comment) @doc
(block_comment) @doc

; --- symbols

(class_definition
  name: (identifier) @name
  class_parameters: (class_parameters) @parameters
  body: (_)? @body) @symbol.class
(class_definition name: (identifier) @name body: (_)? @body) @symbol.class
(object_definition name: (identifier) @name body: (_)? @body) @symbol.class
(trait_definition name: (identifier) @name body: (_)? @body) @symbol.trait
(enum_definition name: (identifier) @name body: (_) @body) @symbol.enum
(simple_enum_case name: (identifier) @name) @symbol.enum-member
(full_enum_case name: (identifier) @name) @symbol.enum-member
(type_definition name: (type_identifier) @name type: (_)? @type) @symbol.type
(function_definition
  name: (_) @name
  parameters: (parameters) @parameters
  return_type: (_)? @type
  body: (_) @body) @symbol.function
(function_definition name: (_) @name return_type: (_)? @type body: (_) @body) @symbol.function
(function_declaration name: (_) @name parameters: (parameters) @parameters return_type: (_)? @type) @symbol.function
(function_declaration name: (_) @name return_type: (_)? @type) @symbol.function
(given_definition name: (identifier) @name return_type: (_)? @type) @symbol.constant
(extension_definition
  parameters: (parameters . (parameter type: (_) @owner))
  body: (function_definition
    name: (identifier) @name
    parameters: (parameters) @parameters
    return_type: (_)? @type
    body: (_) @body) @symbol.function)
(val_definition pattern: (identifier) @name type: (_)? @type value: (_) @value) @symbol.variable
(var_definition pattern: (identifier) @name type: (_)? @type value: (_) @value) @symbol.variable
(val_declaration name: (identifier) @name type: (_) @type) @symbol.variable
(var_declaration name: (identifier) @name type: (_) @type) @symbol.variable
(class_definition
  class_parameters: (class_parameters (class_parameter name: (identifier) @name type: (_) @type) @symbol.property))

; --- variables and parameters

(parameter name: (identifier) @bind type: (_) @type)
(class_parameter name: (identifier) @bind type: (_) @type)
(lambda_expression parameters: (identifier) @local)
(bindings (binding name: (identifier) @bind type: (_) @type))
(bindings (binding name: (identifier) @local))
(enumerator . (identifier) @bind "<-" . (_) @element)
(enumerator . (identifier) @local)
(typed_pattern pattern: (identifier) @bind type: (_) @type)
(case_class_pattern pattern: (identifier) @local)
(tuple_pattern (identifier) @local)
(capture_pattern name: (identifier) @local)

(parameters (parameter type: (repeated_parameter_type)) @many) @list
(class_parameters (class_parameter type: (repeated_parameter_type)) @many) @list
(arguments (comment) @uncounted) @list

; --- references

(call_expression function: (identifier) @ref.call arguments: (_) @arguments)
(call_expression function: (field_expression value: (_) @receiver field: (identifier) @ref.call) arguments: (_) @arguments)
(call_expression function: (generic_function function: (identifier) @ref.call) arguments: (_) @arguments)
(call_expression
  function: (generic_function function: (field_expression value: (_) @receiver field: (identifier) @ref.call))
  arguments: (_) @arguments)
(instance_expression . (type_identifier) @ref.new arguments: (_) @arguments)
(instance_expression . (generic_type type: (type_identifier) @ref.new) arguments: (_) @arguments)
(instance_expression . (type_identifier) @ref.new)
(instance_expression . (generic_type type: (type_identifier) @ref.new))
(infix_expression left: (_) @receiver operator: (identifier) @ref.call)
(postfix_expression (_) @receiver . (identifier) @ref.call .)
(annotation name: (type_identifier) @ref.decorator)
(extends_clause . (type_identifier) @ref.extends)
(extends_clause . (generic_type type: (type_identifier) @ref.extends))
(extends_clause (type_identifier) @ref.implements)
(extends_clause (generic_type type: (type_identifier) @ref.implements))
(case_class_pattern type: (type_identifier) @ref.type)
(stable_type_identifier (_) @receiver (type_identifier) @ref.type)
(assignment_expression left: (identifier) @ref.write)
(assignment_expression left: (field_expression value: (_) @receiver field: (identifier) @ref.write))
(type_identifier) @ref.type
(package_identifier (identifier) @ignore)
(field_expression value: (_) @receiver field: (identifier) @ref.read)
