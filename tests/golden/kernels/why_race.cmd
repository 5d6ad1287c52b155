# -why of a kernel is about the one execution that its verdict is of, however many others there are
litscope check -why litmus/kernels/lock_group.cl | grep -A 2 -m 1 ^Why
