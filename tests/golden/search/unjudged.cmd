# Programs of which the model meets its limit may be racy or not, and are counted as neither.
litscope verify -family 2x1 -max-events 2 | grep -v -e ^Time -e ^$
litscope verify -family 2x1 | grep -v -e ^Time -e ^$
litscope verify -family 2x1 -max-events 2 -json $TMP/json >/dev/null
tr ',' '\n' <$TMP/json | grep -e racy -e race_free -e undecided
# In parts, too.
litscope verify -family 2x1 -max-events 2 -journal $TMP/journal | grep -e ^Rac -e ^Und
