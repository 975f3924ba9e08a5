; Ruby. The captures are explained in language-spec.ts.

; --- imports

((call method: (identifier) @guard arguments: (argument_list . (string (string_content) @specifier))) @import.wildcard
  (#set! imported "*") (#set! guard "require require_relative load autoload"))

; --- what lies around declarations

(comment) @doc

; --- symbols

(class name: (constant) @name body: (_)? @body) @symbol.class
(class name: (scope_resolution name: (constant) @name) body: (_)? @body) @symbol.class
(module name: (constant) @name body: (_)? @body) @symbol.trait
(module name: (scope_resolution name: (constant) @name) body: (_)? @body) @symbol.trait
(method name: (_) @name parameters: (_) @parameters body: (_)? @body) @symbol.function
(method name: (_) @name body: (_)? @body) @symbol.function
((singleton_method object: (self) name: (_) @name parameters: (_) @parameters body: (_)? @body) @symbol.function
  (#set! flag "static"))
((singleton_method object: (self) name: (_) @name body: (_)? @body) @symbol.function (#set! flag "static"))
(singleton_method object: (constant) @owner name: (_) @name body: (_)? @body) @symbol.function
((assignment left: (constant) @name right: (call receiver: (constant) @guard)) @symbol.class
  (#set! guard "Struct Class Data"))
(assignment left: (constant) @name right: (_) @value) @symbol.constant
((call method: (identifier) @guard arguments: (argument_list (simple_symbol) @name @symbol.property))
  (#set! guard "attr_accessor attr_reader attr_writer"))
((call method: (identifier) @guard arguments: (argument_list . (simple_symbol) @name)) @symbol.method
  (#set! guard "define_method scope"))
((call
  method: (identifier) @guard
  arguments: (argument_list . (string (string_content) @name))
  block: (_) @body) @symbol.function
  (#set! guard "it specify test scenario") (#set! flag "test"))

; --- variables and parameters

(method_parameters (identifier) @local)
(optional_parameter name: (identifier) @bind value: (_) @value)
(keyword_parameter name: (identifier) @local)
(splat_parameter name: (identifier) @local)
(hash_splat_parameter name: (identifier) @local)
(block_parameter name: (identifier) @local)
(call receiver: (_) @element block: (_ parameters: (block_parameters . (identifier) @bind)))
(block_parameters (identifier) @local)
(lambda_parameters (identifier) @local)
(assignment left: (identifier) @bind right: (_) @value)
(assignment left: (instance_variable) @bind.field right: (_) @value)
(operator_assignment left: (instance_variable) @bind.field right: (_) @value)
(left_assignment_list (identifier) @local)
(exception_variable (identifier) @local)
(for pattern: (identifier) @bind value: (in (_) @element))

(method_parameters [(splat_parameter) (hash_splat_parameter) (optional_parameter) (keyword_parameter)] @many) @list
(method_parameters (block_parameter) @uncounted) @list
(argument_list [(splat_argument) (hash_splat_argument)] @many) @list
(argument_list [(block_argument) (comment)] @uncounted) @list

; --- references

((call receiver: (constant) @ref.new method: (identifier) @guard) (#set! guard "new"))
((call receiver: (scope_resolution scope: (_) @receiver name: (constant) @ref.new) method: (identifier) @guard)
  (#set! guard "new"))
((call method: (identifier) @guard arguments: (argument_list (constant) @ref.implements))
  (#set! guard "include extend prepend"))
((call
  method: (identifier) @guard
  arguments: (argument_list (scope_resolution scope: (_) @receiver name: (constant) @ref.implements)))
  (#set! guard "include extend prepend"))
(call receiver: (_) @receiver method: [(identifier) (constant)] @ref.call arguments: (_) @arguments)
(call receiver: (_) @receiver method: [(identifier) (constant)] @ref.call)
(call method: [(identifier) (super)] @ref.call arguments: (_) @arguments)
(call method: (identifier) @ref.call)
(superclass (constant) @ref.extends)
(superclass (scope_resolution scope: (_) @receiver name: (constant) @ref.extends))
(block_argument (simple_symbol) @ref.read)
(scope_resolution scope: (_) @receiver name: (constant) @ref.type)
(constant) @ref.type
; A name alone is a call, if it is no variable.
(body_statement (identifier) @ref.call)
(block_body (identifier) @ref.call)
