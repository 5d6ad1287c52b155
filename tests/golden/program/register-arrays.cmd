litscope check -dump program tests/golden/program/register-arrays.litmus
