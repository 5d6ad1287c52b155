litscope run -params help
