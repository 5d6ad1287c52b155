# small programs of the kernel: a cycle as a test, and what tells a model from sequential consistency
cd tests/golden/linux
litscope gen -cycle 'PodWW Rfe FencedRR Fre' -language linux -o $TMP/tests
cat $TMP/tests/*.litmus
litscope check -q -bell linux.bell -model linux.cat $TMP/tests/*.litmus
litscope diff -bell linux.bell -model linux.cat,sc 'Wxar1 Fa Wyar2|Ryar Rxar' 'Wxar1 Wyar2|Ryar ! &Rxar' 'Uxa1 Rya|Uya2 Rxa'
litscope diff -bell linux.bell -model linux.cat,sc -family 2x2,language=linux,orders=rlx,fences,locations=2 | head -12
litscope diff -bell linux.bell -model linux.cat,sc -family 2x2,language=linux,scopes=dev
litscope diff -bell linux.bell -model linux.cat,sc -family 2x2,language=linux,orders=sc
litscope diff -model linux.cat,opencl -family 2x2
