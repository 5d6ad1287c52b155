# Assembly that the machine cannot run: refused, never skipped.
litscope explore tests/compilers/errors/*.litmus
