# Profiles of the Parboil suite, and one that is given, with annotated kernels and without.
litscope cost adsm-programs
for annotate in 0 1; do
  litscope cost adsm-programs -params "profile=in/8M+out/1M!|read:in;3(2(call:100);peek:out:4);load:in;poke:in:3;call:7;dump:out,annotate=$annotate" -csv |
    sed -n '1,5p'
done
# One accelerator and two, one after the other and side by side: batch-update moves what a call takes alone.
for profile in 'a/8M!+b/8M!|4(fill:a;fill:b;call:3000;call:3000;load:a;load:b)' \
  'a/8M!+b/8M!@2|4(fill:a;fill:b;call:3000;call:3000@2;load:a;load:b)' \
  'a/8M!+b/8M!@2|4(fill:a;start:3000;fill:b;start:3000@2;wait;load:a;wait@2;load:b)'; do
  litscope cost adsm-programs -csv -params "profile=$profile" | grep -E '^(Slow|Bytes|Where)'
done
