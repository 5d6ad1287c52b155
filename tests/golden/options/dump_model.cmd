litscope -dump model -model sc | sed -n '1p; /acyclic/s/ [0-9]* / N /p'
