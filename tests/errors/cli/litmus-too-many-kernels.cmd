perl -e 'print "ADSM t\n{ x:1 }\n", (map { "kernel k$_ { x = 1; }\n" } 0 .. 4096), "P0 { }\nforall (x=1)\n"' >$TMP/kernels.litmus
perl -e 'print "ADSM t\n{ x:1 }\nkernel k(", join(",", map { "a$_" } 0 .. 4096), ") { }\nP0 { }\nforall (x=1)\n"' >$TMP/parameters.litmus
perl -e 'print "\"m\"\n", (map { "let r$_ = unknown$_\n" } 0 .. 4096), "acyclic po as c\n"' >$TMP/unknown.cat
litscope check $TMP/kernels.litmus $TMP/parameters.litmus
litscope check -model $TMP/unknown.cat litmus/c11/CoRR.litmus
