; C#. The captures are explained in language-spec.ts.

; --- imports

((using_directive name: (identifier) @alias (_) @specifier) @import (#set! imported "*"))
((using_directive !name (_) @specifier .) @import.wildcard (#set! imported "*"))
((file_scoped_namespace_declaration name: (_) @alias) @import.package)
((namespace_declaration name: (_) @alias) @import.package)

; --- what lies around declarations

(comment) @doc
(field_declaration) @outer
(event_field_declaration) @outer

; --- symbols

(class_declaration name: (identifier) @name body: (_)? @body) @symbol.class
(record_declaration name: (identifier) @name (parameter_list) @parameters body: (_)? @body) @symbol.class
(record_declaration name: (identifier) @name body: (_)? @body) @symbol.class
(struct_declaration name: (identifier) @name body: (_)? @body) @symbol.struct
(interface_declaration name: (identifier) @name body: (_)? @body) @symbol.interface
(enum_declaration name: (identifier) @name body: (_)? @body) @symbol.enum
(enum_member_declaration name: (identifier) @name) @symbol.enum-member
(delegate_declaration type: (_) @type name: (identifier) @name parameters: (_) @parameters) @symbol.type
(method_declaration
  returns: (_) @type
  name: (identifier) @name
  parameters: (_) @parameters
  body: (_)? @body) @symbol.method
(constructor_declaration name: (identifier) @name parameters: (_) @parameters body: (_)? @body) @symbol.constructor
(local_function_statement
  type: (_) @type
  name: (identifier) @name
  parameters: (_) @parameters
  body: (_)? @body) @symbol.function
(property_declaration type: (_) @type name: (identifier) @name accessors: (_) @body) @symbol.property
(property_declaration type: (_) @type name: (identifier) @name) @symbol.property
(event_declaration type: (_) @type name: (identifier) @name) @symbol.property
(field_declaration (variable_declaration type: (_) @type (variable_declarator name: (identifier) @name) @symbol.field))
(event_field_declaration
  (variable_declaration type: (_) @type (variable_declarator name: (identifier) @name) @symbol.field))
((record_declaration (parameter_list (parameter type: (_) @type name: (identifier) @name) @symbol.property))
  (#set! flag "exported"))

; --- variables and parameters

(parameter type: (_) @type name: (identifier) @bind)
(parameter !type name: (identifier) @local)
(parameter_list type: (_) @type name: (identifier) @bind)
(variable_declaration type: (_) @type (variable_declarator name: (identifier) @bind (_) @value))
(variable_declaration type: (_) @type (variable_declarator name: (identifier) @bind))
(foreach_statement type: (_) @type left: (identifier) @bind right: (_) @element)
(declaration_pattern type: (_) @type name: (identifier) @bind)
(declaration_expression type: (_) @type name: (identifier) @bind)
(catch_declaration type: (_) @type name: (identifier) @bind)
(implicit_parameter) @local
(type_parameter name: (identifier) @local)
(type_parameter_constraints_clause (identifier) @ignore)
(labeled_statement . (identifier) @ignore)

(parameter_list (comment) @uncounted) @list
(argument_list (comment) @uncounted) @list

; --- references

(invocation_expression function: (identifier) @ref.call arguments: (_) @arguments)
(invocation_expression function: (generic_name . (identifier) @ref.call) arguments: (_) @arguments)
(invocation_expression
  function: (member_access_expression expression: _ @receiver name: (identifier) @ref.call)
  arguments: (_) @arguments)
(invocation_expression
  function: (member_access_expression expression: _ @receiver name: (generic_name . (identifier) @ref.call))
  arguments: (_) @arguments)
(invocation_expression
  function: (conditional_access_expression
    condition: (_) @receiver
    (member_binding_expression name: (identifier) @ref.call))
  arguments: (_) @arguments)
(object_creation_expression type: (identifier) @ref.new arguments: (_) @arguments)
(object_creation_expression type: (identifier) @ref.new)
(object_creation_expression type: (generic_name . (identifier) @ref.new) arguments: (_) @arguments)
(object_creation_expression type: (generic_name . (identifier) @ref.new))
(object_creation_expression type: (qualified_name qualifier: (_) @receiver name: (identifier) @ref.new))
(attribute name: (identifier) @ref.decorator)
(class_declaration (base_list (identifier) @ref.extends))
(class_declaration (base_list (generic_name . (identifier) @ref.extends)))
(class_declaration (base_list (qualified_name qualifier: (_) @receiver name: (identifier) @ref.extends)))
(base_list (identifier) @ref.implements)
(base_list (generic_name . (identifier) @ref.implements))
(base_list (primary_constructor_base_type . (identifier) @ref.extends))
(base_list (qualified_name qualifier: (_) @receiver name: (identifier) @ref.implements))
(parameter type: (identifier) @ref.type)
(variable_declaration type: (identifier) @ref.type)
(property_declaration type: (identifier) @ref.type)
(method_declaration returns: (identifier) @ref.type)
(cast_expression type: (identifier) @ref.type)
(type_argument_list (identifier) @ref.type)
(generic_name . (identifier) @ref.type)
(nullable_type (identifier) @ref.type)
(array_type type: (identifier) @ref.type)
(typeof_expression type: (identifier) @ref.type)
(declaration_pattern type: (identifier) @ref.type)
(type_parameter_constraint type: (identifier) @ref.type)
(assignment_expression left: (identifier) @ref.write)
(assignment_expression left: (member_access_expression expression: _ @receiver name: (identifier) @ref.write))
(member_access_expression expression: _ @receiver name: (identifier) @ref.read)
(conditional_access_expression condition: (_) @receiver (member_binding_expression name: (identifier) @ref.read))
(qualified_name name: (identifier) @ignore)
