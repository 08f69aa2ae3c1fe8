// A measurement for tests, in which no two numbers of a kind are the same.
#pragma once

#include "core/model/measurement.h"

namespace sightline::measure {

inline model::Work some_work(std::uint64_t first) {
  model::Work work;
  for (model::PassNumbers* numbers : {&work.macs, &work.effective_macs, &work.flops, &work.bytes}) {
    *numbers = {first, first + 1, first + 2};
    first += 3;
  }
  return work;
}

inline model::Measurement some_measurement() {
  model::Measurement measurement;
  measurement.model = "net.py";
  measurement.inputs = "2x3x8x8";
  measurement.batch_size = 2;
  measurement.training_mode = true;
  measurement.parameters = {40, 30, 10, 4};
  measurement.size_bytes = 176;
  measurement.work = some_work(1000);
  measurement.footprint = {176, 5000, std::nullopt, true};
  measurement.times_ms = {1.5, 1.25, 3, 1.75};
  model::MeasuredLayer whole;
  whole.type = "Net";
  whole.inputs = "2x3x8x8";
  whole.outputs = "2x10";
  whole.parameters = {40, 30, 10, 4};
  whole.parameter_bytes = 176;
  whole.work = some_work(1000);
  whole.activation_bytes = 80;
  whole.peak_bytes = 5000;
  model::MeasuredLayer part = whole;
  part.parent = 1;
  part.path = "body.0";
  part.type = "Conv2d";
  part.file = "/home/a/net.py";
  part.line = 12;
  part.work = some_work(100);
  part.peak_bytes = std::nullopt;
  part.times_ms = {0.1, 0.3};
  measurement.layers = {whole, part};
  measurement.operators = {{"aten::conv2d", 2, some_work(100), 0.625},
                           {"aten::relu", 1, some_work(10), std::nullopt}};
  measurement.uncounted = {{"mine::secret", 3, 0.25}, {"aten::_linalg_eigh", 1, std::nullopt}};
  return measurement;
}

}  // namespace sightline::measure
