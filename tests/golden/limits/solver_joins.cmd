# plain: the solver's engine goes through the same code in tests of a few threads
# What the solver is told of a program grows with its branches and rounds, not with its paths, of which one thread of a
# queue has tens of thousands: threads whose branches have come to the same go on as one.
litscope check -q -engine solve tests/golden/limits/queue.litmus | grep -v ^Time
