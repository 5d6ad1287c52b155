# SPDX-License-Identifier: MIT
# The GPU machine a second time, for gpu_naive.sh: small, slow, and written from its description rather than from
# hwsem/, with which it shares nothing but the text that `litscope compile` prints.  No reduction of any kind: a state is
# a flat list (threads, lines of each L1 and L2, their queues as text, memory, locks), every L2 is modelled, every clean
# line may be fetched at any time, whether somebody reads it or not, and the states that are stuck are found on the whole
# graph, once it is there: those from which no step of a thread, and no write-back, can ever come.
#
#   gpu_machine.pl MOST KNOBS <compiled.txt      prints `states N`, `stuck 0|1`, and the outcomes, sorted
use strict;
use warnings;

my ($most, $knobs) = @ARGV;
my %knob = map { split /=/ } split /,/, $knobs // '';
sub knob { my ($name, $word) = @_; return ($knob{$name} // '') eq $word }

# ---- the program ----

my (@code, @wg, @dev, %location);
my $thread = -1;
while (my $line = <STDIN>) {
  $line =~ s/;.*//;
  $line =~ s/^\s*\d+:\s*//;
  if ($line =~ /^P(\d+) \(wg (\d+), device (\d+)\)/) {
    $thread = $1;
    ($code[$thread], $wg[$thread], $dev[$thread]) = ([], $2, $3);
  } elsif ($thread >= 0 && $line =~ /\S/) {
    $line =~ s/^\s+|\s+$//g;
    my ($op, @words) = $line =~ /^BZ \((.*)\) (\d+)$/ ? ('BZ', $1, $2) : split / +/, $line;
    push @{$code[$thread]}, [$op, @words];
    my $at = $op =~ /^(?:ST|LK$)/ ? 0 : $op =~ /^(?:LD|INC|XCHG)/ ? 1 : undef;
    $location{$words[$at]} = 1 if defined $at;
  }
}
my @locations = sort keys %location;
my %number = map { $locations[$_] => $_ } 0 .. $#locations;
my @device_of;
$device_of[$wg[$_]] = $dev[$_] for 0 .. $#wg;
my (@wgs, @devs);
$wgs[$_] = 1 for @wg;
$devs[$_] = 1 for @dev;
my ($threads, $wgs, $devs, $lines) = (scalar @code, scalar @wgs, scalar @devs, scalar @locations);

# ---- the state: where in the list what is ----

my $size = 0;
sub room { my ($count) = @_; my $at = $size; $size += $count; return $at }
my $PC = room($threads);
my $PHASE = room($threads);
my $L1 = room($wgs * $lines);      # '', or 'CV 5': clean, dirty, dirty and invalidated
my $Q1 = room($wgs);               # ' x0 F1': lines, and flush markers of threads
my $L2 = room($devs * $lines);
my $Q2 = room($devs);
my $MEMORY = room($lines);
my $RMW1 = room($wgs);             # '' or a thread
my $RMW2 = room($devs);
my $LINE = room($devs * $lines);
my @register;                      # by thread: name to place
for my $t (0 .. $threads - 1) {
  for my $instr (@{$code[$t]}) {
    my ($op, $name) = @$instr;
    next unless $op =~ /^(?:LD|INC|XCHG|MOV)/;
    $register[$t]{$name} //= room(1);
  }
}

# A cache: where its lines and its queue are.
my @l1 = map { [$L1 + $_ * $lines, $Q1 + $_] } 0 .. $wgs - 1;
my @l2 = map { [$L2 + $_ * $lines, $Q2 + $_] } 0 .. $devs - 1;

sub line { my ($s, $cache, $x) = @_; return $s->[$cache->[0] + $x] =~ /(\w+) (.*)/ ? ($1, $2) : ('', 0) }
sub is_dirty { return $_[0] eq 'DV' || $_[0] eq 'DI' }
sub set_line { my ($s, $cache, $x, $state, $value) = @_; $s->[$cache->[0] + $x] = $state ? "$state $value" : '' }

# Drops heads that are markers, or lines no longer dirty.
sub tidy {
  my ($s, $cache) = @_;
  while ($s->[$cache->[1]] =~ /^ (\S)(\d+)/) {
    last if $1 eq 'x' && is_dirty((line($s, $cache, $2))[0]);
    $s->[$cache->[1]] =~ s/^ \S+//;
  }
}

sub write_line {
  my ($s, $cache, $x, $value) = @_;
  my ($state) = line($s, $cache, $x);
  $s->[$cache->[1]] .= " x$x" unless is_dirty($state);
  set_line($s, $cache, $x, 'DV', $value);
}

# ---- what can happen ----

my @next;  # [state, idle]
sub emit { my ($s, $idle) = @_; push @next, [$s, $idle] }

sub locked_against {
  my ($s, $w, $x) = @_;
  my $holder = $s->[$LINE + $device_of[$w] * $lines + $x];
  return $holder ne '' && ($wg[$holder] != $w || knob('lock-line-blocks', 'all'));
}

sub fetch_blocked {
  my ($s, $w, $x) = @_;
  return !knob('lock-line-blocks', 'write-back') && !knob('lock-line-blocks', 'nothing') && locked_against($s, $w, $x);
}

sub write_back_blocked {
  my ($s, $w, $x, $behind) = @_;
  my $word = $knob{'lock-line-blocks'} // 'fetch';
  return 0 if $word eq 'fetch' || $word eq 'nothing' || !locked_against($s, $w, $x);
  return $word ne 'unflushed' || $behind !~ /F/;
}

sub write_backs {
  my ($now, $cache, $blocked, $put) = @_;
  my @entries = $now->[$cache->[1]] =~ /(\S+)/g;
  my %seen;
  for my $i (0 .. $#entries) {
    last if $i > 0 && !knob('write-back', 'any');
    next unless $entries[$i] =~ /x(\d+)/ && !$seen{$1}++;
    my $x = $1;
    my ($state, $value) = line($now, $cache, $x);
    next if !is_dirty($state) || $blocked->($x, join ' ', @entries[$i + 1 .. $#entries]);
    my $s = [@$now];
    my @left = @entries;
    splice @left, $i, 1;
    $s->[$cache->[1]] = join '', map { " $_" } @left;
    $put->($s, $x, $value);
    set_line($s, $cache, $x, $state eq 'DV' ? 'CV' : '', $value);
    tidy($s, $cache);
    emit($s, 0);
  }
}

sub environment {
  my ($now) = @_;
  for my $w (0 .. $wgs - 1) {
    write_backs($now, $l1[$w], sub { write_back_blocked($now, $w, @_) },
      sub { my ($s, $x, $value) = @_; write_line($s, $l2[$device_of[$w]], $x, $value) });
  }
  for my $d (0 .. $devs - 1) {
    write_backs($now, $l2[$d], sub { 0 }, sub { my ($s, $x, $value) = @_; $s->[$MEMORY + $x] = $value });
  }
}

sub fill {
  my ($now, $cache, $x, $value) = @_;
  my ($state) = line($now, $cache, $x);
  return if is_dirty($state);
  my $s = [@$now];
  set_line($s, $cache, $x, 'CV', $value);
  emit($s, 1);
}

sub fetches {
  my ($now) = @_;
  for my $x (0 .. $lines - 1) {
    for my $w (0 .. $wgs - 1) {
      my ($state, $value) = line($now, $l2[$device_of[$w]], $x);
      fill($now, $l1[$w], $x, $value) if ($state eq 'CV' || $state eq 'DV') && !fetch_blocked($now, $w, $x);
    }
    fill($now, $l2[$_], $x, $now->[$MEMORY + $x]) for 0 .. $devs - 1;
    next unless knob('evict-clean', 'yes');
    for my $cache (@l1, @l2) {
      next unless (line($now, $cache, $x))[0] eq 'CV';
      my $s = [@$now];
      set_line($s, $cache, $x, '', 0);
      emit($s, 1);
    }
  }
}

# ---- threads ----

sub value {
  my ($s, $t, $text) = @_;
  return exists $register[$t]{$text} ? $s->[$register[$t]{$text}] : $text;
}

# Arithmetic and branches come with the step before.
sub go_to {
  my ($s, $t, $pc) = @_;
  while ($pc < @{$code[$t]}) {
    my ($op, @words) = @{$code[$t][$pc]};
    if ($op eq 'MOV') {
      $s->[$register[$t]{$words[0]}] = value($s, $t, $words[1]);
      $pc++;
    } elsif ($op eq 'BZ') {
      my ($a, $test, $b) = split / /, $words[0];
      my $equal = value($s, $t, $a) == value($s, $t, $b);
      $pc = ($test eq '==' ? $equal : !$equal) ? $pc + 1 : $words[1];
    } else {
      last;
    }
  }
  $s->[$PC + $t] = $pc;
  $s->[$PHASE + $t] = 0;
}

sub finish { my ($s, $t) = @_; go_to($s, $t, $s->[$PC + $t] + 1); emit($s, 0) }

sub update {
  my ($s, $t, $op, $old, $operand) = @_;
  return $op =~ /^INC/ ? $old + value($s, $t, $operand) : value($s, $t, $operand);
}

sub free_for { my ($s, $at, $t) = @_; return $s->[$at] eq '' || $s->[$at] eq $t }

sub access_l1 {
  my ($now, $t, $op, @words) = @_;
  my $cache = $l1[$wg[$t]];
  my ($name, $place, $operand) = $op eq 'ST' ? ('', @words) : @words;
  my $x = $number{$place};
  my ($state, $old) = line($now, $cache, $x);
  my $s = [@$now];
  if ($op ne 'ST') {
    my $hits = knob($op eq 'LD' ? 'ld-hits-marked' : 'inc-hits-marked', 'yes');
    return if $state eq '' || ($state eq 'DI' && !$hits);
  }
  if ($op ne 'ST' && $op ne 'LD') {
    return unless free_for($now, $RMW1 + $wg[$t], $t);
    my ($outer, $fresh) = line($now, $l2[$dev[$t]], $x);
    return if $state eq 'CV' && knob('inc-l1-hits', 'fresh') && !($outer =~ /V/ && $fresh == $old);
  }
  write_line($s, $cache, $x, update($s, $t, $op, $old, $operand)) unless $op eq 'LD';
  $s->[$register[$t]{$name}] = $old if $name ne '';
  finish($s, $t);
}

# At the L2, or in memory.
sub access_beyond {
  my ($now, $t, $op, @words) = @_;
  my ($name, $place, $operand) = $op =~ /^ST/ ? ('', @words) : @words;
  my ($x, $d, $own) = ($number{$place}, $dev[$t], $knob{'inc-l2-own-line'} // 'drop');
  my ($near) = line($now, $l1[$wg[$t]], $x);
  my ($far, $old) = line($now, $l2[$d], $x);
  return if is_dirty($near) && $own ne 'ignore' && $own ne 'discard';
  if ($op =~ /_L2$/) {
    return if $far !~ /V/ || !free_for($now, $RMW2 + $d, $t) || !free_for($now, $LINE + $d * $lines + $x, $t);
    return if knob('lock-rmw-blocks', 'rmw') && !free_for($now, $RMW1 + $wg[$t], $t);
  } else {
    return if is_dirty($far);
    $old = $now->[$MEMORY + $x];
  }
  my $s = [@$now];
  my $new = update($s, $t, $op, $old, $operand);
  if ($op =~ /_L2$/) {
    write_line($s, $l2[$d], $x, $new);
  } else {
    $s->[$MEMORY + $x] = $new;
    set_line($s, $l2[$d], $x, '', 0);
  }
  if ($own eq 'drop' || $own eq 'discard') {
    set_line($s, $l1[$wg[$t]], $x, '', 0);
    tidy($s, $l1[$wg[$t]]);
  }
  $s->[$register[$t]{$name}] = $old if $name ne '';
  finish($s, $t);
}

sub targets {
  my ($t, $level, $reach) = @_;
  return $reach eq 'SY' ? @l2 : $l2[$dev[$t]] if $level eq 'L2';
  return map { $l1[$_] } grep { $reach eq 'SY' || $_ == $wg[$t] || ($reach eq 'DV' && $device_of[$_] == $dev[$t]) }
    0 .. $wgs - 1;
}

sub flush {
  my ($now, $t, @caches) = @_;
  my $s = [@$now];
  if ($now->[$PHASE + $t]) {
    finish($s, $t) unless grep { $now->[$_->[1]] =~ / F$t\b/ } @caches;
    return;
  }
  my @full = grep { $now->[$_->[1]] ne '' } @caches;
  return finish($s, $t) unless @full;
  $s->[$_->[1]] .= " F$t" for @full;
  $s->[$PHASE + $t] = 1;
  emit($s, 0);
}

sub invalidate {
  my ($now, $t, @caches) = @_;
  my $how = $knob{'invalidate-dirty'} // 'mark';
  my $s = [@$now];
  for my $cache (@caches) {
    for my $x (0 .. $lines - 1) {
      my ($state, $value) = line($now, $cache, $x);
      return if $how eq 'drain' && is_dirty($state);
      set_line($s, $cache, $x, '', 0) if $state eq 'CV' || ($state ne '' && $how eq 'drop');
      set_line($s, $cache, $x, 'DI', $value) if $state eq 'DV' && $how eq 'mark';
    }
    tidy($s, $cache);
  }
  finish($s, $t);
}

sub lock_rmw {
  my ($now, $t, $reach) = @_;
  my @locks = map { $RMW1 + $_ } grep { $reach eq 'SY' || $device_of[$_] == $dev[$t] } 0 .. $wgs - 1;
  my $own = $RMW1 + $wg[$t];
  @locks = ($own, grep { $_ != $own } @locks) if knob('lock-rmw-taken', 'own-first');
  push @locks, map { $RMW2 + $_ } 0 .. $devs - 1 if $reach eq 'SY';
  my $s = [@$now];
  if (($knob{'lock-rmw-taken'} // 'at-once') eq 'at-once') {
    for my $lock (@locks) {
      return unless free_for($now, $lock, $t);
      $s->[$lock] = $t;
    }
    return finish($s, $t);
  }
  my ($next) = grep { $now->[$_] ne $t } @locks;
  if (defined $next) {
    return if $now->[$next] ne '';
    $s->[$next] = $t;
  }
  return emit($s, 0) if grep { $s->[$_] ne $t } @locks;
  finish($s, $t);
}

sub release { my ($now, $t, @locks) = @_; my $s = [@$now]; $s->[$_] eq $t && ($s->[$_] = '') for @locks; finish($s, $t) }

sub step {
  my ($now, $t) = @_;
  my $pc = $now->[$PC + $t];
  return if $pc >= @{$code[$t]};
  my ($op, @words) = @{$code[$t][$pc]};
  return access_beyond($now, $t, $op, @words) if $op =~ /_(?:L2|GL)$/ && $op =~ /^(?:ST|INC|XCHG)/;
  return access_l1($now, $t, $op =~ s/_L1$//r, @words) if $op =~ /^(?:LD|ST|INC|XCHG)/;
  return flush($now, $t, targets($t, $1, $words[0])) if $op =~ /^FLU_(.*)/;
  return invalidate($now, $t, targets($t, $1, $words[0])) if $op =~ /^INV_(.*)/;
  return lock_rmw($now, $t, $words[0]) if $op eq 'LK_rmw';
  return release($now, $t, $RMW1 .. $RMW1 + $wgs - 1, $RMW2 .. $RMW2 + $devs - 1) if $op eq 'UNLK_rmw';
  my $line = $LINE + $dev[$t] * $lines;
  return release($now, $t, $line .. $line + $lines - 1) if $op eq 'UNLK';
  die "what is $op?\n" if $op ne 'LK';
  return if $now->[$line + $number{$words[0]}] ne '';
  my $s = [@$now];
  $s->[$line + $number{$words[0]}] = $t;
  finish($s, $t);
}

# ---- all states ----

sub is_final {
  my ($s) = @_;
  return !grep({ $s->[$PC + $_] < @{$code[$_]} } 0 .. $threads - 1) && !grep { $_ ne '' } map { $s->[$_->[1]] } @l1, @l2;
}

my $first = [('') x $size];
$first->[$_] = 0 for $PC .. $PC + $threads - 1, $PHASE .. $PHASE + $threads - 1, $MEMORY .. $MEMORY + $lines - 1;
$first->[$_] = 0 for map { values %{$_ // {}} } @register;
go_to($first, $_, 0) for 0 .. $threads - 1;
my (%seen, @todo, %alive, %idle_before, %outcomes);
$seen{join '|', @$first} = 1;
push @todo, $first;
while (my $now = shift @todo) {
  my $key = join '|', @$now;
  @next = ();
  environment($now);
  if (grep { $now->[$PC + $_] < @{$code[$_]} } 0 .. $threads - 1) {
    step($now, $_) for 0 .. $threads - 1;
    fetches($now);
  }
  if (is_final($now)) {
    $alive{$key} = 1;
    my %shown = map { ("[$locations[$_]]" => $now->[$MEMORY + $_]) } 0 .. $lines - 1;
    for my $t (0 .. $threads - 1) {
      $shown{"$t:$_"} = $now->[$register[$t]{$_}] for keys %{$register[$t] // {}};
    }
    $outcomes{join ' ', map { "$_=$shown{$_};" } sort grep { !/\$/ } keys %shown} = 1;
  }
  for my $edge (@next) {
    my ($s, $idle) = @$edge;
    my $to = join '|', @$s;
    $alive{$key} = 1 unless $idle;
    push @{$idle_before{$to}}, $key if $idle;
    next if $seen{$to}++;
    push @todo, $s;
  }
  if (keys %seen > $most) {
    print "too many\n";
    exit 0;
  }
}
my @spread = keys %alive;
while (defined(my $key = shift @spread)) {
  push @spread, grep { !$alive{$_}++ } @{$idle_before{$key} // []};
}
printf "states %d\nstuck %d\n", scalar keys %seen, (grep { !$alive{$_} } keys %seen) ? 1 : 0;
print "$_\n" for sort keys %outcomes;
