# SPDX-License-Identifier: MIT
# plain
# No page, manual page, help text, message, comment or title of a test uses a phrase of english.words, and in a page no
# sentence is where a paragraph or a heading lost its end: two spaces within a line, or a single one before it.
# In a page this is prose: neither what stands between backquotes, nor runs, nor indented text; in sources it is the
# texts between quotes and the comments; in models and tests the comments, and the title in quotes, which is the first
# thing in a model and comes after the name of a test.
set -eu
# shellcheck disable=SC2046
exec perl -- - tests/scripts/english.words \
  $(find . \( -name README.md -o -path './models/*.md' -o -path './checker/man/*' \) -not -path './build*' | LC_ALL=C sort) \
  $(find checker hwsem -name '*.[ch]' -o -path 'checker/*' -name '*.py' | LC_ALL=C sort) \
  $(find models litmus -name '*.cat' -o -name '*.litmus' | LC_ALL=C sort) <<'PERL'
use strict;
use warnings;
my ($words, @files) = @ARGV;
open my $list, '<', $words or die "$words: $!";
my @phrases = map { chomp; my ($wrong, $right) = split /\t/; [qr/$wrong/i, $right] } grep { !/^#/ && /\t/ } <$list>;
my $any = join '|', map { $_->[0] } @phrases;
$any = qr/$any/;
my $found = 0;

# The texts of a file that people read, each with the line that it begins in.
sub texts {
  my ($file) = @_;
  open my $in, '<', $file or die "$file: $!";
  my $text = do { local $/; <$in> };
  my @texts;
  if ($file =~ /\.(cat|litmus)$/) {
    push @texts, [1 + (substr($text, 0, $-[0]) =~ tr/\n//), $1] if $text =~ /^(?:\S+ .*\n)?"([^"]*)"/;
    push @texts, [1 + (substr($text, 0, $-[0]) =~ tr/\n//), $1 // $2]
      while $text =~ m{\(\*(.*?)\*\)|^ *//+(.*(?:\n *//.*)*)}gms;
  } elsif ($file =~ /\.[ch]$/) {
    while ($text =~ m{"(?:[^"\\\n]|\\.)*"|/\*(.*?)\*/|//([^\n]*)}gs) {
      my $comment = $1 // $2 // next;
      push @texts, [1 + (substr($text, 0, $-[0]) =~ tr/\n//), $comment =~ s/^ \* ?//gmr];
    }
    $text =~ s{(/\*.*?\*/|//[^\n]*)|("(?:[^"\\\n]|\\.)*")}{defined $2 ? $2 : $1 =~ s/[^\n]//gr}gse;
    while ($text =~ /("(?:[^"\\\n]|\\.)*"(?:[\s\\]*"(?:[^"\\\n]|\\.)*")*)/g) {
      my ($literals, $line) = ($1, 1 + (substr($text, 0, $-[0]) =~ tr/\n//));
      push @texts, [$line, join '', $literals =~ /"((?:[^"\\\n]|\\.)*)"/g];
    }
  } else {
    $text =~ s/^```.*?^```$/"\n" x ($& =~ tr{\n}{})/gmse if $file =~ /\.md$/;
    $text =~ s/^    .*$//gm if $file =~ /\.md$/;
    my $line = 1;
    for my $paragraph (split /(\n\n+)/, $text) {
      push @texts, [$line, $paragraph] if $paragraph =~ /\S/;
      $line += $paragraph =~ tr/\n//;
    }
  }
  return @texts;
}

for my $file (@files) {
  for my $text (texts($file)) {
    my ($line, $read) = @$text;
    if ($file =~ /\.md$/ && $read =~ /^( [^ ].*|#.*\n[^\n].*|.*\w[.:)`]  .*)/m && $read !~ /^\|/) {
      print "$file:$line: $1\n  two paragraphs, or a heading and its text, stand together\n";
      $found++;
    }
    $read =~ s/`[^`]*`/`/g;
    $read =~ s/\\n|\s+/ /g;
    next unless $read =~ $any;
    for my $phrase (@phrases) {
      my ($wrong, $right) = @$phrase;
      next unless $read =~ /(.{0,30}$wrong.{0,30})/i;
      print "$file:$line: ...$1...\n  English says: $right\n";
      $found++;
    }
  }
}
exit($found ? 1 : 0);
PERL
