#include "sim/scene/scene.h"

#include <cstring>

namespace texlate::sim {

std::array<uint32_t, 2> Scene::pixel_of(uint32_t element) const {
  const uint32_t quad = element / 4, quads = (width_ + 1) / 2;
  return {quad % quads * 2 + element % 2, quad / quads * 2 + element % 4 / 2};
}

void Scene::cover_pixels() {
  if (width_ % 2 == 0 && height_ % 2 == 0) return;
  covered_.resize(element_count_);
  for (uint32_t element = 0; element < element_count_; ++element) {
    const auto [x, y] = pixel_of(element);
    covered_[element] = x < width_ && y < height_ ? kCoveredPixel : 0;
  }
}

void Scene::keep_initial_uavs() {
  size_t first = 0;
  for (UavMemory& uav : uavs_) {
    uav.initial.assign(uav.memory.begin(), uav.memory.end());
    uav_ranges_.push_back({uav.name, first, (uav.memory.size() + 3) / 4, uav.format});
    first += uav_ranges_.back().count;
  }
}

void Scene::reset_uavs() {
  for (UavMemory& uav : uavs_) std::memcpy(uav.memory.data(), uav.initial.data(), uav.initial.size());
}

Scene::UavContents Scene::initial_uavs() const {
  UavContents contents;
  for (const UavMemory& uav : uavs_) contents.push_back(uav.initial);
  return contents;
}

void Scene::set_initial_uavs(const UavContents& contents) {
  for (size_t i = 0; i < uavs_.size(); ++i) uavs_[i].initial = contents[i];
}

void Scene::continue_uavs() {
  for (UavMemory& uav : uavs_) uav.initial.assign(uav.memory.begin(), uav.memory.end());
}

std::vector<uint32_t> Scene::uav_words() const {
  std::vector<uint32_t> words;
  for (size_t i = 0; i < uavs_.size(); ++i) {
    words.resize(uav_ranges_[i].first + uav_ranges_[i].count, 0);
    if (!uavs_[i].memory.empty()) {
      std::memcpy(words.data() + uav_ranges_[i].first, uavs_[i].memory.data(), uavs_[i].memory.size());
    }
  }
  return words;
}

}  // namespace texlate::sim
