# SPDX-License-Identifier: MIT
# What the page's menu says of papers' findings (checker/page/findings.tsv) is what
# litscope answers.
exec perl - <<'PERL'
use strict;
use warnings;
use JSON::PP;

sub results {
  my $json = "$ENV{TMP}/result.json";
  my $log = do { open my $out, '-|', 'litscope', @_, '-json', $json or die "litscope: $!\n"; local $/; <$out> };
  open my $in, '<', $json or die "$json: $!\n";
  return @{decode_json(do { local $/; <$in> })->{results}};
}

my ($wrong, $lines) = (0, 0);
open my $in, '<', 'checker/page/findings.tsv' or die;
while (<$in>) {
  next if /^#/;
  chomp;
  my ($title, $where, $address, $answers, $said) = split /\t/;
  my %asked = map { my ($name, $value) = split /=/; $name => $value // '' } split /&/, $address;
  my $test = "litmus/$asked{test}.litmus";
  my @variant = $asked{variant} ? ('-variant', $asked{variant}) : ();
  my @models = $asked{models} ? ('-model', $asked{models}) : ();
  my @found = map { "$_->{model} " . ($_->{bad} ? 'Undefined' : $_->{observation}) } results('check', @models, @variant, $test);
  for my $machine (split /,/, $asked{machines} // '') {
    my ($first) = split /,/, $asked{models} // '';
    push @found, map { "$machine $_->{answer}" } results('verify', '-mapping', $machine, $first ? ('-model', $first) : (), @variant, $test);
  }
  push @found, map { "$_->{scheduler} $_->{answer}" } results('progress', $test) if exists $asked{progress};
  my $found = join '; ', @found;
  print "$title: $found\n" and $wrong = 1 if $found ne $answers || $said !~ /\.$/;
  $lines++;
}
die "only $lines findings\n" if $lines < 10;
exit $wrong;
PERL
