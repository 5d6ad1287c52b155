# What is wrong in the comments before a kernel: one message each, at its place.
cp litmus/kernels/message_device.spvasm $TMP/base
while read -r name edit; do
  sed "$edit" $TMP/base >$TMP/$name.spvasm
  litscope check $TMP/$name.spvasm >/dev/null
  echo "$name: $?"
done <<'END'
no_name s/%data = {0}/{0}/
no_value s/%data = {0}/%data {0}/
much s/%data = {0}/%data = 99999999999999999999999/
deep s/%data = {0}/%data = {{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{0/
many_indices s/%out\[0\] == -1/%out[0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0] == -1/
nested s/(%out\[0\] == -1/not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not not (%out[0] == -1/
no_quantifier s/forall/always/
short_config s/1, 1, 2/1, 1/
no_items s/1, 1, 2/1, 0, 2/
many_items s/1, 1, 2/64, 64, 2/
unknown s/@Config:/@Size:/
two_kinds s/^; @Config.*/&\n; @Output: exists (%flag[0] == 1)/
no_input /%flag = {0}/d
no_object s/%flag = {0}/%flags = {0}/
in_braces s/%out = {-1}/%out = {{{-1}}}/
too_many s/%out = {-1}/%out = {{-1, 0}}/
twice s/%out = {-1}/%data = {1}/
numbers s/1, 1, 2/2/
own_value s/%out\[0\] == 1/%id == 1/
no_times s|%out = {-1}|%out = {-1 * 0}|
many_times s|%out = {-1}|%out = {0 * 200000, {0 * 2} * 70000}|
writes s|^; @Config.*|&\n; @Options: -DN -o /tmp/out|
END
