// Pairs of runs made by hand, for the tests of comparisons.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/profile/source_lines.h"
#include "core/profile/test_runs.h"

namespace sightline::profile {

inline constexpr std::uint64_t kComparedSteps = 40;

inline const char kTrainText[] =
    "import torch\n"
    "from net import Net\n"
    "\n"
    "for x, y in loader:\n"
    "    optimizer.zero_grad()\n"
    "    loss = criterion(model(x), y)\n"
    "    loss.backward()\n"
    "    optimizer.step()\n";
inline const char kNetText[] =
    "class Net(nn.Module):\n"
    "    def forward(self, x):\n"
    "        x = self.features(x)\n"
    "        return self.head(x.flatten(1))\n";

// A training run that is described by what its lines take in a step.
struct RunSketch {
  std::string train_text = kTrainText;
  std::string net_text = kNetText;
  std::string net_path = "net.py";
  std::string net_function = "Net.forward";
  // Microseconds of a step by a part of the line's text; the line must be there once.
  std::map<std::string, std::uint64_t> train_us = {
      {"loader:", 300}, {"criterion(", 700}, {"loss.backward", 200}, {"optimizer.step", 800}};
  std::map<std::string, std::uint64_t> net_us = {{"features(", 6000}, {"head(", 2000}};
  std::uint64_t noise_us = 20;  // a step is longer or shorter by that, in turn
  std::uint64_t batch_size = 32;
  std::uint64_t activation_bytes = 6 << 20;
};

inline std::uint32_t number_of_line(const std::string& text, const std::string& part) {
  std::uint32_t number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    if (line.find(part) != std::string_view::npos) return number;
  }
  return 0;
}

inline model::Run run_of(const RunSketch& sketch) {
  RunBuilder builder;
  const auto train = builder.file("train.py", model::FileRole::Project, sketch.train_text);
  const auto net = builder.file(sketch.net_path, model::FileRole::Project, sketch.net_text);
  const auto root = builder.module(0, "", "Net");
  std::map<model::CostKind, std::uint64_t> step_ns;
  std::uint64_t wall_ns = 0;
  const auto cost = [&](model::NodeId node, model::CostKind kind, std::uint64_t us) {
    builder.cost(node, kind, us * 1000 * kComparedSteps);
    step_ns[kind] += us * 1000;
    wall_ns += us * 1000;
  };
  const auto call = builder.node(0, train, number_of_line(sketch.train_text, "model("), "<module>");
  for (const auto& [part, us] : sketch.train_us) {
    const auto kind = part == "loader:"          ? model::CostKind::Data
                      : part == "loss.backward"  ? model::CostKind::Engine
                      : part == "optimizer.step" ? model::CostKind::Optimizer
                                                 : model::CostKind::Forward;
    cost(builder.node(0, train, number_of_line(sketch.train_text, part), "<module>"), kind, us);
  }
  for (const auto& [part, us] : sketch.net_us) {
    const auto name = part.substr(0, part.find('('));
    const auto child = builder.module(root, name, name == "head" ? "Linear" : "Sequential", 4096);
    const auto line = builder.node(
        builder.node(call, net, number_of_line(sketch.net_text, part), sketch.net_function, root),
        net, number_of_line(sketch.net_text, part), sketch.net_function, child);
    cost(line, model::CostKind::Forward, us);
    builder.peak(line, model::Category::Activation, sketch.activation_bytes);
    builder.peak(line, model::Category::Parameter, 4096);
  }
  cost(0, model::CostKind::Python, 50);

  model::Run& run = builder.run();
  run.totals.steps = kComparedSteps + 3;
  run.totals.counted_steps = kComparedSteps;
  run.totals.batch_size = sketch.batch_size;
  run.memory.process_peak_bytes = 300 << 20;
  run.info.device = "cpu";
  run.info.threads = 2;
  run.info.framework = "torch";
  run.info.framework_version = "2.13.0";
  run.info.started = "2025-03-01T12:00:00+00:00";
  for (std::uint64_t index = 0; index < kComparedSteps; ++index) {
    const std::uint64_t noise_ns = sketch.noise_us * 1000;
    const std::uint64_t forward = step_ns[model::CostKind::Forward] +
                                  (index % 2 == 0 ? noise_ns : 0) - (index % 2 == 0 ? 0 : noise_ns);
    builder.step(index + 3, model::StepRole::Counted,
                 wall_ns + forward - step_ns[model::CostKind::Forward]);
    for (const auto& [kind, ns] : step_ns) {
      run.steps.back().kind_ns[static_cast<std::size_t>(kind)] =
          kind == model::CostKind::Forward ? forward : ns;
    }
  }
  return std::move(run);
}

}  // namespace sightline::profile
