# SPDX-License-Identifier: MIT
# The runs that README.md shows are what litscope prints: each block of
# `$ COMMAND` lines with what follows them.  A line `...` stands for any lines.
exec perl -- - README.md <<'PERL'
use strict;
use warnings;
my ($failed, $runs) = (0, 0);
my $readme = do { local $/; open my $in, '<', $ARGV[0] or die; <$in> };
for my $block ($readme =~ /^```\n(\$ .*?)^```$/msg) {
  for my $run (split /^\$ /m, $block) {
    my ($command, $shown) = split /\n/, $run, 2;
    next unless defined $command && $command =~ /^litscope/;
    $runs++;
    open my $out, '-|', 'bash', '-c', "$command 2>&1" or die;
    my $printed = do { local $/; <$out> // '' };
    s/^(Time \S+) \d+\.\d+$/$1 0.00/mg, s/\s+\z// for $printed, $shown;
    my $wanted = join '.*', map { quotemeta } split /^\.\.\.$/m, $shown;
    next if $printed =~ /\A$wanted\z/s;
    print "README.md shows something else for\n  $command\nwhich prints\n$printed\n";
    $failed = 1;
  }
}
print "README.md shows no run\n" unless $runs;
exit($failed || !$runs);
PERL
