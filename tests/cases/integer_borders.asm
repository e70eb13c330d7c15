// Border colors of integer textures are integers, also where gather4_po reads its texels itself.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_sampler s0, mode_default
dcl_sampler s1, mode_default
dcl_resource_texture2d (uint,uint,uint,uint) t0
dcl_resource_texture2d (sint,sint,sint,sint) t1
dcl_output o0.xyzw
dcl_output o1.xyzw
dcl_output o2.xyzw
dcl_output o3.xyzw
dcl_temps 1
gather4_indexable(texture2d)(uint,uint,uint,uint) r0.xyzw, l(-2.0, 0.5, 0, 0), t0.xyzw, s0.x
utof o0.xyzw, r0.xyzw
gather4_po_indexable(texture2d)(uint,uint,uint,uint) r0.xyzw, l(0.5, 0.5, 0, 0), l(-4, 0, 0, 0), t0.xyzw, s0.x
utof o1.xyzw, r0.xyzw
gather4_indexable(texture2d)(sint,sint,sint,sint) r0.xyzw, l(-2.0, 0.5, 0, 0), t1.xyzw, s1.y
itof o2.xyzw, r0.xyzw
gather4_po_indexable(texture2d)(sint,sint,sint,sint) r0.xyzw, l(0.5, 0.5, 0, 0), l(0, -3, 0, 0), t1.xyzw, s1.y
itof o3.xyzw, r0.xyzw
ret

// TEST: run --scene integer_borders.json --via ir,ptx,maxwell
// TEST: run --scene integer_borders.json --via ir,vulkan
