# Folders that links lead to in many ways are walked once, and those that tell of processes, from which links lead to
# this one, never; an index that names itself is a mistake, told once.
mkdir $TMP/d $TMP/e
cp litmus/rsp/RSP_Test2.litmus $TMP/d
ln -s . $TMP/d/a
ln -s . $TMP/d/b
ln -s ../d $TMP/d/c
ln -s /proc/self $TMP/d/own
litscope check -q $TMP/d | grep -c '^Test'
printf '@i\n@i\n@i\n' >$TMP/e/@i
litscope check $TMP/e/@i
