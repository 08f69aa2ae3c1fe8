#include "core/profile/line_table.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "core/profile/source_lines.h"

namespace sightline::profile {
namespace {

using RowId = std::uint32_t;
constexpr RowId kNoRow = 0xffffffff;

class LineTabulator {
 public:
  LineTabulator(const model::Run& run, const CallTree& tree, const NodeSums& sums)
      : tree_(tree), sums_(sums), sources_(run) {}

  LineTable tabulate() {
    show([&](model::NodeId node) { return tree_.in_project(node); });
    charge_self();
    descend();
    charge_totals();
    charge_module_calls();
    return finish();
  }

 private:
  // Decides which nodes are rows (own_row_), and which row takes what is charged to a node.
  template <typename Visible>
  void show(Visible visible) {
    own_row_.assign(tree_.size(), kNoRow);
    charged_row_.assign(tree_.size(), kNoRow);
    for (const model::NodeId node : tree_.parents_first()) {
      if (visible(node)) own_row_[node] = row_for(node);
      charged_row_[node] =
          own_row_[node] != kNoRow ? own_row_[node] : charged_row_[tree_.parent(node)];
    }
  }

  RowId row_for(model::NodeId node) {
    const model::Frame& frame = *tree_.frame(node);
    const model::File& file = *tree_.file(node);
    const auto [it, added] = rows_by_line_.try_emplace({file.id, frame.line, frame.function},
                                                       static_cast<RowId>(rows_.size()));
    if (added) {
      LineRow row;
      row.file = file.path;
      row.line = frame.line;
      row.function = frame.function;
      row.source = sources_.line(file, frame.line);
      row.role = file.role;
      rows_.push_back(std::move(row));
    }
    return it->second;
  }

  void charge_self() {
    unattributed_ = {};
    unattributed_peak_bytes_ = 0;
    for (LineRow& row : rows_) {
      row.self = {};
      row.calls = row.allocated_bytes = row.peak_bytes = 0;
    }
    for (model::NodeId node = 0; node < tree_.size(); ++node) {
      const NodeSum& sum = sums_.of[node];
      if (charged_row_[node] == kNoRow) {
        unattributed_ += sum.times;
        unattributed_peak_bytes_ += sum.peak_bytes;
        continue;
      }
      LineRow& row = rows_[charged_row_[node]];
      row.self += sum.times;
      row.calls += sum.python_calls;
      row.allocated_bytes += sum.allocated_bytes;
      row.peak_bytes += sum.peak_bytes;
    }
  }

  void descend() {
    std::uint64_t all_ns = unattributed_.sum();
    RowId largest = kNoRow;
    for (RowId id = 0; id < rows_.size(); ++id) {
      all_ns += rows_[id].self_ns();
      if (largest == kNoRow || rows_[id].self_ns() > rows_[largest].self_ns()) largest = id;
    }
    if (all_ns == 0 || largest == kNoRow) return;
    const double share =
        static_cast<double>(rows_[largest].self_ns()) / static_cast<double>(all_ns);
    if (share <= kDescentShare) return;

    const LineRow before = rows_[largest];
    const std::vector<RowId> project_row = charged_row_;
    show([&](model::NodeId node) {
      return tree_.in_project(node) ||
             (project_row[node] == largest && tree_.file(node) != nullptr);
    });
    charge_self();
    if (rows_[largest].self_ns() != before.self_ns()) {
      descent_ = Descent{before, share * 100.0};
      descent_row_ = largest;
    }
  }

  void charge_totals() {
    std::vector<model::NodeId> charged_by(rows_.size(), model::kNone);
    for (const model::NodeId node : tree_.parents_first()) {
      const std::uint64_t cost_ns = sums_.of[node].times.sum();
      if (cost_ns == 0) continue;
      for (model::NodeId at = node; at != model::kNone; at = tree_.parent(at)) {
        const RowId row = own_row_[at];
        if (row == kNoRow || charged_by[row] == node) continue;  // a recursion counts once
        charged_by[row] = node;
        rows_[row].total_ns += cost_ns;
      }
    }
  }

  void charge_module_calls() {
    for (const model::NodeId node : tree_.parents_first()) {
      const std::uint64_t calls = sums_.of[node].module_calls;
      if (calls == 0 || tree_.module(node) == model::kNone) continue;
      for (model::NodeId at = tree_.parent(node); at != model::kNone; at = tree_.parent(at)) {
        if (tree_.in_project(at)) {
          rows_[own_row_[at]].module_calls += calls;
          break;
        }
        if (tree_.module(at) != model::kNone) break;  // that module called it, not the line
      }
    }
  }

  LineTable finish() {
    if (descent_) {
      descent_->before.total_ns = rows_[descent_row_].total_ns;
      descent_->before.module_calls = rows_[descent_row_].module_calls;
    }
    std::erase_if(rows_, [](const LineRow& row) {
      return row.total_ns == 0 && row.calls == 0 && row.module_calls == 0 &&
             row.allocated_bytes == 0 && row.peak_bytes == 0;
    });
    std::sort(rows_.begin(), rows_.end(), [](const LineRow& a, const LineRow& b) {
      const std::uint64_t a_ns = a.self_ns(), b_ns = b.self_ns();
      return std::tie(b_ns, b.total_ns, b.peak_bytes, a.file, a.line, a.function) <
             std::tie(a_ns, a.total_ns, a.peak_bytes, b.file, b.line, b.function);
    });
    return {std::move(rows_), unattributed_, unattributed_peak_bytes_, std::move(descent_)};
  }

  const CallTree& tree_;
  const NodeSums& sums_;
  SourceLines sources_;
  std::map<std::tuple<model::FileId, std::uint32_t, std::string>, RowId> rows_by_line_;
  std::vector<LineRow> rows_;
  std::vector<RowId> own_row_;      // by node: the row its frame is, if it is shown
  std::vector<RowId> charged_row_;  // by node: the row of the nearest shown ancestor or self
  KindTimes unattributed_;
  std::uint64_t unattributed_peak_bytes_ = 0;
  std::optional<Descent> descent_;
  RowId descent_row_ = kNoRow;
};

}  // namespace

LineTable tabulate_lines(const model::Run& run, const CallTree& tree, const NodeSums& sums) {
  return LineTabulator(run, tree, sums).tabulate();
}

}  // namespace sightline::profile
