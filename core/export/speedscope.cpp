#include "core/export/speedscope.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/base/version.h"
#include "core/export/weight_tree.h"
#include "core/profile/report/safe_text.h"

namespace sightline::exports {
namespace {

using Json = nlohmann::ordered_json;
using model::NodeId;
using profile::CallTree;
using profile::valid_utf8;

// What both profiles name. A frame is a line of a function, an operator or a category.
class Frames {
 public:
  explicit Frames(const CallTree& tree) : tree_(tree) {}

  std::size_t of(NodeId node) {
    const model::Frame* frame = tree_.frame(node);
    const model::FrameId id = frame == nullptr ? model::kNone : frame->id;
    const auto [it, added] = by_frame_.try_emplace(id, rows_.size());
    if (!added) return it->second;
    Json row = {{"name", valid_utf8(label_of(tree_, node))}};
    if (const model::File* file = tree_.file(node)) {
      row["file"] = valid_utf8(file->path);
      row["line"] = frame->line;
    }
    rows_.push_back(std::move(row));
    return it->second;
  }

  std::size_t of(const std::string& name) {
    const auto [it, added] = by_name_.try_emplace(name, rows_.size());
    if (added) rows_.push_back({{"name", valid_utf8(name)}});
    return it->second;
  }

  Json take() { return std::move(rows_); }

 private:
  const CallTree& tree_;
  Json rows_ = Json::array();
  std::map<model::FrameId, std::size_t> by_frame_;
  std::map<std::string, std::size_t> by_name_;
};

// Divides amounts that come one after the other so that the quotients add up.
class EvenShares {
 public:
  explicit EvenShares(std::uint64_t divisor) : divisor_(divisor) {}

  std::uint64_t next(std::uint64_t amount) {
    sum_ += amount;
    // Not (sum + half) / divisor, which could overflow.
    const std::uint64_t rounded =
        sum_ / divisor_ + (sum_ % divisor_ >= divisor_ - divisor_ / 2 ? 1 : 0);
    const std::uint64_t share = rounded - given_;
    given_ = rounded;
    return share;
  }

 private:
  std::uint64_t divisor_;
  std::uint64_t sum_ = 0;
  std::uint64_t given_ = 0;
};

Json profile_of(const WeightTree& weights, Frames& frames, std::uint64_t divisor, const char* name,
                const char* unit) {
  Json samples = Json::array();
  Json shares = Json::array();
  EvenShares divided(divisor);
  std::uint64_t sum = 0;
  std::vector<std::size_t> stack;
  const auto enter = [&](NodeId node) {
    if (node != model::kNone) stack.push_back(frames.of(node));
    for (const Leaf& leaf : weights.leaves[node]) {
      const std::uint64_t share = divided.next(leaf.amount);
      if (share == 0) continue;
      std::vector<std::size_t> sample = stack;
      if (sample.empty()) sample.push_back(frames.of(model::kNone));
      if (!leaf.name.empty()) sample.push_back(frames.of(leaf.name));
      samples.push_back(std::move(sample));
      shares.push_back(share);
      sum += share;
    }
  };
  walk(weights, enter, [&](NodeId node) {
    if (node != model::kNone) stack.pop_back();
  });
  return {{"type", "sampled"}, {"name", name},       {"unit", unit},     {"startValue", 0},
          {"endValue", sum},   {"samples", samples}, {"weights", shares}};
}

}  // namespace

std::string speedscope(const model::Run& run) {
  const CallTree tree(run);
  Frames frames(tree);
  Json profiles = Json::array();
  profiles.push_back(profile_of(time_tree(run, tree), frames,
                                std::max<std::uint64_t>(run.totals.counted_steps, 1),
                                "time of a step", "nanoseconds"));
  if (run.memory.known) {
    profiles.push_back(
        profile_of(peak_tree(run, tree), frames, 1, "memory alive at the peak", "bytes"));
  }
  const Json file = {{"$schema", "https://www.speedscope.app/file-format-schema.json"},
                     {"exporter", std::string("sightline ") + kVersion},
                     {"name", valid_utf8(run.info.command)},
                     {"activeProfileIndex", 0},
                     {"shared", {{"frames", frames.take()}}},
                     {"profiles", std::move(profiles)}};
  return file.dump() + "\n";
}

}  // namespace sightline::exports
