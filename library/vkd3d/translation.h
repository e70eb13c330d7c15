// A request as texlate's options for one program.
#pragma once

#include <array>
#include <vector>

#include "library/vkd3d/request.h"
#include "texlate/texlate.hpp"

namespace texlate::vkd3d {

/// Owns everything that the options refer to.
class Translation {
 public:
  Translation(const Request& request, const api::Program& program, const char* target, Messages& messages);
  /// kOk, or the status of what cannot be served, with messages.
  int status() const { return status_; }
  const texlate_translate_options& options() const { return translate_; }
  /// Is the output wrong only because of what the client's device lacks?
  bool lacks_feature(const api::Output& output) const;

 private:
  void take_bindings();
  void note_bound(texlate_register_class which, const texlate_binding& declared);
  void take_register(const texlate_binding& declared);
  bool take_push_constants(const texlate_binding& declared);
  bool take_combined_buffer(const texlate_binding& declared);
  bool is_combined(const texlate_binding& declared) const;
  void take_counter(const texlate_binding& declared);
  void take_view_format(const texlate_binding& declared);
  void take_combined();
  void take_stream_output();
  std::vector<SignatureElement> outputs_of() const;
  void take_varyings();
  void take_target();
  void take_parameters();
  void take_point_size_parameter(const std::vector<Parameter1>& all);
  void take_fixed_function(const std::vector<Parameter1>& all);
  uint32_t immediate(const std::vector<Parameter1>& all, ParameterName name, uint32_t most);
  texlate_state_value value_of(const Parameter1* parameter, float otherwise, uint32_t count);
  bool writes(uint32_t system_value) const;
  void require_position(const std::string& what);
  void take_point_size();
  void take_device();
  void place(const texlate_binding& declared, const DescriptorBinding& binding, uint32_t first_register,
             const DescriptorOffset& offset, texlate_spirv_binding& made);
  void number(texlate_spirv_binding& made);
  bool stores_buffers() const { return request_.option(OptionName::buffer_uav) == 1; }
  void refuse(int status, MessageCode code, const std::string& text);

  const Request& request_;
  const api::Program& program_;
  texlate_program_info info_;
  Messages& messages_;
  int status_ = kOk;
  uint32_t next_number_ = 0;  // of bindings, for requests that name none
  std::vector<texlate_spirv_binding> bindings_;
  std::vector<texlate_spirv_combined> combined_;
  std::vector<texlate_stream_output> stream_output_;
  std::vector<texlate_spirv_parameter> parameters_;
  std::vector<texlate_varying> varyings_;
  std::vector<texlate_uav_format> formats_;
  std::vector<std::array<uint8_t, 4>> swizzles_;
  std::vector<texlate_known_resource> known_resources_;
  std::vector<texlate_device_property> device_;
  texlate_known_state known_ = TEXLATE_KNOWN_STATE_INIT;
  texlate_fixed_function fixed_{};
  texlate_point_size point_size_{};
  texlate_spirv_options spirv_ = TEXLATE_SPIRV_OPTIONS_INIT;
  texlate_translate_options translate_ = TEXLATE_TRANSLATE_OPTIONS_INIT;
};

}  // namespace texlate::vkd3d
