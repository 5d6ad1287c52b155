# Threads that go round, until they see something or for ever; addresses that are known only when they are used.
litscope explore tests/compilers/loops/*.litmus | grep -vE '^(Time|Hash|Witnesses|Bad)'
