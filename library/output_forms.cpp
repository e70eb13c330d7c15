#include "library/output_forms.h"

#include <array>
#include <cassert>

#include "library/target_list.h"

namespace texlate::library {

namespace {

struct Forms {
  std::array<OutputForm, 16> list;
  size_t count = 0;
  void add(const OutputForm& form) {
    assert(count < list.size());
    list[count++] = form;
  }
  void add(std::span<const backend::Target> targets) {
    for (const backend::Target& target : targets) add(form_of(target));
  }
};

Forms make_forms() {
  Forms forms;
#define TEXLATE_ADD_TARGET(name) forms.add(name::targets());
  TEXLATE_FOR_EACH_TARGET(TEXLATE_ADD_TARGET)
#undef TEXLATE_ADD_TARGET
  forms.add({"ir", "the texture IR", ".ir", OutputForm::Kind::ir, nullptr});
  forms.add({"asm", "shader assembly", ".asm", OutputForm::Kind::assembly, nullptr});
  forms.add({"dxbc", "a container", ".dxbc", OutputForm::Kind::dxbc, nullptr});
  return forms;
}

}  // namespace

std::span<const OutputForm> output_forms() {
  static const Forms kForms = make_forms();
  return {kForms.list.data(), kForms.count};
}

const OutputForm* find_output_form(std::string_view name) {
  for (const OutputForm& form : output_forms()) {
    if (form.name == name) return &form;
  }
  return nullptr;
}

const backend::Target* find_target(std::string_view name) {
  const OutputForm* form = find_output_form(name);
  return form != nullptr ? form->target : nullptr;
}

}  // namespace texlate::library
