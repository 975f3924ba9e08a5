; Swift. The captures are explained in language-spec.ts.

; --- imports: paths are taken apart by `readImport`

(import_declaration) @import
(import_declaration (identifier (simple_identifier) @ignore))

; --- what lies around declarations

(comment) @doc
(multiline_comment) @doc

; --- symbols

(class_declaration
  declaration_kind: ["class" "actor"]
  name: (type_identifier) @name
  body: (_) @body) @symbol.class
(class_declaration declaration_kind: "struct" name: (type_identifier) @name body: (_) @body) @symbol.struct
(class_declaration declaration_kind: "enum" name: (type_identifier) @name body: (_) @body) @symbol.enum
(class_declaration
  declaration_kind: "extension"
  name: (user_type (type_identifier) @name .)
  body: (_) @body) @symbol.extension
(class_declaration
  declaration_kind: "extension"
  name: (user_type (type_identifier) @name . (type_arguments))
  body: (_) @body) @symbol.extension
(protocol_declaration name: (type_identifier) @name body: (_) @body) @symbol.interface
(typealias_declaration name: (type_identifier) @name (_) @type .) @symbol.type
(associatedtype_declaration name: (type_identifier) @name) @symbol.type
(enum_entry name: (simple_identifier) @name @symbol.enum-member)
(function_declaration
  name: (simple_identifier) @name
  [(user_type) (optional_type) (array_type) (dictionary_type)] @type
  .
  body: (_) @body) @symbol.function
(function_declaration name: (simple_identifier) @name body: (_)? @body) @symbol.function
(protocol_function_declaration
  name: (simple_identifier) @name
  [(user_type) (optional_type) (array_type) (dictionary_type)] @type
  .) @symbol.method
(protocol_function_declaration name: (simple_identifier) @name) @symbol.method
(init_declaration "init" @name body: (_)? @body) @symbol.constructor
(deinit_declaration "deinit" @name body: (_) @body) @symbol.method
(subscript_declaration "subscript" @name) @symbol.method
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  .
  (type_annotation (_) @type)) @symbol.variable
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name) value: (_) @value) @symbol.variable
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @symbol.variable
(protocol_property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  (type_annotation (_) @type)) @symbol.property

; --- variables and parameters

(parameter name: (simple_identifier) @bind [(user_type) (optional_type) (array_type) (dictionary_type)] @type)
(parameter name: (simple_identifier) @local)
(parameter external_name: (simple_identifier) @ignore)
(lambda_parameter name: (simple_identifier) @local)
(for_statement item: (pattern bound_identifier: (simple_identifier) @bind) collection: (_) @element)
(if_statement bound_identifier: (simple_identifier) @bind . condition: "=" . condition: (_) @value)
(guard_statement bound_identifier: (simple_identifier) @bind . condition: "=" . condition: (_) @value)
(if_statement bound_identifier: (simple_identifier) @local)
(guard_statement bound_identifier: (simple_identifier) @local)
(pattern bound_identifier: (simple_identifier) @local)
(value_argument_label (simple_identifier) @ignore)
(type_parameter . (type_identifier) @local)
(call_suffix name: (simple_identifier) @ignore)

; --- references

(call_expression . (simple_identifier) @ref.call (call_suffix (value_arguments) @arguments))
(call_expression
  .
  (navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @ref.call))
  (call_suffix (value_arguments) @arguments))
(call_expression . (simple_identifier) @ref.call (call_suffix))
(call_expression
  .
  (navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @ref.call))
  (call_suffix))
(attribute (user_type (type_identifier) @ref.decorator))
(class_declaration . (inheritance_specifier inherits_from: (user_type (type_identifier) @ref.extends)))
(inheritance_specifier inherits_from: (user_type (type_identifier) @ref.implements))
(assignment target: (directly_assignable_expression . (simple_identifier) @ref.write .))
(assignment
  target: (directly_assignable_expression
    (navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @ref.write))))
(type_identifier) @ref.type
(navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @ref.read))
; Every other identifier is read.
(simple_identifier) @ref.read
