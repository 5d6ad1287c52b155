// Arithmetic on numbers of 8, 16, 32 and 64 bits, which the machine computes on registers of 32 and pieces of them, and
// the model as the language says
// @Input: %c = {-128, 100, 7}
// @Input: %u = {255, 129, 3}
// @Input: %s = {-32768, 1234, -5}
// @Input: %n = {-2147483648, 77, 40}
// @Input: %l = {-9223372036854775807, 4294967297, 35}
// @Input: %o = {0, 0, 0}
// @Output: forall (%c[0] != 1 and %s[0] != 1 and %o[0] != 1 and %o[1] != 1 and %o[2] != 1)
// @Config: 1, 1, 1
kernel void arithmetic(global char *c, global uchar *u, global short *s, global int *n, global long *l,
                       global long *o) {
  o[0] = l[1] << (l[2] & 63) ^ l[0] >> (n[2] & 63);
  o[1] = (l[0] * l[1] + n[0]) ^ ((long)(uint)n[0] * (long)(uint)n[1] + (long)c[1] * n[1]);
  o[2] = (long)((ulong)l[0] >> (u[2] & 63)) - l[1] + ((l[0] < l[2]) + ((ulong)l[1] > (ulong)n[0]) + (n[0] >> (u[2] & 31)));
  s[0] = (short)(s[1] * s[2] + n[1] + (s[0] >> 6)) ^ (short)(s[0] > s[1] ? s[2] : (short)n[2]) ^ (short)(c[0] * u[0]) ^
         (short)((u[0] << 8 | u[1]) == 65409);
  c[0] = (char)((c[0] < c[1] ? c[1] : c[0]) ^ (u[0] >> u[2] | u[1] << 1) ^ (c[0] - u[1]));
}
