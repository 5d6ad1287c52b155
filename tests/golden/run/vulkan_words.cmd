# Tests of Vulkan as GLSL, each operation with its own words; what GLSL or a device cannot do is refused in words.
dir=litmus/vulkan
for test in MP_av_vis_access MP_private Lock_cas Cbar_between_fences MP_wg_scope; do
  litscope run -q -emit vulkan $TMP/$test $dir/$test.litmus
  grep -E 'binding = 0|atomic[SLEC][a-zA-Z]*\((cells|locals)\[at_|memoryBarrier|controlBarrier|plain\[' $TMP/$test/kernel.comp |
    grep -v 'patience' | sed 's/^ *//'
done
sed 's/st.atom.rel.dv.sc0/st.atom.rel.dv.sc1/' $dir/MP_av_vis.litmus > $TMP/two_classes.litmus
litscope run -q -emit vulkan $TMP/refused $TMP/two_classes.litmus $dir/Alias_device.litmus $dir/Cbar_quorum.litmus \
  $dir/MP_local_words.litmus $dir/MP_other_class.litmus $dir/Ssw.litmus $dir/Chain_visible_load.litmus 
litscope run -q -emit cuda $TMP/refused $dir/MP_av_vis.litmus
litscope run -q -emit vulkan -mutate relaxed $TMP/mutated $dir/MP_av_vis.litmus && grep 'cells.at_y' $TMP/mutated/kernel.comp | sed 's/^ *//'
# It does not matter what a location is declared as that one thread has alone.
cat >$TMP/alone.litmus <<'END'
VULKAN alone
{ x=0; y=0; z=0; }
 P0@sg 0,wg 0,qf 0                    | P1@sg 0,wg 1,qf 0                      ;
 st.nonpriv.sc0 x, 1                  | ld.atom.acq.dv.sc0.semsc0.semvis r0, y ;
 st.sc0 z, 1                          | ld.nonpriv.sc0 r1, x                   ;
 st.atom.rel.dv.sc0.semsc0.semav y, 1 |                                        ;
~exists (1:r0=1 /\ 1:r1=0)
END
litscope run -q -emit vulkan $TMP/alone $TMP/alone.litmus && grep "binding = 0" $TMP/alone/kernel.comp
