; Elements, where the grammar has them.

(jsx_opening_element name: (identifier) @ref.component)
(jsx_opening_element name: (member_expression object: (_) @receiver property: (property_identifier) @ref.component))
(jsx_self_closing_element name: (identifier) @ref.component)
(jsx_self_closing_element name: (member_expression object: (_) @receiver property: (property_identifier) @ref.component))
(jsx_closing_element name: (identifier) @ignore)
(jsx_closing_element name: (member_expression property: (property_identifier) @ignore))
