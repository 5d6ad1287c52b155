# What is wrong with a profile, and where.
deep=fill:a
for _ in 1 2 3 4 5 6 7 8 9; do deep="1($deep)"; done
for profile in '' 'a' 'a/' 'a/5G' 'a/9999999999' 'a/1+b/1+c/1+d/1+e/1+f/1+g/1+h/1+i/1|fill:a' 'a/4M' 'a/4M|' 'a/4M|fill' \
  'a/4M|fill:b' 'a/4M|eat:a' 'a/4M|peek:a:0' 'a/4M|cpu:x' 'a/4M|3fill:a' 'a/4M|3(fill:a' 'a/4M|fill:a)' "a/4M|$deep" \
  'a/1@5|fill:a' 'a/1|start:1;fill:a;wait' 'a/1|start:1' 'a/1|wait' 'a/1|2(start:1)' 'a/4M|9999999(2(call:1))' 'a/4096M|fill:a'; do
  litscope cost adsm-programs -params "B=512,profile=$profile" 2>&1
  echo "status $?"
done
