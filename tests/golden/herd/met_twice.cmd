# One label twice in a thread is one barrier met twice, as in a loop: the rounds meet each other.
litscope check tests/golden/herd/met_twice.litmus
