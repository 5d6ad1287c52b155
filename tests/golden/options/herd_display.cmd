# herd7's options of pictures and viewers are passed over with a warning, with the words that follow them.
litscope check -dotmode plain -evince -edgemerge true -view gv -squished true -web litmus/c11/SB_sc.litmus | head -1
litscope check -q -dotmode plain litmus/c11/SB_sc.litmus | head -1
printf 'view gv\nfontsize 8\nsquished true\n' >$TMP/herd.cfg
litscope check -conf $TMP/herd.cfg litmus/c11/SB_sc.litmus | head -1
# What asks for another answer is not.
litscope check -c11 litmus/c11/SB_sc.litmus
