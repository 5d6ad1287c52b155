# Types of 128 bits are taken, with a warning, and hashed as herd7 does.
litscope check -model sc tests/golden/herd/wide.litmus | grep -v ^Time
