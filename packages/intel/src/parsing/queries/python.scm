; Python. The captures are explained in language-spec.ts.

; --- imports

(import_from_statement module_name: (_) @specifier name: (dotted_name) @imported) @import
(import_from_statement
  module_name: (_) @specifier
  name: (aliased_import name: (dotted_name) @imported alias: (identifier) @alias)) @import
((import_from_statement module_name: (_) @specifier (wildcard_import)) @import.wildcard (#set! imported "*"))
((import_statement name: (dotted_name) @specifier @alias) @import (#set! imported "*"))
((import_statement name: (aliased_import name: (dotted_name) @specifier alias: (identifier) @alias)) @import
  (#set! imported "*"))
(future_import_statement name: (dotted_name) @ignore)

((assignment left: (identifier) @guard right: [(list (string (string_content) @imported)) (tuple (string (string_content) @imported))]) @export
  (#set! guard "__all__"))
((augmented_assignment left: (identifier) @guard right: [(list (string (string_content) @imported)) (tuple (string (string_content) @imported))]) @export
  (#set! guard "__all__"))

; --- what lies around declarations

(decorated_definition) @outer
(comment) @doc
(class_definition body: (block . (expression_statement (string) @doc.inside)))
(function_definition body: (block . (expression_statement (string) @doc.inside)))

; --- symbols

(function_definition
  name: (identifier) @name
  parameters: (_) @parameters
  return_type: (_)? @type
  body: (_) @body) @symbol.function
(class_definition name: (identifier) @name body: (_) @body) @symbol.class
(assignment left: (identifier) @name right: (lambda parameters: (_) @parameters body: (_) @body) @function) @symbol.function
(assignment left: (identifier) @name type: (_)? @type right: (_)? @value) @symbol.variable
((assignment
  left: (attribute object: (identifier) @guard attribute: (identifier) @name)
  type: (_)? @type
  right: (_)? @value) @symbol.field
  (#set! guard "self cls") (#set! owner "this"))
(type_alias_statement left: (type (identifier) @name)) @symbol.type

; --- variables and parameters

((assignment left: (attribute object: (identifier) @guard) @bind.field type: (_)? @type right: (_)? @value)
  (#set! guard "self cls"))
(typed_parameter (identifier) @bind type: (_) @type)
(typed_default_parameter name: (identifier) @bind type: (_) @type)
(default_parameter name: (identifier) @bind value: (_) @value)
(parameters (identifier) @local)
(lambda_parameters (identifier) @local)
(list_splat_pattern (identifier) @local)
(dictionary_splat_pattern (identifier) @local)
(pattern_list (identifier) @local)
(tuple_pattern (identifier) @local)
(for_statement left: (identifier) @bind right: (_) @element)
(for_in_clause left: (identifier) @bind right: (_) @element)
(except_clause value: (as_pattern (_) @type alias: (as_pattern_target (identifier) @bind)))
(with_item value: (as_pattern (_) @value alias: (as_pattern_target (identifier) @bind)))
(as_pattern_target (identifier) @local)
(named_expression name: (identifier) @bind value: (_) @value)
(case_pattern (dotted_name . (identifier) @local .))
(keyword_argument name: (identifier) @ignore)

(parameters [
  (list_splat_pattern) @many
  (dictionary_splat_pattern) @many
  (typed_parameter [(list_splat_pattern) (dictionary_splat_pattern)]) @many
  (positional_separator) @uncounted
  (keyword_separator) @uncounted
  (comment) @uncounted
]) @list
(lambda_parameters [(list_splat_pattern) (dictionary_splat_pattern)] @many) @list
(argument_list [
  (list_splat) @many
  (dictionary_splat) @many
  (comment) @uncounted
]) @list

; --- references

(call function: (identifier) @ref.call arguments: (_) @arguments)
(call function: (attribute object: (_) @receiver attribute: (identifier) @ref.call) arguments: (_) @arguments)
(decorator (identifier) @ref.decorator)
(decorator (attribute object: (_) @receiver attribute: (identifier) @ref.decorator))
(class_definition superclasses: (argument_list (identifier) @ref.extends))
(class_definition superclasses: (argument_list (attribute object: (_) @receiver attribute: (identifier) @ref.extends)))
(class_definition superclasses: (argument_list (subscript value: (identifier) @ref.extends)))
(class_pattern (dotted_name (identifier) @ref.type .))
(type (identifier) @ref.type)
(type (attribute object: (_) @receiver attribute: (identifier) @ref.type))
(generic_type (identifier) @ref.type)
(type (string (string_content) @ref.type))
(assignment left: (identifier) @ref.write)
(assignment left: (attribute object: (_) @receiver attribute: (identifier) @ref.write))
(augmented_assignment left: (identifier) @ref.write)
(augmented_assignment left: (attribute object: (_) @receiver attribute: (identifier) @ref.write))
(dotted_name (identifier) @ignore)
(attribute object: (_) @receiver attribute: (identifier) @ref.read)
