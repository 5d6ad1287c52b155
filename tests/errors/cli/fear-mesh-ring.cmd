litscope cost fear-mesh -params k=5
