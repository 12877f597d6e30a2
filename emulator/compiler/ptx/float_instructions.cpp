#include "compiler/ptx/code.hpp"

// Floating-point numbers, conversions, comparisons. The functions are those of
// include/emulator/ptx/ptx_floats.h, ptx_float16.h and ptx_conversions.h.

namespace emulator::compiler::ptx {

const std::vector<Instruction>& float_instructions() {
  static const std::vector<Instruction> instructions = {
      {"(add|sub|mul)[.rn|.rz|.rm|.rp][.ftz][.sat]", "f32", "=t,t,t",
       "::emulator::ptx::real<@1, @2, @3, @4>($1, $2)", "To the bit."},
      {"(add|sub|mul)[.rn|.rz|.rm|.rp]", "f64", "=t,t,t",
       "::emulator::ptx::real<@1, @2, ::emulator::ptx::Option::none, "
       "::emulator::ptx::Option::none>($1, $2)",
       "To the bit, except for the bits of a NaN."},
      {"(fma|mad)(.rn|.rz|.rm|.rp)[.ftz][.sat]", "f32", "=t,t,t,t",
       "::emulator::ptx::fused<@2, @3, @4>($1, $2, $3)", "To the bit."},
      {"(fma|mad)(.rn|.rz|.rm|.rp)", "f64", "=t,t,t,t",
       "::emulator::ptx::fused<@2, ::emulator::ptx::Option::none, "
       "::emulator::ptx::Option::none>($1, $2, $3)",
       "To the bit, except for the bits of a NaN."},
      {"div(.rn|.rz|.rm|.rp)[.ftz]", "f32 f64", "=t,t,t",
       "::emulator::ptx::real<::emulator::ptx::Option::div_, @1, @2, "
       "::emulator::ptx::Option::none>($1, $2)",
       "To the bit."},
      {"(rcp|sqrt)(.rn|.rz|.rm|.rp)[.ftz]", "f32 f64", "=t,t",
       "::emulator::ptx::root_or_reciprocal<@1, @2, @3>($1)", "To the bit."},
      {"(div)(.approx|.full)[.ftz]", "f32", "=t,t,t",
       "::emulator::ptx::real<@1, ::emulator::ptx::Option::rn_, @3, "
       "::emulator::ptx::Option::none>($1, $2)",
       "Rounded once; a GPU may be off in the last two bits."},
      {"(rcp|sqrt|rsqrt|ex2|lg2|sin|cos).approx[.ftz]", "f32", "=t,t",
       "::emulator::ptx::approximate<@1, @2>($1)",
       "Rounded to the nearest; a GPU's are less exact."},
      {"(tanh).approx", "f32", "=t,t",
       "::emulator::ptx::approximate<@1, ::emulator::ptx::Option::none>($1)",
       "Rounded to the nearest; a GPU's has 11 bits."},
      {"(rcp|rsqrt).approx[.ftz]", "f64", "=t,t",
       "::emulator::ptx::approximate_upper_half<@1, @2>($1)",
       "Only the upper 32 bits, as on a GPU, but exact in these."},
      {"(min|max)[.ftz][.NaN][.xorsign.abs]", "f32 f64", "=t,t,t",
       "::emulator::ptx::real_extreme<@1, @2, @3, @4>($1, $2)", "-0 is less than 0."},
      {"(neg|abs)[.ftz]", "f32 f64", "=t,t", "::emulator::ptx::real_sign<@1, @2>($1)"},
      {"copysign", "f32 f64", "=t,t,t", "::emulator::ptx::copy_sign($1, $2)"},
      {"testp(.finite|.infinite|.number|.notanumber|.normal|.subnormal)", "f32 f64", "=pred,t",
       "::emulator::ptx::is_of_kind<@1>($1)"},
      // Of 16 bits
      {"(add|sub|mul)[.rn][.ftz][.sat]", "f16 f16x2", "=t,t,t",
       "::emulator::ptx::real16<@1, @3, @4>($1, $2)", "To the bit."},
      {"(add|sub|mul)[.rn]", "bf16 bf16x2", "=t,t,t",
       "::emulator::ptx::real16<@1, ::emulator::ptx::Option::none, "
       "::emulator::ptx::Option::none>($1, $2)",
       "To the bit."},
      {"fma.rn[.ftz][.sat|.relu]", "f16 f16x2", "=t,t,t,t",
       "::emulator::ptx::fused16<@1, @2>($1, $2, $3)", "To the bit."},
      {"fma.rn[.relu]", "bf16 bf16x2", "=t,t,t,t",
       "::emulator::ptx::fused16<::emulator::ptx::Option::none, @1>($1, $2, $3)", "To the bit."},
      {"fma.rn.f16x2.relu", "", "=f16x2,f16x2,f16x2,f16x2",
       "::emulator::ptx::fused16<::emulator::ptx::Option::none, ::emulator::ptx::Option::relu_>"
       "($1, $2, $3)"},
      {"(min|max)[.ftz][.NaN][.xorsign.abs]", "f16 f16x2 bf16 bf16x2", "=t,t,t",
       "::emulator::ptx::extreme_of_16<@1, @2, @3, @4>($1, $2)", "-0 is less than 0."},
      {"(neg|abs)[.ftz]", "f16 f16x2 bf16 bf16x2", "=t,t", "::emulator::ptx::sign16<@1, @2>($1)"},
      {"(ex2|tanh).approx[.ftz]", "f16 f16x2 bf16 bf16x2", "=t,t",
       "::emulator::ptx::approximate16<@1>($1)", "Rounded to the nearest; a GPU's are less exact."},
      // Comparing and choosing
      {"setp(.eq|.ne|.lt|.le|.gt|.ge|.lo|.ls|.hi|.hs|.equ|.neu|.ltu|.leu|.gtu|.geu|.num|.nan)"
       "[.ftz]",
       "b16 b32 b64 u16 s16 u32 s32 u64 s64 f32 f64 f16 bf16", "=pred|pred,t,t",
       "::emulator::ptx::both_ways(::emulator::ptx::compare<@1, @2>($1, $2))"},
      {"setp(.eq|.ne|.lt|.le|.gt|.ge|.lo|.ls|.hi|.hs|.equ|.neu|.ltu|.leu|.gtu|.geu|.num|.nan)"
       "(.and|.or|.xor)[.ftz]",
       "b16 b32 b64 u16 s16 u32 s32 u64 s64 f32 f64 f16 bf16", "=pred|pred,t,t,pred",
       "::emulator::ptx::combined<@2>(::emulator::ptx::compare<@1, @3>($1, $2), $3)"},
      {"set(.eq|.ne|.lt|.le|.gt|.ge|.lo|.ls|.hi|.hs|.equ|.neu|.ltu|.leu|.gtu|.geu|.num|.nan)"
       "[.ftz](.u32|.s32|.f32)",
       "b16 b32 b64 u16 s16 u32 s32 u64 s64 f32 f64 f16 bf16", "=@3,t,t",
       "::emulator::ptx::as_number<@3>(::emulator::ptx::compare<@1, @2>($1, $2))"},
      {"selp", "b16 b32 b64 u16 s16 u32 s32 u64 s64 f32 f64", "=t,t,t,pred", "$3 ? $1 : $2"},
      {"slct", "b16 b32 b64 u16 s16 u32 s32 u64 s64 f32 f64", "=t,t,t,s32", "$3 >= 0 ? $1 : $2"},
      {"slct[.ftz](.b16|.b32|.b64|.u16|.s16|.u32|.s32|.u64|.s64|.f32|.f64)", "s32 f32",
       "=@2,@2,@2,t", "$3 >= 0 ? $1 : $2"},
      // Conversions
      {"cvt[.sat](.u8|.s8|.u16|.s16|.u32|.s32|.u64|.s64)", "u8 s8 u16 s16 u32 s32 u64 s64",
       "=@2>,t>", "::emulator::ptx::integer_of_integer<@2, @1, T>($1)"},
      {"cvt(.rni|.rzi|.rmi|.rpi)[.ftz][.sat](.u8|.s8|.u16|.s16|.u32|.s32|.u64|.s64)",
       "f32 f64 f16 bf16", "=@4>,t", "::emulator::ptx::integer_of_real<@4, @1, @2>($1)",
       "What does not fit becomes the nearest number that does."},
      {"cvt(.rn|.rz|.rm|.rp)[.sat](.f16|.bf16|.f32|.f64)", "u8 s8 u16 s16 u32 s32 u64 s64",
       "=@3,t>", "::emulator::ptx::real_of_integer<@3, @1, @2, T>($1)", "To the bit."},
      {"cvt[.rn|.rz|.rm|.rp|.rni|.rzi|.rmi|.rpi][.ftz][.sat](.f16|.bf16|.f32|.f64)",
       "f16 bf16 f32 f64", "=@4,t", "::emulator::ptx::real_of_real<@4, @1, @2, @3>($1)",
       "To the bit."},
      {"cvt(.rn|.rz)[.relu][.satfinite](.f16|.bf16)", "f32", "=@4,t",
       "::emulator::ptx::narrowed<@4, @1, @2, @3>($1)", "To the bit."},
      {"cvt(.rn|.rz)[.relu][.satfinite](.f16x2|.bf16x2)", "f32", "=@4,t,t",
       "::emulator::ptx::narrowed_pair<@4, @1, @2, @3>($1, $2)", "To the bit."},
      {"cvt(.rna)[.satfinite].tf32", "f32", "=b32,t",
       "::emulator::ptx::tf32_of<@1, ::emulator::ptx::Option::none, @2>($1)",
       "The lowest 13 bits are 0."},
      {"cvt(.rn|.rz)[.relu].tf32", "f32", "=b32,t",
       "::emulator::ptx::tf32_of<@1, @2, ::emulator::ptx::Option::none>($1)",
       "The lowest 13 bits are 0."},
      {"cvt.rn.satfinite[.relu](.e4m3x2|.e5m2x2)", "f32", "=@2,t,t",
       "::emulator::ptx::bytes_of<@2, @1>($1, $2)", "To the bit."},
      {"cvt.rn.satfinite[.relu](.e4m3x2|.e5m2x2)", "f16x2", "=@2,t",
       "::emulator::ptx::bytes_of_halves<@2, @1>($1)", "To the bit."},
      {"cvt.rn[.relu].f16x2", "e4m3x2 e5m2x2", "=f16x2,t",
       "::emulator::ptx::halves_of_bytes<@1>($1)", "To the bit."},
      {"cvt.pack.sat(.u16|.s16)", "s32", "=b32,s32,s32", "::emulator::ptx::packed<@1>($1, $2)"},
      {"cvt.pack.sat(.u8|.s8).s32", "b32", "=b32,s32,s32,b32",
       "::emulator::ptx::packed<@1>($1, $2, $3)"},
      {"cvt.pack.sat(.u4|.s4|.u2|.s2).s32", "b32", "=b32,s32,s32,b32",
       "::emulator::ptx::packed_bits<@1>($1, $2, $3)"},
  };
  return instructions;
}

}  // namespace emulator::compiler::ptx
