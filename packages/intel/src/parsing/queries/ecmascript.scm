; What TypeScript, TSX and JavaScript have in common. The captures are explained in language-spec.ts.

; --- imports and exports

((import_statement (import_clause (identifier) @alias) source: (string (string_fragment) @specifier)) @import
  (#set! imported "default"))
((import_statement (import_clause (namespace_import (identifier) @alias)) source: (string (string_fragment) @specifier)) @import
  (#set! imported "*"))
(import_statement
  (import_clause (named_imports (import_specifier name: (_) @imported !alias)))
  source: (string (string_fragment) @specifier)) @import
(import_statement
  (import_clause (named_imports (import_specifier name: (_) @imported alias: (identifier) @alias)))
  source: (string (string_fragment) @specifier)) @import
(import_statement source: (string (string_fragment) @specifier)) @import

(export_statement
  (export_clause (export_specifier name: (_) @imported !alias))
  source: (string (string_fragment) @specifier)) @import.export
(export_statement
  (export_clause (export_specifier name: (_) @imported alias: (_) @alias))
  source: (string (string_fragment) @specifier)) @import.export
((export_statement (namespace_export (_) @alias) source: (string (string_fragment) @specifier)) @import.export
  (#set! imported "*"))
((export_statement "*" source: (string (string_fragment) @specifier)) @import.export.wildcard
  (#set! imported "*"))
(export_statement (export_clause (export_specifier name: (_) @imported !alias)) !source) @export
(export_statement (export_clause (export_specifier name: (_) @imported alias: (_) @alias)) !source) @export
((export_statement value: (identifier) @imported) @export (#set! alias "default"))

; const a = await import('…'), const { b, c: d } = await import('…'), import('…') alone
((variable_declarator
  name: (identifier) @alias
  value: (await_expression (call_expression function: (import) arguments: (arguments . (string (string_fragment) @specifier))))) @import
  (#set! imported "*"))
(variable_declarator
  name: (object_pattern (shorthand_property_identifier_pattern) @imported)
  value: (await_expression (call_expression function: (import) arguments: (arguments . (string (string_fragment) @specifier))))) @import
(variable_declarator
  name: (object_pattern (pair_pattern key: (property_identifier) @imported value: (identifier) @alias))
  value: (await_expression (call_expression function: (import) arguments: (arguments . (string (string_fragment) @specifier))))) @import
(call_expression function: (import) arguments: (arguments . (string (string_fragment) @specifier))) @import

; const a = require('…'), const { b, c: d } = require('…'), const e = require('…').f, require('…') alone
((variable_declarator
  name: (identifier) @alias
  value: (call_expression function: (identifier) @guard arguments: (arguments . (string (string_fragment) @specifier)))) @import
  (#set! guard "require") (#set! imported "*"))
((variable_declarator
  name: (object_pattern (shorthand_property_identifier_pattern) @imported)
  value: (call_expression function: (identifier) @guard arguments: (arguments . (string (string_fragment) @specifier)))) @import
  (#set! guard "require"))
((variable_declarator
  name: (object_pattern (pair_pattern key: (property_identifier) @imported value: (identifier) @alias))
  value: (call_expression function: (identifier) @guard arguments: (arguments . (string (string_fragment) @specifier)))) @import
  (#set! guard "require"))
((variable_declarator
  name: (identifier) @alias
  value: (member_expression
    object: (call_expression function: (identifier) @guard arguments: (arguments . (string (string_fragment) @specifier)))
    property: (property_identifier) @imported)) @import
  (#set! guard "require"))
((call_expression function: (identifier) @guard arguments: (arguments . (string (string_fragment) @specifier))) @import
  (#set! guard "require"))

; module.exports = a, module.exports = { a, b: c }, exports.a = b
((assignment_expression left: (member_expression) @guard right: (identifier) @imported) @export
  (#set! guard "module.exports") (#set! alias "export="))
((assignment_expression left: (member_expression) @guard right: (object (shorthand_property_identifier) @imported)) @export
  (#set! guard "module.exports"))
((assignment_expression
  left: (member_expression) @guard
  right: (object (pair key: (property_identifier) @alias value: (identifier) @imported))) @export
  (#set! guard "module.exports"))
((assignment_expression
  left: (member_expression object: (_) @guard property: (property_identifier) @alias)
  right: (identifier) @imported) @export
  (#set! guard "exports module.exports"))

; --- what lies around declarations

(export_statement "default") @outer.default
(export_statement declaration: (_)) @outer.exported
(decorator) @leading
(comment) @doc

; --- symbols without a type of their own

((export_statement value: [(arrow_function) (function_expression)] @function) @symbol.function
  (#set! name "default"))
((export_statement value: (class body: (_) @body)) @symbol.class (#set! name "default"))
((export_statement value: (object)) @symbol.constant (#set! name "default"))
(class name: (_) @name body: (_) @body) @symbol.class
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @symbol.class

((call_expression
  function: [
    (identifier) @guard
    (member_expression object: (identifier) @guard)
    (call_expression function: (member_expression object: (identifier) @guard))
  ]
  arguments: (arguments
    .
    [(string (string_fragment) @name) (template_string) @name]
    [(arrow_function) (function_expression)])) @symbol.function
  (#set! guard "it test specify") (#set! flag "test"))

; --- variables and parameters

(variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @bind.member) value: (_) @value)
(shorthand_property_identifier_pattern) @local
(pair_pattern value: (identifier) @local)
(array_pattern (identifier) @local)
(rest_pattern (identifier) @local)
(arrow_function parameter: (identifier) @local)
(function_expression name: (identifier) @local)
(catch_clause parameter: (identifier) @local)
(for_in_statement left: (identifier) @bind operator: "of" right: (_) @element)
(for_in_statement left: (identifier) @local)
(assignment_expression left: (member_expression object: (this)) @bind.field right: (_) @value)

; --- references

(call_expression function: (identifier) @ref.call arguments: (_) @arguments)
(call_expression
  function: (member_expression object: (_) @receiver property: (_) @ref.call)
  arguments: (_) @arguments)
(call_expression function: (super) @ref.call arguments: (_) @arguments)
(new_expression constructor: (identifier) @ref.new arguments: (_) @arguments)
(new_expression
  constructor: (member_expression object: (_) @receiver property: (_) @ref.new)
  arguments: (_) @arguments)
(new_expression constructor: (identifier) @ref.new)
(new_expression constructor: (member_expression object: (_) @receiver property: (_) @ref.new))
(decorator (identifier) @ref.decorator)
(decorator (member_expression object: (_) @receiver property: (_) @ref.decorator))

(arguments [(spread_element) @many (comment) @uncounted]) @list

(assignment_expression left: (identifier) @ref.write)
(assignment_expression
  left: (member_expression object: (_) @receiver property: (_) @ref.write))
(augmented_assignment_expression left: (identifier) @ref.write)
(augmented_assignment_expression
  left: (member_expression object: (_) @receiver property: (_) @ref.write))
(update_expression argument: (identifier) @ref.write)
(update_expression
  argument: (member_expression object: (_) @receiver property: (_) @ref.write))

(member_expression object: (_) @receiver property: (_) @ref.read)
(shorthand_property_identifier) @ref.read
