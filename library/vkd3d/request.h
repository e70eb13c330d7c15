// The parsed request of a client of vkd3d-shader (vkd3d_shader.h of vkd3d 1.2, "struct
// vkd3d_shader_compile_info" and the structures allowed in its chain).
#pragma once

// clang-format off
#include <cstddef>  // vkd3d_shader.h does not include <stddef.h>
#include <vkd3d_shader.h>
// clang-format on

#include <array>
#include <string>
#include <vector>

#include "texlate/texlate.h"

namespace texlate::vkd3d {

/// The structures of a request by type; null if not in the chain.
struct Request {
  const vkd3d_shader_compile_info* compile = nullptr;
  const vkd3d_shader_interface_info* interface = nullptr;
  const vkd3d_shader_transform_feedback_info* transform_feedback = nullptr;
  const vkd3d_shader_spirv_target_info* target = nullptr;
  bool is_known = true;  // every structure of the chain is one of these, or one for tessellation

  explicit Request(const vkd3d_shader_compile_info* info);
  /// The last value of an option, which overrides earlier ones; 0 if it is absent.
  uint32_t option(vkd3d_shader_compile_option_name name) const;
  bool allows(vkd3d_shader_spirv_extension extension) const;
};

/// Why the request needs the real library; empty if texlate supports all of it.
std::string reason_to_pass_on(const Request& request);

/// The request as options of texlate for one program. Owns everything that `options` refers to.
class Options {
 public:
  Options(const Request& request, const texlate_program* program, texlate_stage stage);
  /// A part of the request that texlate's interface cannot express; empty if there is none.
  const std::string& obstacle() const { return obstacle_; }
  const texlate_translate_options* get() const { return &translate_; }

 private:
  void take_bindings();
  void take_register(const texlate_binding& declared);
  void take_counter(const texlate_binding& declared);
  void take_combined();
  void take_push_constants();
  void take_stream_output();
  void take_target();
  bool is_visible(vkd3d_shader_visibility visibility) const;

  const Request& request_;
  const texlate_program* program_;
  texlate_stage stage_;
  std::string obstacle_;
  std::vector<texlate_spirv_binding> bindings_;
  std::vector<texlate_spirv_combined> combined_;
  std::vector<texlate_stream_output> stream_output_;
  std::vector<texlate_spirv_parameter> parameters_;
  std::vector<texlate_uav_format> formats_;
  std::vector<std::array<uint8_t, 4>> swizzles_;
  texlate_spirv_options spirv_ = TEXLATE_SPIRV_OPTIONS_INIT;
  texlate_translate_options translate_ = TEXLATE_TRANSLATE_OPTIONS_INIT;
};

}  // namespace texlate::vkd3d
