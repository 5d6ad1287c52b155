# plain: each kernel is run by a unit test, too
# Kernels under static policies and predictors, on inputs that are small: every answer is checked.
litscope cost amo-programs -csv -params size=128,n=8
