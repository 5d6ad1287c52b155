; MP_dev for gfx942 by hand: t0 does not wait for its write-back, t1 invalidates nothing.
t0:
	s_load_dwordx4 s[4:7], s[2:3], 0x8
	v_mov_b32_e32 v0, 0
	v_mov_b32_e32 v1, 1
	s_waitcnt lgkmcnt(0)
	global_store_dword v0, v1, s[4:5]
	buffer_wbl2 sc1
	global_store_dword v0, v1, s[6:7] sc1
	s_endpgm
.Lfunc_end0:

t1:
	s_load_dwordx4 s[4:7], s[2:3], 0x8
	s_load_dwordx2 s[0:1], s[2:3], 0x0
	v_mov_b32_e32 v3, 0
	v_mov_b32_e32 v0, -1
	s_waitcnt lgkmcnt(0)
	global_load_dword v1, v3, s[6:7] sc1
	s_waitcnt vmcnt(0)
	v_cmp_eq_u32_e32 vcc, 1, v1
	s_cbranch_vccz .Lnone
	global_load_dword v0, v3, s[4:5]
	s_waitcnt vmcnt(0)
.Lnone:
	global_store_dwordx2 v3, v[0:1], s[0:1]
	s_endpgm
.Lfunc_end1:
