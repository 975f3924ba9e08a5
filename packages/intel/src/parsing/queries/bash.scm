; Bash. The captures are explained in language-spec.ts.

; --- imports

((command name: (command_name (word) @guard) . argument: (word) @specifier) @import.wildcard
  (#set! guard "source .") (#set! imported "*"))
((command name: (command_name (word) @guard) . argument: (string (string_content) @specifier .)) @import.wildcard
  (#set! guard "source .") (#set! imported "*"))

; --- what lies around declarations

(comment) @doc
(declaration_command) @outer

; --- symbols

(function_definition name: (word) @name body: (_) @body) @symbol.function
(variable_assignment name: (variable_name) @name) @symbol.variable

; --- references

(command name: (command_name (word) @ref.call))
(command name: (command_name (word) @guard) . argument: (word) @ref.call (#set! guard "trap exec command builtin time"))
(simple_expansion (variable_name) @ref.read)
(expansion (variable_name) @ref.read)
