litscope check nothing.litmus
