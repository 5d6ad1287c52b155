# What synth writes spares what it reads, its certificate too; that is said before the search.
cp mappings/rsp-original.xml $TMP/m
ln -s m $TMP/o.certificate
refused() {
  litscope "$@" 2>&1
  echo "status $?"
}
refused synth -q -family 3x3 -steps 6 -mapping $TMP/m -o $TMP/m
refused synth -q -family 3x3 -steps 6 -mapping $TMP/m -o $TMP/o
refused synth -q -family 3x3 -steps 6 -mapping $TMP/m -json $TMP/m
refused synth -q -family 3x3 -steps 6 -o $TMP/n -json $TMP/n
refused synth -q -family 3x3 -steps 6 -o $TMP/n -json $TMP/n.certificate
# Nor is a journal replaced; a file that is not there yet may have two names.
refused diff -q -model opencl,opencl-rsp -family 3x3 -journal $TMP/j -json $TMP/j
refused diff -q -model opencl -family 3x3 -journal $TMP/j -json $TMP/j
refused check -q -json $TMP/x -junit $TMP/./x litmus/c11/SB_sc.litmus
refused synth -q -family 3x3 -steps 6 -o -
refused diff -q -model opencl -family 3x3 -journal -
refused check -q -certify - litmus/c11/SB_sc.litmus
refused check -q -junit - litmus/c11/SB_sc.litmus
# Standard input may be a file.
cp litmus/c11/SB_sc.litmus $TMP/t.litmus
refused check -q -json $TMP/t.litmus - <$TMP/t.litmus
cmp litmus/c11/SB_sc.litmus $TMP/t.litmus && cmp mappings/rsp-original.xml $TMP/m
ls -A $TMP
