# Threads that a filter names are not alike, though no state shows them: what every candidate says, pruned or not.
litscope check tests/golden/visited/twins_filter.litmus | grep -v '^Time'
litscope check -prune false tests/golden/visited/twins_filter.litmus | grep Observation
