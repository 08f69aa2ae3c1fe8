#include "server/messages.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "core/base/version.h"
#include "core/export/step_tree.h"
#include "core/export/step_tree_json.h"
#include "core/measure/measurement_json.h"
#include "core/profile/breakdown.h"
#include "core/profile/report/report_json.h"

namespace sightline::server {
namespace {

using Json = nlohmann::ordered_json;

std::string_view name_of(State state) {
  constexpr std::array<std::string_view, 8> kNames = {
      "idle", "stale", "queued", "importing", "measuring", "sampling", "done", "failed"};
  return kNames[static_cast<std::size_t>(state)];
}

std::string_view name_of(worker::Failure::Kind kind) {
  switch (kind) {
    case worker::Failure::Kind::OutOfMemory:
      return "out_of_memory";
    case worker::Failure::Kind::Unusable:
      return "unusable";
    case worker::Failure::Kind::UserCode:
    case worker::Failure::Kind::Interrupted:
      break;
  }
  return "user_code";
}

Json breakdown_json(const model::Run& run) {
  const profile::Breakdown breakdown = profile::break_down(run);
  const exports::StepTree tree = exports::step_tree(run, breakdown);
  return {{"report", profile::report_beside_tree(breakdown)},
          {"tree", exports::step_tree_json(run, tree)}};
}

Json listed_json(const ListedRun& run) {
  Json json = {{"name", run.name}};
  if (run.is_measurement) json["kind"] = measure::kMeasurementKind;
  return json;
}

std::string without_braces(const Json& json) {
  const std::string text = dump(json);
  return text.substr(1, text.size() - 2);
}

}  // namespace

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json hello_json(const Hello& hello) {
  Json runs = Json::array();
  for (const ListedRun& run : hello.runs) runs.push_back(listed_json(run));
  return {{"type", "hello"},
          {"protocol", kProtocol},
          {"version", kVersion},
          {"mode", hello.mode},
          {"project", hello.project},
          {"root", hello.root},
          {"entry", hello.entry ? Json(*hello.entry) : Json(nullptr)},
          {"watching", hello.watching},
          {"runs", runs}};
}

Json state_json(const StateFacts& facts) {
  return {{"type", "state"},
          {"state", name_of(facts.state)},
          {"analysis", facts.analysis},
          {"text", facts.text},
          {"shown", facts.shown ? Json(*facts.shown) : Json(nullptr)},
          {"current", facts.current}};
}

std::string breakdown_body(const model::Run& run) { return without_braces(breakdown_json(run)); }

std::string throughput_body(const model::Run& run) {
  return without_braces(profile::batch_part_of_report(profile::break_down(run)));
}

std::string view_message(const model::Run& run) {
  if (!run.measurement) return breakdown_message(0, false, breakdown_body(run));
  return fmt::format(R"({{"type":"measurement","measurement":{}}})",
                     measure::measurement_json(*run.measurement));
}

std::string breakdown_message(std::uint64_t analysis, bool cached, const std::string& body) {
  return fmt::format(R"({{"type":"breakdown","analysis":{},"cached":{},{}}})", analysis, cached,
                     body);
}

std::string throughput_message(std::uint64_t analysis, const std::string& body) {
  return fmt::format(R"({{"type":"throughput","analysis":{},{}}})", analysis, body);
}

std::string failure_message(std::uint64_t analysis, const worker::Failure& failure) {
  return dump({{"type", "failure"},
               {"analysis", analysis},
               {"kind", name_of(failure.kind)},
               {"what", failure.what},
               {"file", failure.file},
               {"line", failure.line},
               {"remedy", failure.remedy},
               {"details", failure.details},
               {"output", failure.output}});
}

std::string output_message(std::uint64_t analysis, const std::string& text) {
  return dump({{"type", "output"}, {"analysis", analysis}, {"text", text}});
}

std::string batch_size_message(const WrittenBatchSize& written) {
  return dump({{"type", "batch_size"},
               {"value", written.value ? Json(*written.value) : Json(nullptr)},
               {"file", written.file},
               {"line", written.line},
               {"why_not", written.why_not},
               {"can_undo", written.can_undo}});
}

std::string training_message(std::size_t run) { return dump({{"type", "training"}, {"run", run}}); }

std::string files_message(const std::vector<std::string>& changed) {
  return dump({{"type", "files"}, {"changed", changed}});
}

std::string error_message(const std::string& code, const std::string& text) {
  return dump({{"type", "error"}, {"code", code}, {"text", text}});
}

}  // namespace sightline::server
