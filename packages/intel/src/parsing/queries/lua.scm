; Lua. The captures are explained in language-spec.ts.

; --- imports

((assignment_statement
  (variable_list . name: (identifier) @alias .)
  (expression_list
    .
    value: (function_call
      name: (identifier) @guard
      arguments: (arguments . (string content: (string_content) @specifier))))) @import
  (#set! guard "require dofile") (#set! imported "*"))
((function_call name: (identifier) @guard arguments: (arguments . (string content: (string_content) @specifier))) @import
  (#set! guard "require dofile"))

; --- what lies around declarations

(comment) @doc
(variable_declaration) @outer

; --- symbols

(function_declaration name: (identifier) @name parameters: (_) @parameters body: (_)? @body) @symbol.function
(function_declaration
  name: (dot_index_expression table: (_) @owner field: (identifier) @name)
  parameters: (_) @parameters
  body: (_)? @body) @symbol.function
(function_declaration
  name: (method_index_expression table: (_) @owner method: (identifier) @name)
  parameters: (_) @parameters
  body: (_)? @body) @symbol.method
(assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list . value: (function_definition parameters: (_) @parameters body: (_)? @body) @function)) @symbol.function
(assignment_statement
  (variable_list . name: (dot_index_expression table: (_) @owner field: (identifier) @name))
  (expression_list . value: (function_definition parameters: (_) @parameters body: (_)? @body) @function)) @symbol.function
(field
  name: (identifier) @name
  value: (function_definition parameters: (_) @parameters body: (_)? @body) @function) @symbol.function
(assignment_statement
  (variable_list . name: (identifier) @name .)
  (expression_list . value: (_) @value)) @symbol.variable
(variable_declaration (variable_list name: (identifier) @name @symbol.variable))
(variable_declaration (assignment_statement (variable_list name: (identifier) @name @symbol.variable)))
((function_call
  name: (identifier) @guard
  arguments: (arguments
    .
    (string content: (string_content) @name)
    (function_definition body: (_) @body))) @symbol.function
  (#set! guard "it test") (#set! flag "test"))

; --- variables and parameters

(parameters name: (identifier) @local)
(for_generic_clause (variable_list name: (identifier) @local))
(for_numeric_clause name: (identifier) @local)
(assignment_statement
  (variable_list . name: (dot_index_expression) @bind.field)
  (expression_list . value: (_) @value))
(field name: (identifier) @ignore)
(goto_statement (identifier) @ignore)
(label_statement (identifier) @ignore)

(parameters (vararg_expression) @many) @list
(parameters (comment) @uncounted) @list
(arguments (comment) @uncounted) @list

; --- references

(function_call name: (identifier) @ref.call arguments: (_) @arguments)
(function_call
  name: (dot_index_expression table: (_) @receiver field: (identifier) @ref.call)
  arguments: (_) @arguments)
(function_call
  name: (method_index_expression table: (_) @receiver method: (identifier) @ref.call)
  arguments: (_) @arguments)
(assignment_statement
  (variable_list name: (dot_index_expression table: (_) @receiver field: (identifier) @ref.write)))
(dot_index_expression table: (_) @receiver field: (identifier) @ref.read)
