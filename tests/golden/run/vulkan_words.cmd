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
