# What herd reads behind the threads: `final`, a bare condition, `observed` states, `with` kinds, whole arrays among the
# locations; before them ATOMIC_INIT and the results of threads.
litscope check tests/golden/herd/syn.litmus tests/golden/herd/syn2.litmus tests/golden/herd/syn3.litmus
