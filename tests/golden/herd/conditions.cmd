# Control dependencies end where the arms of an `if` meet, and with a loop (litmus/README.md, "Dependencies"): in
# which of these does the write depend on the read?  All as in herd7.
dir=tests/golden/herd/conditions
litscope check -model $dir/depends.cat $dir/*.litmus | grep -e '^Flag' -e '^Observation'
