# Families that are not well formed, or that a language does not have.
for family in 2x2,gaurded 2x2,locations=9 2x2,devices=0x 2x2,orders=na+acq 2x2,scopes=wave 2x2,orders= 2x2,language=go \
  2x2,language=c,scopes=wg 2x2,language=c,devices=2 2x2,language=ptx,remote 2x2,remote 2x2,scopes=wg,remote \
  2x2,language=hsa,scopes=qf 2x2,language=vulkan,scopes=sys 2x2,language=vulkan,orders=sc 2x2,language=ptx,orders=na+sc; do
  litscope verify -family $family && echo "accepted: $family"
done
# Fewer scopes, other orders: counted as any other family.
litscope verify -family 2x1,scopes=dev,locations=1 -mapping rsp-corrected -j 1
