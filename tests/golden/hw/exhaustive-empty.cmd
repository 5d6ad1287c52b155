# Of no programs there is nothing to do, and that has an end.
: >$TMP/empty
litscope verify -family $TMP/empty -mapping opencl-ptx
litscope verify -family $TMP/empty -mapping opencl-ptx -ablate -journal $TMP/journal
grep '^of' $TMP/journal
