; Rust. The captures are explained in language-spec.ts.

; --- imports: paths are taken apart by `readImport`

(use_declaration (visibility_modifier)) @import.export
(use_declaration) @import
((mod_item name: (identifier) @specifier @alias !body) @import (#set! imported "*"))
((extern_crate_declaration name: (identifier) @specifier @alias) @import (#set! imported "*"))

; --- what lies around declarations

(line_comment) @doc
(block_comment) @doc
(attribute_item) @leading
(visibility_modifier (crate)) @ignore

; --- symbols

(function_item
  name: (identifier) @name
  parameters: (_) @parameters
  return_type: (_)? @type
  body: (_) @body) @symbol.function
(function_signature_item
  name: (identifier) @name
  parameters: (_) @parameters
  return_type: (_)? @type) @symbol.function
(struct_item name: (type_identifier) @name body: (_)? @body) @symbol.struct
(union_item name: (type_identifier) @name body: (_) @body) @symbol.struct
(enum_item name: (type_identifier) @name body: (_) @body) @symbol.enum
(enum_variant name: (identifier) @name) @symbol.enum-member
(trait_item name: (type_identifier) @name body: (_) @body) @symbol.trait
(impl_item type: (type_identifier) @name body: (_) @body) @symbol.extension
(impl_item type: (generic_type type: (type_identifier) @name) body: (_) @body) @symbol.extension
(impl_item type: (scoped_type_identifier name: (type_identifier) @name) body: (_) @body) @symbol.extension
(impl_item
  type: (generic_type type: (scoped_type_identifier name: (type_identifier) @name))
  body: (_) @body) @symbol.extension
(mod_item name: (identifier) @name body: (_) @body) @symbol.module
(type_item name: (type_identifier) @name type: (_) @type) @symbol.type
(associated_type name: (type_identifier) @name) @symbol.type
(const_item name: (identifier) @name type: (_) @type) @symbol.constant
(static_item name: (identifier) @name type: (_) @type) @symbol.variable
(field_declaration name: (field_identifier) @name type: (_) @type) @symbol.field
(macro_definition name: (identifier) @name) @symbol.macro

; --- variables and parameters

(parameter pattern: (identifier) @bind type: (_) @type)
(parameter pattern: (mut_pattern (identifier) @bind) type: (_) @type)
(let_declaration pattern: (identifier) @bind type: (_) @type)
(let_declaration pattern: (identifier) @bind value: (_) @value)
(let_declaration pattern: (identifier) @local)
(let_condition pattern: (tuple_struct_pattern type: (_) . (identifier) @bind .) value: (_) @value)
(for_expression pattern: (identifier) @bind value: (_) @element)
(closure_parameters (identifier) @local)
(tuple_pattern (identifier) @local)
(tuple_struct_pattern type: (_) (identifier) @local)
(captured_pattern . (identifier) @local)
(reference_pattern (identifier) @local)
(ref_pattern (identifier) @local)
(mut_pattern (identifier) @local)
(shorthand_field_identifier) @local
(type_parameter name: (type_identifier) @local)
(const_parameter name: (identifier) @local)
(field_initializer field: (field_identifier) @ignore)
(attribute (identifier) @ignore)
(use_declaration (identifier) @ignore)
(use_declaration (scoped_identifier (identifier) @ignore))
(use_list (identifier) @ignore)
(use_list (scoped_identifier (identifier) @ignore))
(use_as_clause (identifier) @ignore)
(use_as_clause (scoped_identifier (identifier) @ignore))
(scoped_use_list (identifier) @ignore)
(scoped_use_list (scoped_identifier (identifier) @ignore))
(use_wildcard (scoped_identifier (identifier) @ignore))
(scoped_identifier (scoped_identifier (scoped_identifier (identifier) @ignore)))

(parameters (attribute_item) @uncounted) @list
(parameters [(line_comment) (block_comment)] @uncounted) @list
(parameters (variadic_parameter) @many) @list
(arguments [(line_comment) (block_comment)] @uncounted) @list

; --- references

(call_expression function: (identifier) @ref.call arguments: (_) @arguments)
(call_expression
  function: (scoped_identifier path: (_) @receiver name: (identifier) @ref.call)
  arguments: (_) @arguments)
(call_expression
  function: (field_expression value: (_) @receiver field: (field_identifier) @ref.call)
  arguments: (_) @arguments)
(call_expression
  function: (generic_function function: (identifier) @ref.call)
  arguments: (_) @arguments)
(call_expression
  function: (generic_function function: (scoped_identifier path: (_) @receiver name: (identifier) @ref.call))
  arguments: (_) @arguments)
(call_expression
  function: (generic_function function: (field_expression value: (_) @receiver field: (field_identifier) @ref.call))
  arguments: (_) @arguments)
(macro_invocation macro: (identifier) @ref.call)
(macro_invocation macro: (scoped_identifier path: (_) @receiver name: (identifier) @ref.call))
; What a macro is given is no syntax yet: a name before brackets is most likely called.
(token_tree (identifier) @ref.call . (token_tree) @arguments)
(token_tree (identifier) @ref.read)
(struct_expression name: (type_identifier) @ref.new)
(struct_expression name: (scoped_type_identifier path: (_) @receiver name: (type_identifier) @ref.new))
(struct_expression name: (generic_type_with_turbofish type: (type_identifier) @ref.new))
(impl_item trait: (type_identifier) @ref.implements)
(impl_item trait: (scoped_type_identifier path: (_) @receiver name: (type_identifier) @ref.implements))
(impl_item trait: (generic_type type: (type_identifier) @ref.implements))
(impl_item
  trait: (generic_type type: (scoped_type_identifier path: (_) @receiver name: (type_identifier) @ref.implements)))
(trait_item bounds: (trait_bounds (type_identifier) @ref.extends))
(trait_item bounds: (trait_bounds (scoped_type_identifier path: (_) @receiver name: (type_identifier) @ref.extends)))
(trait_item bounds: (trait_bounds (generic_type type: (type_identifier) @ref.extends)))
(assignment_expression left: (identifier) @ref.write)
(assignment_expression left: (field_expression value: (_) @receiver field: (field_identifier) @ref.write))
(compound_assignment_expr left: (identifier) @ref.write)
(compound_assignment_expr left: (field_expression value: (_) @receiver field: (field_identifier) @ref.write))
(scoped_type_identifier path: (_) @receiver name: (type_identifier) @ref.type)
(type_identifier) @ref.type
(scoped_identifier path: (_) @receiver name: (identifier) @ref.read)
(field_expression value: (_) @receiver field: (field_identifier) @ref.read)
