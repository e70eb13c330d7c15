#include "ir/spelling.h"

#include <algorithm>
#include <array>

namespace texlate::ir {

std::string_view spelling(Dimension dimension) {
  switch (dimension) {
    case Dimension::buffer: return "buffer";
    case Dimension::texture1d: return "texture1d";
    case Dimension::texture1d_array: return "texture1darray";
    case Dimension::texture2d: return "texture2d";
    case Dimension::texture2d_array: return "texture2darray";
    case Dimension::texture2d_ms: return "texture2dms";
    case Dimension::texture2d_ms_array: return "texture2dmsarray";
    case Dimension::texture3d: return "texture3d";
    case Dimension::texture_cube: return "texturecube";
    case Dimension::texture_cube_array: return "texturecubearray";
    case Dimension::raw_buffer: return "raw_buffer";
    case Dimension::structured_buffer: return "structured_buffer";
  }
  return {};
}

std::string_view spelling(ComponentType type) {
  switch (type) {
    case ComponentType::none: return "none";
    case ComponentType::unorm: return "unorm";
    case ComponentType::snorm: return "snorm";
    case ComponentType::sint: return "sint";
    case ComponentType::uint: return "uint";
    case ComponentType::float_: return "float";
    case ComponentType::mixed: return "mixed";
    case ComponentType::double_: return "double";
  }
  return {};
}

std::string_view spelling(AtomicOp op) {
  switch (op) {
    case AtomicOp::add: return "add";
    case AtomicOp::and_: return "and";
    case AtomicOp::or_: return "or";
    case AtomicOp::xor_: return "xor";
    case AtomicOp::imin: return "imin";
    case AtomicOp::imax: return "imax";
    case AtomicOp::umin: return "umin";
    case AtomicOp::umax: return "umax";
    case AtomicOp::exchange: return "exchange";
    case AtomicOp::compare_exchange: return "compare_exchange";
  }
  return {};
}

std::string_view spelling(CounterOp op) {
  switch (op) {
    case CounterOp::alloc: return "alloc";
    case CounterOp::consume: return "consume";
  }
  return {};
}

std::string_view spelling(BindingFact fact) {
  switch (fact) {
    case BindingFact::bound: return "bound";
    case BindingFact::width: return "width";
    case BindingFact::height: return "height";
    case BindingFact::depth: return "depth";
    case BindingFact::layers: return "layers";
    case BindingFact::levels: return "levels";
    case BindingFact::samples: return "samples";
    case BindingFact::bytes: return "bytes";
    case BindingFact::keep0: return "keep0";
    case BindingFact::keep1: return "keep1";
    case BindingFact::keep2: return "keep2";
    case BindingFact::keep3: return "keep3";
    case BindingFact::missing_alpha: return "missing_alpha";
    case BindingFact::reference_scale: return "reference_scale";
    case BindingFact::row_pitch: return "row_pitch";
    case BindingFact::slice_pitch: return "slice_pitch";
    case BindingFact::counter: return "counter";
    case BindingFact::compare_function: return "compare_function";
    case BindingFact::linear_filter: return "linear_filter";
    case BindingFact::linear_mip: return "linear_mip";
    case BindingFact::address_u: return "address_u";
    case BindingFact::address_v: return "address_v";
    case BindingFact::address_w: return "address_w";
    case BindingFact::border_red: return "border_red";
    case BindingFact::border_green: return "border_green";
    case BindingFact::border_blue: return "border_blue";
    case BindingFact::border_alpha: return "border_alpha";
    case BindingFact::min_lod: return "min_lod";
    case BindingFact::max_lod: return "max_lod";
    case BindingFact::lod_bias: return "lod_bias";
    case BindingFact::max_anisotropy: return "max_anisotropy";
  }
  return {};
}

std::string_view letter_of(RegisterFile file) {
  switch (file) {
    case RegisterFile::resource: return "t";
    case RegisterFile::uav: return "u";
    case RegisterFile::sampler: return "s";
    case RegisterFile::constant_buffer: return "cb";
  }
  return {};
}

std::string_view spelling(Stage stage) {
  switch (stage) {
    case Stage::pixel: return "pixel";
    case Stage::vertex: return "vertex";
    case Stage::geometry: return "geometry";
    case Stage::hull: return "hull";
    case Stage::domain: return "domain";
    case Stage::compute: return "compute";
  }
  return {};
}

std::string_view spelling(SystemValue value) {
  switch (value) {
    case SystemValue::none: return "none";
    case SystemValue::position: return "position";
    case SystemValue::clip_distance: return "clip_distance";
    case SystemValue::cull_distance: return "cull_distance";
    case SystemValue::render_target_array_index: return "render_target_array_index";
    case SystemValue::viewport_array_index: return "viewport_array_index";
    case SystemValue::vertex_id: return "vertex_id";
    case SystemValue::primitive_id: return "primitive_id";
    case SystemValue::instance_id: return "instance_id";
    case SystemValue::is_front_face: return "is_front_face";
    case SystemValue::sample_index: return "sample_index";
    case SystemValue::quad_edge_u0: return "quad_edge_u0";
    case SystemValue::quad_edge_v0: return "quad_edge_v0";
    case SystemValue::quad_edge_u1: return "quad_edge_u1";
    case SystemValue::quad_edge_v1: return "quad_edge_v1";
    case SystemValue::quad_inside_u: return "quad_inside_u";
    case SystemValue::quad_inside_v: return "quad_inside_v";
    case SystemValue::tri_edge_u: return "tri_edge_u";
    case SystemValue::tri_edge_v: return "tri_edge_v";
    case SystemValue::tri_edge_w: return "tri_edge_w";
    case SystemValue::tri_inside: return "tri_inside";
    case SystemValue::line_detail: return "line_detail";
    case SystemValue::line_density: return "line_density";
    case SystemValue::thread_id: return "thread_id";
    case SystemValue::thread_group_id: return "thread_group_id";
    case SystemValue::thread_id_in_group: return "thread_id_in_group";
    case SystemValue::thread_id_in_group_flattened: return "thread_id_in_group_flattened";
    case SystemValue::coverage: return "coverage";
    case SystemValue::inner_coverage: return "inner_coverage";
    case SystemValue::depth: return "depth";
    case SystemValue::depth_greater_equal: return "depth_greater_equal";
    case SystemValue::depth_less_equal: return "depth_less_equal";
    case SystemValue::stencil_ref: return "stencil_ref";
    case SystemValue::coverage_out: return "coverage_out";
    case SystemValue::output_control_point_id: return "output_control_point_id";
    case SystemValue::fork_instance_id: return "fork_instance_id";
    case SystemValue::join_instance_id: return "join_instance_id";
    case SystemValue::gs_instance_id: return "gs_instance_id";
    case SystemValue::domain_point: return "domain_point";
    case SystemValue::primitive_register: return "primitive_register";
  }
  return {};
}

std::string_view spelling(Interpolation interpolation) {
  switch (interpolation) {
    case Interpolation::undefined: return "undefined";
    case Interpolation::constant: return "constant";
    case Interpolation::linear: return "linear";
    case Interpolation::linear_centroid: return "linear_centroid";
    case Interpolation::linear_noperspective: return "linear_noperspective";
    case Interpolation::linear_noperspective_centroid: return "linear_noperspective_centroid";
    case Interpolation::linear_sample: return "linear_sample";
    case Interpolation::linear_noperspective_sample: return "linear_noperspective_sample";
  }
  return {};
}

std::string_view spelling(HullPhase phase) {
  switch (phase) {
    case HullPhase::control_point: return "control_point";
    case HullPhase::fork: return "fork";
    case HullPhase::join: return "join";
  }
  return {};
}

std::string_view spelling(Type type) {
  switch (type) {
    case Type::b1: return "b1";
    case Type::b32: return "b32";
    case Type::b64: return "b64";
  }
  return {};
}

namespace {

constexpr std::array<Op, kOpCount> sorted_ops() {
  std::array<Op, kOpCount> ops{};
  for (uint32_t i = 0; i < kOpCount; ++i) ops[i] = static_cast<Op>(i);
  std::sort(ops.begin(), ops.end(), [](Op a, Op b) { return info(a).text < info(b).text; });
  return ops;
}
constexpr std::array<Op, kOpCount> kSortedOps = sorted_ops();

constexpr bool spellings_differ() {
  for (uint32_t i = 1; i < kOpCount; ++i) {
    if (info(kSortedOps[i - 1]).text == info(kSortedOps[i]).text) return false;
  }
  return true;
}
static_assert(spellings_differ(), "two operations have one spelling");

}  // namespace

std::optional<Op> parse_op(std::string_view text) {
  const auto found = std::lower_bound(kSortedOps.begin(), kSortedOps.end(), text,
                                      [](Op op, std::string_view wanted) { return info(op).text < wanted; });
  if (found == kSortedOps.end() || info(*found).text != text) return std::nullopt;
  return *found;
}

}  // namespace texlate::ir
