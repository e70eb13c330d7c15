// A known number of rows needs no values.
vs_5_0
dcl_constantbuffer cb0[4], immediateIndexed
dcl_input v0.xyzw
dcl_output_siv o0.xyzw, position
mad o0.xyzw, v0.xyzw, cb0[3].xyzw, cb0[2].xyzw
ret

// TEST: translate --to ptx --check ANY
// ANY: setp
// ANY: ld.global{{.*}}.v4{{.*}}%rd

// TEST: translate --to ptx --known known_rows.known.json --explain --check WHY
// WHY: no guard is needed for

// TEST: run --known known_rows.known.json --via ir,ptx,maxwell
