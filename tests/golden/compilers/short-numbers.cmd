# Numbers of 16 bits, sums that saturate, and a double.
litscope explore tests/compilers/short_numbers.litmus | sed -n 3p
litscope explore tests/compilers/short_numbers.litmus | grep Observation
