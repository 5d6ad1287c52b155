# plain
# Floats are compared as numbers, with each other and with constants: every pair of these, and every comparison, as Perl has it.
cat >$TMP/ask.pl <<'END'
my @numbers = ('-2.5', '-1e-9', '-0.0', '0', '0.5', 'inf', 'nan');
my %holds = ('==' => sub { $_[0] == $_[1] }, '!=' => sub { $_[0] != $_[1] }, '<' => sub { $_[0] < $_[1] },
             '<=' => sub { $_[0] <= $_[1] }, '>' => sub { $_[0] > $_[1] }, '>=' => sub { $_[0] >= $_[1] });
my ($right, $wrong) = (0, 0);
for my $a (@numbers) {
  for my $b (@numbers) {
    my @conditions;
    my ($x, $y) = map { $_ eq 'inf' ? 9**9**9 : $_ eq 'nan' ? -sin(9**9**9) : $_ + 0 } $a, $b;
    for my $word (sort keys %holds) {
      my $not = $holds{$word}->($x, $y) ? '' : 'not ';
      push @conditions, "$not%out[0] $word %out[1]", "$not%long[0] $word %long[1]";
      push @conditions, "$not%out[0] $word $b", "$not%long[0] $word $b" if $b !~ /[a]|inf/;
      push @conditions, "$not$a $word %out[1]" if $a !~ /[a]|inf/;
    }
    for my $condition (map { "forall ($_)" } join ' and ', map { "($_)" } @conditions) {
      my $answer = qx(litscope check -q -input '%in = {$a, $b}' -input '%wide = {$a, $b}' -output '$condition' tests/golden/kernels/floats.spvasm);
      $answer =~ /^Ok$/m ? $right++ : $wrong++;
      print "$a $b: $condition\n" unless $answer =~ /^Ok$/m;
    }
  }
}
print "$right right, $wrong wrong\n";
END
perl $TMP/ask.pl
