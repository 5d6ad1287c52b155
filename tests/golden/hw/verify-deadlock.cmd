litscope verify -knob lock-rmw-taken=own-first tests/mappings/programs/UxD_UxD.litmus
