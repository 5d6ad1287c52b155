# SPDX-License-Identifier: MIT
# Both engines agree: on all shipped tests that the solver can be asked about, and on random programs with and without
# loops under models of several kinds, `-engine solve` and `-engine enumerate` give the same answer, the same flags of
# undefined behaviour, and say of the same tests that a bound on loops has cut executions.  (tests/run compares the
# solver with the naive engine.)  ENGINES_TESTS and ENGINES_SEED choose other random programs.
# slow
set -u
generate="$BUILD/tests/naive/generate"
tests=${ENGINES_TESTS:-30} seed=${ENGINES_SEED:-31}
status=0
compare() { # MODEL OPTIONS FILE...
  perl - "$@" <<'END' || status=1
use strict;
use warnings;
my ($model, $options, @files) = @ARGV;
$options .= " -model $model" if $model ne 'default';
sub answers {
  my ($engine) = @_;
  my ($files, %of) = join ' ', @files;
  my $log = `litscope check -q -j 1 -fail-on nothing $options -engine $engine $files 2>"\$TMP/err"`;
  for my $entry (split /(?=^Test )/m, $log) {
    my ($name) = $entry =~ /^Test (\S+)/ or next;
    my ($answer) = $entry =~ /^((?:Loop )?(?:Ok|No)|Undecided.*|Undef)/m;
    $of{$name} = join ' ', $answer // 'nothing', sort map { s/ .*//r } $entry =~ /^Flag (\S+)/mg;
  }
  return %of;
}
my %counted = answers('enumerate');
my %found = answers('solve');
my ($wrong, $same) = (0, 0);
for my $test (sort keys %found) {
  next if $counted{$test} eq $found{$test} && ++$same;
  print "$test under $model: enumerate says '$counted{$test}', solve '$found{$test}'\n";
  $wrong = 1;
}
print "nothing was compared under $model\n" if !$same;
exit($wrong || !$same);
END
}
for folder in c11 opencl rsp museum loops; do
  files=$(ls litmus/$folder/*.litmus | grep -v 'Lock_TTAS\|Queue_1_3')    # too many paths to be tried here
  compare default '' $files
done
for entry in 'c:rc11 sc' 'opencl:opencl opencl-rsp hrf-indirect rc11-scoped' 'c -waits yes:rc11 sc' 'opencl -waits yes:rc11-scoped' \
  'opencl -circles yes:opencl-rsp'; do
  language=${entry%%:*}
  folder="$TMP/$(echo "$language" | tr -d ' -')"
  mkdir "$folder"
  # shellcheck disable=SC2086
  "$generate" -language $language -o "$folder" "$seed" "$tests"
  for model in ${entry#*:}; do compare "$model" -force "$folder"/*.litmus; done
done
exit $status
