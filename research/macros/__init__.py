"""Research macros: a question, the shape of its answer, and the verbs that may follow from the answer."""
