; What C++ does not have of C, or calls otherwise. The captures are explained in language-spec.ts.
(parameter_list (variadic_parameter) @many) @list
