# SPDX-License-Identifier: MIT
# The AMD machine against the second one (amd_machine.pl): the same states, counted, the same outcomes, and as often
# stuck; and with partial-order reduction, which the second one has not, the same but fewer states.
#
#   amd_compare.pl MOST KNOBS TEST.litmus...
#
# With reductions, which both have, and without, where the explorer counts no more than MOST states; MOST 0: with
# reductions only, all tests; MOST `outcomes`: outcomes and hazards only, the small machine's without reductions, which
# it has for threads without loops alone; MOST `por`: the explorer alone, with partial-order reduction and without, where
# it then counts no more than 20000 states.
use strict;
use warnings;
my ($most, $knobs, @files) = @ARGV;
my @knobs = split /,/, $knobs;
my ($compared, $unreduced, $failed, $states) = (0, 0, 0, 0);

sub compare_outcomes {
  my ($file) = @_;
  my $log = `litscope explore -q @{[@knobs ? '-knob ' . join ',', @knobs : '']} $file 2>&1`;
  my ($found) = $log =~ /^States-explored (\d+)/m or die "$file: $log";
  my $naive = `perl tests/naive/amd_machine.pl @knobs $file 2>&1`;
  my ($all, $dead, $early, @outcomes) = split /\n/, $naive;
  my ($explored, $wanted) = (ordered(grep { /^\S.*=.*;$/ } split /\n/, $log), ordered(@outcomes));
  $_ .= "\nhazard" for ($log =~ /^Hazard/m ? $explored : ()), (($early // '') =~ / [1-9]/ ? $wanted : ());
  $compared++;
  $states += $found;
  return if $explored eq $wanted && ($early // '') =~ /^hazards/;
  $failed = 1;
  print "$file @knobs\nthe explorer:\n$explored\nthe small machine:\n$naive\n";
}

sub ordered { return join "\n", sort map { join ' ', sort map { "$_;" } split /;\s*/ } @_ }

# States, whether it can be stuck, whether there is a hazard, outcomes.
sub explore {
  my ($options, $knob, $file) = @_;
  my $log = `litscope explore -q $options @{[$knob ? "-knob $knob" : '']} $file 2>&1`;
  my ($found) = $log =~ /^States-explored (\d+)/m or die "$file: $log";
  return ($found, $log =~ /^Deadlocks [1-9]/m ? 1 : 0, $log =~ /^Hazard/m ? 1 : 0, ordered(grep { /^\S.*=.*;$/ } split /\n/, $log));
}

sub compare {
  my ($file, $reduced, $unbounded) = @_;
  my $knob = join ',', @knobs, $reduced ? () : 'reduce=0';
  my $bound = $most && !$unbounded ? "-max-states " . ($most + 1) : '';
  my ($found, $stuck, $hazard, $explored) = explore("-no-por $bound", $knob, $file);
  return if $bound && $found > $most;
  my ($fewer, @same) = explore('', $knob, $file);
  my $naive = `perl tests/naive/amd_machine.pl @{[$reduced ? 'reduced' : '']} @knobs $file 2>&1`;
  my ($all, $dead, $early, @outcomes) = split /\n/, $naive;
  my $wanted = ordered(@outcomes);
  $compared++;
  $unreduced += !$reduced;
  $states += $found;
  my $counts = "states $found stuck $stuck hazard $hazard";
  my $others = ($all // '') . ' ' . ($dead // '') =~ s/ [1-9].*/ 1/r . ' ' . ($early // '') =~ s/s (\d+)/$1 ? ' 1' : ' 0'/er;
  s/^states \d+ // for $hazard ? ($counts, $others) : (); # which states come after a hazard is not agreed on
  my $agrees = $explored eq $wanted && $fewer <= $found && "@same" eq "$stuck $hazard $explored";
  return if $agrees && $counts eq $others;
  # The explorer takes a fork where a condition is computed, the small machine where it branches, and until then keeps
  # lines for loads that do not come.  Without reductions both keep all.
  my ($number) = $others =~ /^states (\d+) /;
  return compare($file, 0, 1)
    if $agrees && $reduced && $found < ($number // 0) && $counts =~ s/^states \d+ //r eq $others =~ s/^states \d+ //r;
  $failed = 1;
  print "with partial-order reduction: states $fewer stuck $same[0] hazard $same[1]\n$same[2]\n";
  print "$file @knobs ", $reduced ? '' : 'without reductions', "\nthe explorer: $counts\n$explored\nthe small machine: $others\n$naive\n";
}

sub compare_orders {
  my ($file) = @_;
  my ($found, @full) = explore('-no-por -max-states 20001', join(',', @knobs), $file);
  return if $found > 20000;
  my ($fewer, @same) = explore('', join(',', @knobs), $file);
  $compared++;
  $states += $found;
  return if "@same" eq "@full" && $fewer <= $found;
  $failed = 1;
  print "$file @knobs\nwith partial-order reduction: states $fewer stuck $same[0] hazard $same[1]\n$same[2]\n";
  print "without: states $found stuck $full[0] hazard $full[1]\n$full[2]\n";
}

for my $file (@files) {
  if ($most eq 'por') {
    compare_orders($file);
    next;
  }
  if ($most eq 'outcomes') {
    compare_outcomes($file);
    next;
  }
  compare($file, 1);
  compare($file, 0) if $most;
}
print "$compared comparisons, $unreduced without reductions, of $states states\n";
exit $failed;
