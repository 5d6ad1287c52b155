# Two work-groups of 2x2, beside each other and below each other; the module's size says how four in a row lie, or, with
# nothing else, how many there are; of a size that is not the module's there is a warning.
shape() {
  echo "$1 $2"
  litscope check "$@" -input 'ids = {{9, 9, 9, 9, 9, 9, 9, 9}}' -input 'sums = {9, 9}' tests/golden/kernels/shape.spvasm |
    sed -n '/^States/,/^\(Ok\|No\)/p'
}
all='exists (ids[0][0] == 1 or ids[0][1] == 1 or ids[0][2] == 1 or ids[0][3] == 1 or ids[0][5] == 1 or sums[0] == 1)'
shape -config 2x2,1,2 -output "$all"
shape -config 2x2,1,1x2 -output "$all"
shape -config 2,2,2 -output "$all"
shape -config 1,2x2,1 -output "$all"
shape -config 4x1,1,1 -output "$all"
shape -output "$all"
shape -config 2,1,1 -output "$all"
shape -config 1x2x2,1,1 -output "$all"
for wrong in 2x,1,1 2x2x2x2,1,1 2x,1 64x64x2,1,1 64,64x2,1; do shape -config $wrong; done
