litscope explore -machine amo -knob policy=near litmus/c11/Inc2.litmus
