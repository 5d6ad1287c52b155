# The Linux kernel's operations, by macros, with their annotations as a Bell file declares them; locks, sections and
# pointers have herd7's counts.
cd tests/golden/linux
run() { litscope check -I . -bell linux.bell -macros linux.def -model linux.cat "$@"; }
run ops.litmus locks.litmus sections.litmus pointers.litmus
run -variant lkmmv2 ops.litmus
# To compare is no dependency, as in herd7: neither the write nor what hangs on the result depends on what is expected.
run compared.litmus
litscope check -macros linux.def -dump program ops.litmus locks.litmus sections.litmus
