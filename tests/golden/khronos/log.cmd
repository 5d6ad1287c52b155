# Khronos' tests are read as they are, by their file's name; assertions stand in the log, and one that is false makes it No.
litscope check tests/golden/khronos/mp.test tests/golden/khronos/mp_stale.test
