litscope chekc litmus
