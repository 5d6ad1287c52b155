litscope verify -mapping tests/mappings/languages/no-scope.xml litmus/c11/SB_sc.litmus
