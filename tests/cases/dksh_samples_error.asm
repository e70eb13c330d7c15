// What a deko3d program cannot know is refused in its name.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_output o0.xyzw
sampleinfo o0.xyzw, rasterizer.xyzw
ret

// TEST: error --to dksh
// CHECK: error: sampleinfo: the number of the render target's samples cannot be expressed on dksh
