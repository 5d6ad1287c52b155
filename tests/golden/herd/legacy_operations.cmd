# As the language has it: fetch_sub subtracts (the 2015 herd adds), and a strong compare-and-swap fails on whatever it
# does not expect (there only on 1 where 0 is expected, and on 0 else).
litscope check -model opencl-rsp-published tests/golden/herd/legacy_operations.litmus
