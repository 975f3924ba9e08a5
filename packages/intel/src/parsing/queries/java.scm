; Java. The captures are explained in language-spec.ts.

; --- imports

((package_declaration (_) @alias) @import.package)
((import_declaration (_) @specifier (asterisk)) @import.wildcard (#set! imported "*"))
(import_declaration (scoped_identifier scope: (_) @specifier name: (identifier) @imported) .) @import

; --- what lies around declarations

(line_comment) @doc
(block_comment) @doc
(field_declaration) @outer
(constant_declaration) @outer

; --- symbols

(class_declaration name: (identifier) @name body: (_) @body) @symbol.class
(interface_declaration name: (identifier) @name body: (_) @body) @symbol.interface
(enum_declaration name: (identifier) @name body: (_) @body) @symbol.enum
(record_declaration name: (identifier) @name parameters: (_) @parameters body: (_) @body) @symbol.class
(annotation_type_declaration name: (identifier) @name body: (_) @body) @symbol.interface
(annotation_type_element_declaration type: (_) @type name: (identifier) @name) @symbol.method
(enum_constant name: (identifier) @name) @symbol.enum-member
(method_declaration
  type: (_) @type
  name: (identifier) @name
  parameters: (_) @parameters
  body: (_)? @body) @symbol.method
(constructor_declaration name: (identifier) @name parameters: (_) @parameters body: (_) @body) @symbol.constructor
(compact_constructor_declaration name: (identifier) @name body: (_) @body) @symbol.constructor
(field_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @name) @symbol.field)
(constant_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @name) @symbol.constant)
(record_declaration parameters: (formal_parameters (formal_parameter type: (_) @type name: (identifier) @name) @symbol.field))

; --- variables and parameters

(formal_parameter type: (_) @type name: (identifier) @bind)
(spread_parameter (variable_declarator name: (identifier) @local))
(catch_formal_parameter (catch_type . (_) @type) name: (identifier) @bind)
(local_variable_declaration
  type: (_) @type
  declarator: (variable_declarator name: (identifier) @bind value: (_)? @value))
(enhanced_for_statement type: (_) @type name: (identifier) @bind value: (_) @element)
(resource type: (_) @type name: (identifier) @bind value: (_) @value)
(instanceof_expression right: (_) @type name: (identifier) @bind)
(type_pattern (_) @type (identifier) @bind)
(record_pattern_component (_) @type (identifier) @bind)
(lambda_expression parameters: (identifier) @local)
(inferred_parameters (identifier) @local)
(type_parameter (type_identifier) @local)
(element_value_pair key: (identifier) @ignore)
(labeled_statement . (identifier) @ignore)
(break_statement (identifier) @ignore)
(continue_statement (identifier) @ignore)

(formal_parameters (spread_parameter) @many) @list
(formal_parameters [(line_comment) (block_comment) (receiver_parameter)] @uncounted) @list
(argument_list [(line_comment) (block_comment)] @uncounted) @list

; --- references

(method_invocation object: (_) @receiver name: (identifier) @ref.call arguments: (_) @arguments)
(method_invocation name: (identifier) @ref.call arguments: (_) @arguments)
(method_reference . (_) @receiver (identifier) @ref.read .)
(explicit_constructor_invocation constructor: (_) @ref.call arguments: (_) @arguments)
(object_creation_expression type: (type_identifier) @ref.new arguments: (_) @arguments)
(object_creation_expression type: (generic_type . (type_identifier) @ref.new) arguments: (_) @arguments)
(object_creation_expression
  type: (scoped_type_identifier (_) @receiver (type_identifier) @ref.new .)
  arguments: (_) @arguments)
(object_creation_expression
  type: (generic_type . (scoped_type_identifier (_) @receiver (type_identifier) @ref.new .))
  arguments: (_) @arguments)
(marker_annotation name: (identifier) @ref.decorator)
(annotation name: (identifier) @ref.decorator)
(marker_annotation name: (scoped_identifier scope: (_) @receiver name: (identifier) @ref.decorator))
(annotation name: (scoped_identifier scope: (_) @receiver name: (identifier) @ref.decorator))
(superclass (type_identifier) @ref.extends)
(superclass (generic_type . (type_identifier) @ref.extends))
(superclass (scoped_type_identifier (_) @receiver (type_identifier) @ref.extends .))
(superclass (generic_type . (scoped_type_identifier (_) @receiver (type_identifier) @ref.extends .)))
(super_interfaces (type_list (type_identifier) @ref.implements))
(super_interfaces (type_list (generic_type . (type_identifier) @ref.implements)))
(super_interfaces (type_list (scoped_type_identifier (_) @receiver (type_identifier) @ref.implements .)))
(super_interfaces
  (type_list (generic_type . (scoped_type_identifier (_) @receiver (type_identifier) @ref.implements .))))
(extends_interfaces (type_list (type_identifier) @ref.extends))
(extends_interfaces (type_list (generic_type . (type_identifier) @ref.extends)))
(extends_interfaces (type_list (scoped_type_identifier (_) @receiver (type_identifier) @ref.extends .)))
(assignment_expression left: (identifier) @ref.write)
(assignment_expression left: (field_access object: (_) @receiver field: (identifier) @ref.write))
(update_expression (identifier) @ref.write)
(scoped_type_identifier (_) @receiver (type_identifier) @ref.type .)
(type_identifier) @ref.type
(scoped_identifier (identifier) @ignore)
(field_access object: (_) @receiver field: (identifier) @ref.read)
