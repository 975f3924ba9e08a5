; Every other identifier is read. Comes last: what says more of a name stands before.
(identifier) @ref.read
