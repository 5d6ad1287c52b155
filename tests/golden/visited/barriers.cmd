# Axioms behind `with` prune: of what a model in C or the interpreter decides in
# the end, hopeless candidates are dropped before (14,424 of them once).
litscope check -stats -model opencl-rsp,hrf-rsp,hrf-rsp-native tests/golden/visited/barriers.litmus 2>&1 |
  sed -n 's/^Stats \(.*\) (ratio.*/\1/p'
