# An initial write is no race with itself, whether a model of the 2015 herd excludes `wi`, `thd` or takes `ext`.
litscope check -model tests/golden/herd/legacy_initial.cat tests/golden/herd/one_load.litmus | grep -E '^(Flag|Bad|Obs)'
