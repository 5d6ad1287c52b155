cd tests/mappings/languages && litscope verify -mapping ptx-weak-fence ../../../litmus/c11/SB_sc.litmus
