# Where no program has a meaning there is nothing to do, and that has an end.
echo 'Wxn | Rxn' >$TMP/racy
litscope verify -family $TMP/racy -mapping opencl-ptx
litscope verify -family $TMP/racy -mapping opencl-ptx -ablate -journal $TMP/journal
grep '^of' $TMP/journal
# A file without a program has lost them.
echo '# programs' >$TMP/empty
litscope verify -family $TMP/empty -mapping opencl-ptx
