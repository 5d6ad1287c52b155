# What is kept in a narrow type fits it: plainly stored, by a read-modify-write, in a register, at first.
litscope check -model sc tests/golden/herd/narrow.litmus | head -3
litscope explore -machine sc tests/golden/herd/narrow.litmus | head -3
