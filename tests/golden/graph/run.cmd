# A run as a picture: a device-wide flush reaches the L1 of each work-group, heads of arrows are drawn after what
# could cover them, and the picture is as wide as its lanes.
litscope verify -mapping rsp-original -o $TMP/v -svg litmus/rsp/RSP_Test2.litmus >$TMP/log
picture=$TMP/v/RSP_Test2-rsp-original-trace.svg
xmllint --noout $picture
grep -o '<svg [^>]*>' $picture
grep -A 4 'FLU_L1 DV' $picture
# A ground never lies over what is drawn at an earlier step's height.
perl -0ne 'while (/class="ground" x="\d+" y="(\d+)" width="\d+" height="(\d+)".*?\n.*?\n.*?(?:y1|cy)="(\d+)"/g) {
  print "ground down to ", $1 + $2, " over an arrow at $3\n" if $1 + $2 > $3 - 4 or $1 < $3 - 30 + 4 }' $picture
# Labels of fr can be read on white: a contrast of at least 4.5 (WCAG).
litscope check -o $TMP/g -svg -through invalid litmus/rsp/RSP_Test2.litmus >$TMP/log
perl -ne 'sub l { my ($c) = @_; $c /= 255; $c <= 0.03928 ? $c / 12.92 : (($c + 0.055) / 1.055) ** 2.4 }
  print "$2 on white: ", (1.05 / (0.2126 * l(hex substr $1, 1, 2) + 0.7152 * l(hex substr $1, 3, 2) + 0.0722 * l(hex substr $1, 5, 2) + 0.05) >= 4.5 ? "fine\n" : "too little\n")
    if /<text .*fill="(#[0-9a-f]{6})">(fr|rf|po|gsw|device 0)</' $TMP/g/*.svg | sort -u
