# An initial write is no race with itself, whether a model of the 2015 herd excludes `wi`, `thd`, takes `ext`,
# or relates what is of inclusive scope: initial writes have that of their work-item there.
litscope check -model tests/golden/herd/legacy_initial.cat tests/golden/herd/one_load.litmus | grep -E '^(Flag|Bad|Obs)'
