# The Linux kernel's operations, by macros, with their annotations as a Bell file declares them; locks, sections and
# pointers have herd7's counts.
cd tests/golden/linux
run() { litscope check -I . -bell linux.bell -macros linux.def -model linux.cat "$@"; }
run ops.litmus locks.litmus sections.litmus pointers.litmus
run -variant lkmmv2 ops.litmus
# To compare is no dependency, as in herd7: neither the write nor what hangs on the result depends on what is expected.
run compared.litmus
# SRCU's sections as events with values of their own, as the kernel's model had them up to Linux 6.3: herd7's counts,
# flags and numbers.
litscope check -bell srcu.bell -model srcu.cat srcu.litmus srcu_matched.litmus srcu_crossed.litmus
litscope check -macros linux.def -dump program ops.litmus locks.litmus sections.litmus srcu.litmus
# An exchange has a fence before and one after, which on all paths are in that order, also where the solver makes those of
# two paths one.
cat >$TMP/fences.cat <<'END'
"fences"
let fence = po; [Mb]; po
acyclic po-loc | rf | co | fr as coherence
empty rmw & (fre; coe) as atomicity
acyclic fence | rfe | fre | coe as order
END
for engine in enumerate solve; do
  litscope check -I . -bell linux.bell -macros linux.def -model $TMP/fences.cat -engine $engine exchanged.litmus | sed -n '/^States/,/^Ok/p'
done
