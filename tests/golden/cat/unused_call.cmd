# A definition that nothing uses may call a predefined function wrongly: a warning, and the model answers.
printf '"mine"\nlet unused = fencerel(po)\nacyclic po | rf\n' >"$TMP/mine.cat"
litscope check -model "$TMP/mine.cat" litmus/c11/CoRR.litmus | grep Observation
