#!/bin/sh
# SPDX-License-Identifier: MIT
# The regression of herd7's catalogue c11popl15 (Vafeiadis et al., POPL 2015): which outcomes its variants of C11 allow,
# and which tests race under them, as regression.py expects it. Its genmodel.py makes the models.
# usage: tests/suites/c11popl15.sh FOLDER             (LITSCOPE: the program, else ./litscope); needs python3
set -eu
folder=${1:?usage: tests/suites/c11popl15.sh FOLDER}
litscope=${LITSCOPE:-./litscope}
models=$(mktemp -d)
trap 'rm -r "$models"' EXIT
all=0 agree=0

# make_model RF SC RS ST: the template's choices; a model is made once
make_model() {
  model=$models/$1-$2-$3-$4.cat
  [ -s "$model" ] || (cd "$folder" && python3 genmodel.py --herd7 --input c11.cat7-template --RF "$1" --SC "$2" --RS "$3" \
    --ST "$4" --output -) >"$model"
}

# ask EXPECTED TEST: is it as expected under the model made last?
ask() {
  all=$((all + 1))
  if ! "$litscope" check -q -fail-on nothing -I "$folder" -model "$model" "$folder/tests/illustrative/$2" \
    >"$models/log" 2>/dev/null; then
    echo "no answer: $2 under $(basename "$model")"
    return
  fi
  case $1 in
    Pass) pattern='^Ok$' ;;
    Fail) pattern='^No$' ;;
    Race) pattern='^Bad executions ([1-9]' ;;
  esac
  if grep -q "$pattern" "$models/log"; then agree=$((agree + 1)); else echo "not expect$1: $2 under $(basename "$model")"; fi
}

# The lines of regression() and the tests of Appendix A, which it asks under every model.
sed -n '/^def regression/,/^def variants/s/^ *expect\(....\)(path_of_test("\([^"]*\)"), \*\([a-z_]*\))$/\1 \2 \3/p' \
  "$folder/regression.py" >"$models/questions"
while read -r expected test name; do
  case $name in
    std) make_model ConsRFna SCorig RSorig STorig ;;
    naive) make_model Naive SCorig RSorig STorig ;;
    arfna | arfna_speedcheck) make_model Arfna SCorig RSorig STorig ;;
    rseq) make_model ConsRFna SCorig RSnew STorig ;;
    arf) make_model Arf SCorig RSorig STorig ;;
    m)
      for rf in ConsRFna Naive Arf Arfna; do
        for rest in "SCorig RSorig STorig" "SCorig RSorig STnew" "SCorig RSnew STorig" "SCorig RSnew STnew" \
          "SCnew RSorig STorig" "SCnew RSorig STnew" "SCnew RSnew STorig" "SCnew RSnew STnew"; do
          # shellcheck disable=SC2086
          make_model $rf $rest
          ask "$expected" "$test"
        done
      done
      continue
      ;;
  esac
  ask "$expected" "$test"
done <"$models/questions"
echo "$agree of $all answers of c11popl15 agree"
[ "$all" -gt 0 ] && [ "$agree" = "$all" ]
