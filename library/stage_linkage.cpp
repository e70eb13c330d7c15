#include "library/stage_linkage.h"

#include <algorithm>

#include "frontend/sm4/declaration.h"
#include "ir/spelling.h"
#include "library/arguments.h"

namespace texlate::library {

namespace {

constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_name(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, lower, lower);
}

constexpr bool is_value(const sm4::SignatureElement& element, sm4::SystemValue value) {
  return element.system_value == static_cast<uint32_t>(value);
}

/// Is it a built-in between a stage and `next`?
bool is_system_value(const sm4::SignatureElement& element, sm4::Stage next) {
  const bool is_array_index = is_value(element, sm4::SystemValue::rendertarget_array_index) ||
                              is_value(element, sm4::SystemValue::viewport_array_index);
  if (is_array_index && (next == sm4::Stage::hull || next == sm4::Stage::geometry)) return false;
  return !is_value(element, sm4::SystemValue::undefined);
}

}  // namespace

const sm4::SignatureElement* find_element(const Signature& signature, std::string_view name, uint32_t index,
                                          uint32_t stream) {
  const auto found = std::ranges::find_if(signature, [&](const sm4::SignatureElement& element) {
    return element.semantic_index == index && element.stream == stream &&
           same_name(element.semantic_name, name);
  });
  return found != signature.end() ? &*found : nullptr;
}

// The pipeline (D3D11.3 2, 11.8): a hull shader is always followed by a domain shader, and others by any
// later one.
void require_follows(sm4::Stage next, sm4::Stage stage, std::string_view name) {
  using enum sm4::Stage;
  const bool to_rasterizer = stage == vertex || stage == domain || stage == geometry;
  const bool good = (next == pixel && to_rasterizer) ||
                    (next == geometry && (stage == vertex || stage == domain)) ||
                    (next == hull && stage == vertex);
  if (!good)
    refuse_argument("{} is a {} shader, which does not follow a {} shader", name,
                    ir::spelling(static_cast<ir::Stage>(next)), ir::spelling(static_cast<ir::Stage>(stage)));
}

void link(const Signature& outputs, const Signature& inputs, std::pmr::vector<spirv::Varying>& varyings,
          sm4::Stage next) {
  for (const sm4::SignatureElement& input : inputs) {
    if (is_system_value(input, next) || input.register_index == sm4::kNoRegister) continue;
    spirv::Varying varying{spirv::kNobody, input.register_index, 0, input.mask};
    const sm4::SignatureElement* output = find_element(outputs, input.semantic_name, input.semantic_index, 0);
    if (output != nullptr && !is_system_value(*output, next) && output->register_index != sm4::kNoRegister) {
      varying.from = output->register_index;
      varying.from_mask = output->mask;
    }
    varyings.push_back(varying);
  }
}

}  // namespace texlate::library
