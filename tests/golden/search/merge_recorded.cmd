# What a file of parts says it is of is run again only where that can do nothing but compute and print.
sums=$PWD/tests/add_checksums
version=$(litscope -version | cut -d ' ' -f 2)
hostile() {
  printf 'litscope-parts 4\nversion %s\ncommand %s\nfiles 0\nof 1\n' "$version" "$1" | "$sums" >$TMP/hostile
  litscope merge $TMP/hostile
}
cd $TMP
echo 'secret' >secret.cat && cp secret.cat secret.xml && cp secret.cat 2x9
hostile 'diff -model opencl,opencl-rsp -family 2x1 -o stolen'
hostile 'verify -family 2x1 -json stolen'
hostile 'verify -family 2x1 -junit stolen'
hostile 'synth -o stolen'
hostile 'synth -check secret.cat'
hostile 'verify -family 2x1 -target gfx90a'
hostile 'verify -family 2x1 -compiler ./stolen'
hostile 'check -conf secret.cat'
hostile 'check -- secret.cat'
hostile 'diff -I . -model opencl,secret'
hostile 'diff -model opencl,secret'
hostile 'diff -model opencl,secret-sc:x'
hostile 'diff -model opencl,/dev/stdin'
hostile 'verify -family 2x1 -mapping secret'
hostile 'verify -family 2x1 -machine secret.xml'
hostile 'synth -cost secret'
hostile 'diff -model opencl,sc -family 2x9'
hostile 'verify -family ../secret'
hostile 'report -o x'
hostile 'run -emit opencl'
hostile 'merge hostile'
hostile 'help'
hostile "synth -cells $(printf '\033')[2J -journal x"
hostile "check -- it's\\_\\n\\\\"
ls
# What the caller names may write, but must be what the parts are of.
line='diff -model opencl,opencl-rsp -family 2x1 -json whole.json'
litscope $line >once
mv whole.json once.json
litscope $line -shard 1/1 -q >one
litscope merge one -- $line -j 1 | cmp - once && cmp whole.json once.json && echo the same
litscope merge one -- diff -model opencl,opencl-rsp -family 2x1
litscope merge one -- report -o x
litscope merge -- $line
