litscope check -q -show all -nshow 1 -o $TMP/a/b litmus/rsp/WSQ1.litmus >/dev/null; ls $TMP/a/b
