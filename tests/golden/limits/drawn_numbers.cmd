# plain: the solver's engine goes through the same code in tests of a few threads
# Blocks of a scan draw their numbers. Since these are counted by nothing else, they are known to be less than three before
# any path is: threads do not fork again at each cell that a block finds by its address, as kernels compute it in 32 bits.
perl -e 'my $n = 3;
sub cell {
  my ($array, $base, $block) = @_;
  my $address = "((($base + $block * 4) << 32) >> 32)";
  return "$array + (" . join("", map { "$address == " . ($base + 4 * $_) . " ? $_ : " } 0 .. $n - 2) . ($n - 1) . ")";
}
sub load { return "atomic_load_explicit(" . cell(@_) . ", memory_order_acquire)" }
sub store { my $value = pop; return "atomic_store_explicit(" . cell(@_) . ", $value, memory_order_release);" }
print "C Scan\n{ [next]=0; atomic_int flags[$n]; atomic_int total[$n]; atomic_int prefix[$n]; }\n";
for my $i (1 .. $n) {
  print "P", $i - 1, " (atomic_int *next, atomic_int *flags, atomic_int *total, atomic_int *prefix) {
    int block = atomic_fetch_add_explicit(next, 1, memory_order_relaxed), sum = 0, before = block - 1;
    ", store("total", 4096, "block", 1), "
    if (block > 0) { ", store("flags", 8192, "block", 1), " }
    while (before >= 0) {
      int flag = ", load("flags", 8192, "before"), ";
      if (flag == 2) { sum = sum + ", load("prefix", 12288, "before"), "; before = -1; }
      if (flag == 1) { sum = sum + ", load("total", 4096, "before"), "; before = before - 1; }
    }
    ", store("prefix", 12288, "block", "sum + 1"), "
    ", store("flags", 8192, "block", 2), "
  }\n";
}
print "forall (prefix[", $n - 1, "]=$n)\n"' >"$TMP/scan.litmus"
litscope check -q -engine solve -max-memory 60 "$TMP/scan.litmus" | grep -v ^Time
