#include "ir/reliance_json.h"

#include "ir/spelling.h"

namespace texlate::ir {

namespace {

void write_registers(JsonWriter& json, const KnownRegisters& of) {
  json.register_field("register", letter_of(of.file), of.first);
  if (of.last != of.first) json.register_field("last", letter_of(of.file), of.last);
  if (of.space != 0) json.field("space", of.space);
}

void write_launch_fact(JsonWriter& json, std::string_view fact, uint32_t value) {
  json.begin_object();
  json.field("launch", fact);
  json.field("value", value);
  json.end_object();
}

}  // namespace

void write_reliance(JsonWriter& json, const Reliance& reliance) {
  if (reliance.empty()) return;
  json.begin_array("relies_on");
  for (const KnownFact& known : reliance.facts) {
    json.begin_object();
    write_registers(json, known.of);
    json.field("fact", spelling(known.fact));
    json.field("value", known.value);
    json.end_object();
  }
  for (const KnownRow& known : reliance.rows) {
    json.begin_object();
    write_registers(json, known.of);
    json.field("row", known.row);
    json.field("mask", known.mask);
    json.begin_array("words");
    for (const uint32_t word : known.words) json.value(word);
    json.end_array();
    json.end_object();
  }
  for (const KnownRowCount& known : reliance.row_counts) {
    json.begin_object();
    write_registers(json, known.of);
    json.field("rows", known.count);
    json.end_object();
  }
  for (const KnownViewFormat& known : reliance.view_formats) {
    json.begin_object();
    write_registers(json, known.of);
    json.field("format", known.name);
    json.end_object();
  }
  const KnownLaunch& launch = reliance.launch;
  if (launch.elements != 0) write_launch_fact(json, "elements", launch.elements);
  if (launch.helper_lanes) write_launch_fact(json, "helper_lanes", *launch.helper_lanes ? 1 : 0);
  if (launch.early_depth) write_launch_fact(json, "early_depth", *launch.early_depth ? 1 : 0);
  json.end_array();
}

}  // namespace texlate::ir
