# Operands that C leaves in any order are taken from left to right, as if written one after the other, and a
# warning says so.  herd7 relates them by no program order: 0:r0=1 too.  What C does order gets no warning.
dir=tests/golden/herd
litscope check -model rc11 $dir/operands.litmus $dir/operands_as_written.litmus | grep -e ';$' -e ^Obs
