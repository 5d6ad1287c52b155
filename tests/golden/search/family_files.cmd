# A file of programs in place of a family: what sweeps print is read again.
printf '# guarded and not\nWxn1 Wyd2|Ryd ! Rxn (wg 0,1 dev 0,0)\n\nWxn Wyw | Ryw ! Rxn (wg 0,0)\nWxD1|Uxw8 (wg 0,1)\nXaw|Caw = Ran (wg 0,0)\nWan B|B Ran (wg 0,0)\n' >$TMP/programs
litscope verify -mapping rsp-original,opencl-ptx -family $TMP/programs | grep -v '^Time'
litscope verify -mapping rsp-original -family $TMP/programs -json - | tr ',' '\n' | grep smallest
litscope diff -q -model hrf-rsp,opencl -family $TMP/programs
# Up to eight threads, of which families of a size have four.
printf 'Wxd1|Rxd|Rxd|Rxd|Wxd2\nWxd|Wxd|Wxd|Wxd|Rxd|Rxd|Fd|Fd (wg 0,0,1,1,2,3,4,7)\n' >$TMP/threads
litscope verify -mapping rsp-original -family $TMP/threads | sed -n '2,6p'
litscope diff -q -model opencl,sc -family $TMP/threads | tail -1
# Programs that differ in values alone are tests of their own.
printf 'Wxd1|Wxd1|Rxd Rxd\nWxd1|Wxd2|Rxd Rxd\n' >$TMP/values
litscope diff -q -model sc -family $TMP/values -o $TMP/tests | grep B-more
ls $TMP/tests
# Up to twelve operations in a thread; of a long program not every part is asked about, of which it has 16 million here.
cat >$TMP/long.cat <<'EOF'
"sequential consistency in which no chain of 24 operations has a read of the other thread in its middle"
acyclic po | rf | co | fr as sc
let five = po; po; po; po; po
empty five; five; po; rfe; po; five; five as long
EOF
echo 'Wxd Wxd Wxd Wxd Wxd Wxd Wxd Wxd Wxd Wxd Wxd Wyd|Ryd Ryd Ryd Ryd Ryd Ryd Ryd Ryd Ryd Ryd Ryd Ryd' >$TMP/long
# A name that is too long for a file is cut.
fences='Fd Fd Fd Fd Fd Fd Fd Fd Fd Fd Fd Fd'
echo "$(cat $TMP/long)|$fences|$fences|$fences|$fences|$fences|$fences" >$TMP/longer
litscope diff -q -model sc,$TMP/long.cat -family $TMP/longer -o $TMP/longer.tests >$TMP/log
sed -n '3,6p' $TMP/log
tail -1 $TMP/log | cut -d ' ' -f 13
ls $TMP/longer.tests
# As other systems write files; one device is not several, whatever its number.
printf '\357\273\277Wxn\tWyd|Ryd ! Rxn\t(wg 0,1 dev 1,1)\r\n \t\r\n\t# nothing\r\nWxd|Rxd\r\n' >$TMP/dos
litscope diff -q -model opencl,sc -family $TMP/dos | tail -1
# Lines that are no programs, or not of the language.
bad() {
  printf '%s\n' "$2" >$TMP/bad
  litscope diff -q -model $1 -family $TMP/bad && echo "accepted: $2"
}
bad opencl,sc 'Wxn Wyd | Ryd ! Qxn (wg 0,1)'
bad opencl,sc 'Wxn | Rxn (wg 0,1 dev 0,1'
bad opencl,sc 'Wxn | Rxn (wg 0,0 dev 0,1)'
bad opencl,sc 'Wxn | ! Rxn'
bad opencl,sc 'Wxn | Ryd != Rxn'
bad opencl,sc 'Wxn | Rxdl'
bad opencl,sc 'Wxn|Rxn|Rxn|Rxn|Rxn|Rxn|Rxn|Rxn|Rxn'
bad opencl,sc 'Wxn Wxn Wxn Wxn Wxn Wxn Wxn Wxn Wxn Wxn Wxn Wxn Wxn|Rxn'
bad opencl,sc 'Wxa | Rxn'
bad rc11,sc 'Wxn B | B Rxn'
bad ptx,sc 'Wxn | Xxd'
bad ptx,sc 'Wan | Ran'
bad ptx,sc 'Wxd | RxD'
bad ptx,sc 'Wxd | Rxdc'
bad vulkan,sc 'Wxd | Rxs'
bad vulkan,sc 'Wxd | Fdc Rxn'
bad rc11,sc 'Wxd | Rxn'
bad ptx,sc 'Rxn &Wyn | Ryn'
bad vulkan,sc 'Rxn &Wyn | Ryn'
litscope diff -q -model ptx,sc -family G2
litscope diff -q -model opencl,sc -family G2,orders=rlx
litscope diff -q -model opencl,sc -family $TMP/none
litscope verify -mapping rsp-original -family 2x1,language=ptx
