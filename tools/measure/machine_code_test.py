#!/usr/bin/env python3
"""Tests of machine_code.py with pieces of what the compiler's tools print, and without these tools."""

import unittest

import machine_code

# A loop of two multiply-adds inside another one, as cuobjdump and as nvdisasm show it.
CUOBJDUMP = """
\t\tFunction : _Z4loopPf
\t.headerflags\t@"EF_CUDA_SM90"
        /*0000*/                   LDC R1, c[0x0][0x28] ;                     /* 0x00000a00ff017b82 */
                                                                              /* 0x000fe20000000800 */
        /*0010*/                   LDG.E R4, desc[UR8][R2.64] ;               /* 0x00 */
        /*0020*/                   LDS.128 R8, [R6] ;                         /* 0x00 */
        /*0030*/                   LDS R5, [R7+0x80] ;                        /* 0x00 */
        /*0040*/                   FFMA R0, R5, R8, R0 ;                      /* 0x00 */
        /*0050*/                   FFMA R0, R5, R9, R0 ;                      /* 0x00 */
        /*0060*/              @!P0 BRA 0x20 ;                                 /* 0x00 */
        /*0070*/                   BAR.SYNC.DEFER_BLOCKING 0x0 ;              /* 0x00 */
        /*0080*/               @P1 BRA P2, 0x10 ;                             /* 0x00 */
        /*0090*/                   EXIT ;                                     /* 0x00 */
        /*00a0*/                   BRA 0xa0;                                  /* 0x00 */
"""
NVDISASM = """
.text._Z4loopPf:
        /*0000*/                   LDC R1, c[0x0][0x28] ;
.L_x_1:
        /*0010*/                   LDG.E R4, desc[UR8][R2.64] ;
.L_x_0:
        /*0020*/                   LDS.128 R8, [R6] ;
        /*0030*/                   LDS R5, [R7+0x80] ;
        /*0040*/                   FFMA R0, R5, R8, R0 ;
        /*0050*/                   FFMA R0, R5, R9, R0 ;
        /*0060*/              @!P0 BRA `(.L_x_0) ;
        /*0070*/                   BAR.SYNC.DEFER_BLOCKING 0x0 ;
        /*0080*/               @P1 BRA P2, `(.L_x_1) ;
        /*0090*/                   EXIT ;
.L_x_2:
        /*00a0*/                   BRA `(.L_x_2);
"""
PTX = """
.visible .entry _Z4loopPf(
\t.param .u64 _Z4loopPf_param_0
)
{
\t.reg .f32 \t%f<9>;
$L__BB0_1:
\tld.global.f32 \t%f4, [%rd1];
$L__BB0_2:
\tld.shared.v4.f32 \t{%f1, %f2, %f3, %f5}, [%r1];
\tld.shared.f32 \t%f7, [%r2];
\tfma.rn.f32 \t%f8, %f1, %f7, %f8;
\tfma.rn.f32 \t%f8, %f2, %f7, %f8;
\t@%p1 bra \t$L__BB0_2;
\tbar.sync \t0;
\t@%p2 bra \t$L__BB0_1;
\tret;
}
"""


class Loops(unittest.TestCase):
    def counted(self, functions, patterns):
        self.assertEqual(list(functions), ["_Z4loopPf"])
        return machine_code.describe("loop", functions["_Z4loopPf"], (20, False), patterns)["loop"]

    def test_the_innermost_loop_in_all_three_forms(self):
        for functions, patterns in (
            (machine_code.sass_functions(CUOBJDUMP), machine_code.SASS),
            (machine_code.sass_functions(NVDISASM), machine_code.SASS),
            (machine_code.ptx_functions(PTX), machine_code.PTX),
        ):
            loop = self.counted(functions, patterns)
            self.assertEqual(loop["counts"], {"FFMA": 2, "LDS": 2, "LDG": 0, "BAR": 0, "BRA": 1})
            self.assertEqual(loop["instructions"], 5)
            self.assertEqual(loop["multiply_adds"], 2)
            self.assertEqual(loop["floats_loaded_from_shared"], 5)
            self.assertEqual("register_waits" in loop, patterns is machine_code.SASS)

    def test_an_inner_loop_that_is_gone_leaves_the_outer_one(self):
        unrolled = "\n".join(line for line in CUOBJDUMP.splitlines() if "BRA 0x20" not in line)
        loop = self.counted(machine_code.sass_functions(unrolled), machine_code.SASS)
        self.assertEqual(loop["counts"], {"FFMA": 2, "LDS": 2, "LDG": 1, "BAR": 1, "BRA": 1})

    def test_of_two_loops_the_one_that_does_little_else(self):
        later = """        /*0090*/                   FFMA R4, R5, R8, R4 ;
        /*00a0*/                   STG.E desc[UR8][R2.64], R4 ;
        /*00b0*/              @!P2 BRA 0x90 ;
        /*00c0*/                   EXIT ;
"""
        text = CUOBJDUMP[: CUOBJDUMP.index("        /*0090*/")] + later
        function = next(iter(machine_code.sass_functions(text).values()))
        loop = machine_code.innermost_loop(function, machine_code.SASS)
        self.assertEqual([line.split()[0] for line in loop], ["LDS.128", "LDS", "FFMA", "FFMA", "BRA"])

    # Multiply-adds that read two registers of one bank, and none of the other.
    EVEN, ODD, OTHER = "FFMA R0, R4, c[0x0][0x8], R0", "FFMA R1, -R5, c[0x0][0x8], R1", "FADD R0, R2, R4"

    def waits(self, clocks, *loop):
        self.assertEqual(machine_code.register_waits(loop), clocks, loop)

    def test_two_registers_of_one_bank_cost_nothing_if_what_follows_leaves_it_alone(self):
        self.waits(0, self.EVEN, self.ODD)
        self.waits(0, self.EVEN, self.OTHER)
        self.waits(0, "FFMA R0, R4, R9, R0", "FFMA R3, R5, RZ, RZ")  # two even ones and an odd one; an odd one

    def test_waits_pile_up_where_one_bank_is_asked_for_too_much(self):
        self.waits(2, self.EVEN, self.EVEN)  # in the first pass it is only 1
        self.waits(2, self.ODD, self.ODD)
        self.waits(1, self.EVEN, self.EVEN, self.OTHER)
        self.waits(2, self.EVEN, self.EVEN, self.ODD, self.ODD)  # a queue of three would be enough
        self.waits(2, "FFMA R0, R4, R8, R6")  # all three

    def test_what_is_kept_in_the_same_place_is_not_read_again(self):
        loop = ["FFMA R84, R15, R42.reuse, R84", "FFMA R87, R48, R42.reuse, R87", "FFMA R88, R49, R42.reuse, R88",
                "FFMA R91, R50, R42, R91", self.OTHER]  # fmt: skip
        self.waits(0, *loop)  # five even ones and four odd ones in five clocks
        self.waits(3, *(line.replace(".reuse", "") for line in loop))  # eight even ones
        self.waits(2, loop[0], "FFMA R87, R42.reuse, R48, R87", *loop[2:])  # kept, but for another place: seven

    def test_tensor_cores_and_the_loads_for_them(self):
        text = CUOBJDUMP.replace("FFMA", "HMMA.16816.F32.BF16").replace("LDS ", "LDSM.16.M88.4 ")
        loop = self.counted(machine_code.sass_functions(text), machine_code.TENSOR)
        self.assertEqual(loop["multiply_adds"], 2)
        self.assertEqual((loop["counts"]["HMMA"], loop["counts"]["LDSM"], loop["counts"]["LDS"]), (2, 1, 1))
        self.assertNotIn("register_waits", loop)

    def test_no_loop_that_multiplies_is_no_silent_pass(self):
        without = machine_code.sass_functions(CUOBJDUMP.replace("FFMA", "FADD"))
        with self.assertRaises(SystemExit):
            self.counted(without, machine_code.SASS)


class Registers(unittest.TestCase):
    def test_each_kernel_with_its_registers_and_whether_some_were_spilled(self):
        said = (
            "ptxas info    : Compiling entry function '_Z1av' for 'sm_90'\n"
            "ptxas info    : Function properties for _Z1av\n"
            "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
            "ptxas info    : Used 31 registers, used 1 barriers, 8192 bytes smem\n"
            "ptxas info    : Compiling entry function '_Z1bv' for 'sm_90'\n"
            "    8 bytes stack frame, 8 bytes spill stores, 8 bytes spill loads\n"
            "ptxas info    : Used 255 registers\n"
        )
        self.assertEqual(machine_code.registers(said), {"_Z1av": (31, False), "_Z1bv": (255, True)})


if __name__ == "__main__":
    unittest.main()
