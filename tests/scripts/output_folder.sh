# SPDX-License-Identifier: MIT
# What -o is given is never left: whatever a test or model is called, and
# whatever links lie in the folder.  Two tests of one name have files of their own.
set -eu
cd "$TMP"
root=$OLDPWD
mkdir tests outside
write() { # FILE NAME
  {
    echo "OpenCL $2"
    tail -n +2 "$root/litmus/rsp/RSP_Test2.litmus"
  } >"tests/$1.litmus"
}
write 1 ../outside/up
write 2 /outside
write 3 ..
write 4 Same
write 5 Same
write 6 "$(printf 'L%.0s' $(seq 400))"
write 7 'a;b&c|$(d)"e'
sed 's/^"[^"]*"/"a model"/' "$root/models/sc.cat" >'outside/..model.cat'
find . -path ./folder -prune -o -type f -print | grep -vx ./before | sort >before

for command in 'check -show all -through all -model rc11,outside/..model.cat' \
  "verify -mapping rsp-original -svg" 'report -mapping rsp-original'; do
  rm -rf folder
  echo untouched >outside/target
  mkdir folder
  for name in Same-rc11-0.dot Same-rsp-original-trace.svg index.html; do ln -s ../outside/target folder/$name; done
  ln outside/target folder/Same-rc11-1.dot
  # shellcheck disable=SC2086
  LITSCOPE_LIB=$root/models:$root/mappings litscope $command -o folder tests >log 2>err || [ $? = 1 ] || {
    cat err
    exit 1
  }
  [ "$(cat outside/target)" = untouched ] || { echo "$command: wrote through a link"; exit 1; }
  rm outside/target log err
  find . -path ./folder -prune -o -type f -print | grep -vx ./before | sort | diff before - || {
    echo "$command: wrote outside its folder"
    exit 1
  }
  find folder -name '.*' -type f | grep . && { echo "$command: left an unfinished file"; exit 1; }
  case $command in
    check*) ls folder/Same-rc11-1.dot folder/Same~2-rc11-1.dot folder/L*~*-rc11-1.dot ;;
    verify*) ls folder/Same-rsp-original-trace.svg folder/Same~2-rsp-original-trace.svg ;;
    report*) grep -c 'id="t-Same"' folder/index.html && grep -c 'id="t-Same~2"' folder/index.html ;;
  esac >log || { echo "$command: tests of one name overwrite each other"; ls folder; exit 1; }
  rm log
done
