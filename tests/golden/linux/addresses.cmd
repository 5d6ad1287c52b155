# As in herd7: intptr_t holds addresses, a location's name is its address, any register may be followed, what only the
# condition names is 0, and `.litmus` is no part of a test's name.  The answers and the hash are herd7's.
litscope check -macros tests/golden/linux/linux.def -bell tests/golden/linux/linux.bell -model tests/golden/linux/linux.cat \
  tests/golden/linux/addresses.litmus
# Other languages refuse a name without a star: tests/errors/litmus/location-without-star.litmus.
