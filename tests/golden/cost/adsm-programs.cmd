# Profiles of the Parboil suite, and one that is given, with annotated kernels and without.
litscope cost adsm-programs
for annotate in 0 1; do
  litscope cost adsm-programs -params "profile=in/8M+out/1M!|read:in;3(2(call:100);peek:out:4);load:in;poke:in:3;call:7;dump:out,annotate=$annotate" -csv |
    sed -n '1,5p'
done
