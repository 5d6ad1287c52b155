# The scaling families of PTX and Vulkan: tests with a size n.
#
#   MPchain    a message handed on n times, then the data are read
#   SBfence    n threads: each writes its own location, fence.sc, reads the next (PTX: the order of n fences)
#   weakW      n threads write one location, unordered (PTX: partial coherence, n final values)
#   strongW    n threads write one location, in scope of each other
#   add        n threads add to one counter
#   barrier    n threads of a block write, meet, and read the next one's
package GpuFamilies;
use strict;
use warnings;

my %LANGUAGE = (
  ptx => {
    header => 'PTX', place => sub { '@cta ' . $_[1] . ',gpu 0' },
    write => sub { "st.weak $_[0], 1" }, read => sub { "ld.weak $_[0], $_[1]" },
    release => sub { "st.release.gpu $_[0], $_[1]" }, acquire => sub { "ld.acquire.gpu $_[0], $_[1]" },
    add => 'atom.relaxed.gpu.add r0, x, 1', fence => 'fence.sc.gpu', barrier => 'bar.cta.sync 0',
  },
  vulkan => {
    header => 'VULKAN', place => sub { '@sg ' . $_[0] . ',wg ' . $_[1] . ',qf 0' },
    write => sub { "st.nonpriv.sc0 $_[0], 1" }, read => sub { "ld.nonpriv.sc0 $_[0], $_[1]" },
    release => sub { "st.atom.rel.dv.sc0.semsc0.semav $_[0], $_[1]" },
    acquire => sub { "ld.atom.acq.dv.sc0.semsc0.semvis $_[0], $_[1]" },
    add => 'rmw.atom.dv.sc0.add r0, x, 1', barrier => 'cbar.acq_rel.wg.semsc0.semav.semvis 0',
  },
);

# Threads as lists of instructions, the condition, whether all are in one block.
my %FAMILY = (
  MPchain => sub {
    my ($n, $l) = @_;
    my @middle = map { [$l->{acquire}->('r0', 'x' . ($_ - 1)), $l->{release}->("x$_", 1)] } 1 .. $n - 1;
    my $last = [$l->{acquire}->('r0', 'x' . ($n - 1)), $l->{read}->('r1', 'd')];
    return [[$l->{write}->('d'), $l->{release}->('x0', 1)], @middle, $last], join(' /\ ', (map { "$_:r0=1" } 1 .. $n), "$n:r1=0");
  },
  SBfence => sub {
    my ($n, $l) = @_;
    return unless $l->{fence};
    return [map { [$l->{write}->("x$_"), $l->{fence}, $l->{read}->('r0', 'x' . ($_ + 1) % $n)] } 0 .. $n - 1],
      join(' /\ ', map { "$_:r0=0" } 0 .. $n - 1);
  },
  weakW => sub { my ($n, $l) = @_; return [map { [$l->{write}->('x') =~ s/1$/$_/r] } 1 .. $n], 'x=1' },
  strongW => sub { my ($n, $l) = @_; return [map { [$l->{release}->('x', $_)] } 1 .. $n], 'x=1' },
  add => sub { my ($n, $l) = @_; return [map { [$l->{add}] } 1 .. $n], "~(x=$n)" },
  barrier => sub {
    my ($n, $l) = @_;
    return [map { [$l->{write}->("x$_"), $l->{barrier}, $l->{read}->('r0', 'x' . ($_ + 1) % $n)] } 0 .. $n - 1],
      join(' \/ ', map { "$_:r0=0" } 0 .. $n - 1), 1;
  },
);

sub languages { return sort keys %LANGUAGE }

# The families of a language.
sub names { my ($language) = @_; return grep { $_ ne 'SBfence' || $language eq 'ptx' } sort keys %FAMILY }

# The text of one test.
sub test {
  my ($family, $n, $language) = @_;
  my $l = $LANGUAGE{$language};
  my ($threads, $condition, $together) = $FAMILY{$family}->($n, $l);
  my %names = map { $_ => 1 } map { /\b(x\d*|d)\b/g } map { @$_ } @$threads;
  my @rows = (join(' | ', map { "P$_" . $l->{place}->($_, $together ? 0 : $_) } 0 .. $#$threads));
  my ($most) = sort { $b <=> $a } map { scalar @$_ } @$threads;
  for my $row (0 .. $most - 1) { push @rows, join ' | ', map { $_->[$row] // '' } @$threads }
  return sprintf("%s %s%02d\n{ %s }\n", $l->{header}, $family, $n, join ' ', map { "$_=0;" } sort keys %names)
    . join('', map { " $_ ;\n" } @rows) . "exists ($condition)\n";
}

1;
