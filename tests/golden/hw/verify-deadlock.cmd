litscope verify -knob lock-rmw-taken=own-first tests/mappings/programs/UxD_UxD.litmus
litscope verify -knob lock-rmw-taken=own-first,evict-clean=yes tests/mappings/programs/UxD_UxD.litmus
