# Machines cut by a limit: undecided, and the status says so.
litscope verify -q -ablate -mapping rsp-original -max-states 4 >$TMP/out
status=$?
tail -6 $TMP/out | grep -v '^Time'
exit $status
