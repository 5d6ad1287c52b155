litscope synth all
