# What a file of parts says is of this litscope, whole and consistent, or one hears of it.
sums=$PWD/tests/add_checksums
file() { # VERSION LINE...
  printf 'litscope-parts 4\nversion %s\ncommand diff -model opencl,sc -family 2x1\nfiles %s\n' "$1" "$digest" >lines
  shift && printf '%s\n' "$@" >>lines && "$sums" <lines
}
cd $TMP
version=$(litscope -version | cut -d ' ' -f 2)
line='diff -model opencl,sc -family 2x1'
litscope $line -shard 1/1 -q >one
digest=$(sed -n 's/^files [0-9a-f]* //p' one)
file 0.0.1 'of 1' >old && litscope merge old
sed 's/^command ./command ?/' one >head && litscope merge head
sed 's/^part ./part ?/' one >part && litscope merge part
file $version 'of 4' >four && litscope merge one four
file $version 'part 0 something else' >other && litscope merge one other
