# What another way than the usual one rounds may be anything, but is what it is where nothing is rounded.
for condition in 'forall (%f[1] == 3.5)' 'exists (%f[0] == 16777216.0)' 'exists (not %f[0] == 16777216.0)' 'exists (not %d[0] == 9007199254740992.0)'; do
  echo "$condition"
  litscope check -q -output "$condition" tests/golden/kernels/rounds.spvasm | grep '^[ON]'
done
