#include <nlohmann/json.hpp>

#include "core/measure/measurement_json.h"
#include "core/measure/report/measurement_report.h"
#include "core/profile/report/json_values.h"

namespace sightline::measure {

std::string render_measurement_json(const model::RunInfo& info,
                                    const model::Measurement& measurement) {
  auto json = nlohmann::ordered_json::parse(measurement_json(measurement));
  json["run"] = profile::run_json(info);
  return json.dump(2) + "\n";
}

}  // namespace sightline::measure
