# Numbers of 16 bits, and sums that saturate.
litscope explore tests/compilers/short_numbers.litmus | sed -n 3p
litscope explore tests/compilers/short_numbers.litmus | grep Observation
