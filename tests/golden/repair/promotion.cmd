# plain
# The twelve tests of remote-scope promotion, which ask for different things: what each needs, or that nothing helps (11 has an
# outcome that no memory forbids, and 12 is of a condition that always holds); and how those that race are freed of it.
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do litscope repair -q -every 0 litmus/rsp/RSP_Test$i.litmus | awk '/^Not/ { exit } /^(Repair|  P)/'; done
for i in 4 7 9 12; do litscope repair -q -every 0 -want race-free litmus/rsp/RSP_Test$i.litmus | awk '/^Not/ { exit } /^(Repair|  P)/'; done
