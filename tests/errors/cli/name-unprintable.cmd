litscope check "$(printf 'no\033[31msuch\377.litmus')"
