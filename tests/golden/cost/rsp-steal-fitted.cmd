# Ten rows fitted to published means: no longer shipped, but the simulation must stay exact on them.
litscope cost rsp-steal -csv -machine tests/golden/cost/rsp-fitted.xml
