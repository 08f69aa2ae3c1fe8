#include "core/export/flame_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/export/flame_layout.h"
#include "core/export/xml_text.h"
#include "core/profile/report/safe_text.h"
#include "core/profile/report/units.h"

namespace sightline::exports {
namespace {

constexpr double kWidth = 1200;
constexpr double kMargin = 10;
constexpr double kChartWidth = kWidth - 2 * kMargin;
constexpr std::size_t kChartTop = 74;
constexpr std::size_t kRowHeight = 18;
constexpr std::size_t kBottom = 10;
constexpr double kColumnWidth = 6.7;  // of a character of 11 pixels, in the fonts named below
constexpr double kPadding = 3;
constexpr std::size_t kTitleColumns = 160;
constexpr double kShortestText = 20;

struct Tint {
  std::string_view name;
  std::string_view light;
  std::string_view dark;
  std::string_view legend;  // empty: explains itself
};

constexpr std::array<Tint, 12> kTints = {{
    {kTintWhole, "#e4e7ec", "#343a44", ""},
    {kTintProject, "#c9d6f2", "#37496f", "your lines"},
    {kTintLibrary, "#e2e2dd", "#3d3d3b", "library lines"},
    {"forward", "#8fc7e8", "#1f5f86", "forward"},
    {"backward", "#f6b27f", "#8a4a17", "backward"},
    {"recompute", "#ee9ca7", "#85323f", "recompute"},
    {"engine", "#e6cfa8", "#6a5227", "engine"},
    {"optimizer", "#a6d38a", "#3c6b24", "optimizer"},
    {"data", "#f3df77", "#6f6110", "data"},
    {"copy", "#cfbbe9", "#594179", "copy"},
    {"python", "#b9c6c9", "#46565a", "python"},
    {kTintSmall, "#f0f0f0", "#2a2a2a", "small ones together"},
}};

std::string style() {
  std::string light, dark;
  for (const Tint& tint : kTints) {
    light += fmt::format(".{} {{ fill: {} }}\n", tint.name, tint.light);
    dark += fmt::format(".{} {{ fill: {} }}\n", tint.name, tint.dark);
  }
  return "<style>\n"
         "text { fill: #1c1c1c }\n.page { fill: #ffffff }\n.note { fill: #5f5f5f }\n"
         ".box { stroke: #ffffff; stroke-width: 0.5 }\n" +
         light +
         "@media (prefers-color-scheme: dark) {\n"
         "text { fill: #ececec }\n.page { fill: #1a1a1a }\n.note { fill: #a5a5a5 }\n"
         ".box { stroke: #1a1a1a }\n" +
         dark + "}\n</style>\n";
}

std::string legend() {
  std::string text;
  double x = kMargin;
  for (const Tint& tint : kTints) {
    if (tint.legend.empty()) continue;
    text += fmt::format(
        "<rect class=\"{}\" x=\"{:.1f}\" y=\"52\" width=\"11\" height=\"11\"/>"
        "<text class=\"note\" x=\"{:.1f}\" y=\"61.5\">{}</text>\n",
        tint.name, x, x + 16, tint.legend);
    x += 16 + kColumnWidth * static_cast<double>(tint.legend.size()) + 18;
  }
  return text;
}

class FlamePicture {
 public:
  explicit FlamePicture(const model::Run& run) : run_(run), tree_(run) {
    boxes_ = lay_out_flames(time_tree(run, tree_), tree_);
    for (const FlameBox& box : boxes_) deepest_ = std::max(deepest_, box.depth);
  }

  std::string draw() const {
    const std::size_t height = kChartTop + (deepest_ + 1) * kRowHeight + kBottom;
    const std::string command =
        profile::cut_right(profile::printable(run_.info.command), kTitleColumns);
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1}\" "
        "viewBox=\"0 0 {0:.0f} {1}\" font-size=\"11\" "
        "font-family=\"ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace\">\n",
        kWidth, height);
    svg += fmt::format("<title>{}</title>\n", xml_text(command));
    svg += style();
    svg += "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n";
    svg += fmt::format("<text x=\"{}\" y=\"22\" font-weight=\"bold\">{}</text>\n", kMargin,
                       xml_text(command));
    svg += fmt::format("<text class=\"note\" x=\"{}\" y=\"39\">{}</text>\n", kMargin,
                       xml_text(subtitle()));
    if (!boxes_.empty()) svg += legend();
    for (const FlameBox& box : boxes_) svg += draw_box(box);
    return svg + "</svg>\n";
  }

 private:
  double steps() const {
    return static_cast<double>(std::max<std::uint64_t>(run_.totals.counted_steps, 1));
  }

  std::string step_time(std::uint64_t ns) const {
    return profile::format_time(static_cast<double>(ns) / steps());
  }

  std::string subtitle() const {
    if (boxes_.empty()) return "no step of this run counts, so nothing was timed";
    return fmt::format("a step takes {}, the mean of {}; what is below a line was called by it",
                       step_time(boxes_.front().amount),
                       profile::format_count(steps()) + (steps() == 1 ? " step" : " steps"));
  }

  std::string draw_box(const FlameBox& box) const {
    const auto whole = static_cast<double>(boxes_.front().amount);
    const double x = kMargin + kChartWidth * static_cast<double>(box.start) / whole;
    const double width = kChartWidth * static_cast<double>(box.amount) / whole;
    const std::size_t y = kChartTop + box.depth * kRowHeight;
    const double share = 100.0 * static_cast<double>(box.amount) / whole;
    std::string tooltip = xml_text(box.name) + "\n";
    if (!box.place.empty()) tooltip += xml_text(box.place) + "\n";
    tooltip += step_time(box.amount) + ", " + profile::format_percent(share);
    std::string svg = fmt::format(
        "<g><title>{}</title><rect class=\"box {}\" x=\"{:.3f}\" y=\"{}\" width=\"{:.3f}\" "
        "height=\"{}\"/>",
        tooltip, box.tint, x, y, width, kRowHeight - 1);
    if (width >= kShortestText) {
      const auto columns = static_cast<std::size_t>((width - 2 * kPadding) / kColumnWidth);
      svg += fmt::format("<text x=\"{:.3f}\" y=\"{}\">{}</text>", x + kPadding, y + 12,
                         xml_text(profile::cut_right(profile::printable(label(box)), columns)));
    }
    return svg + "</g>\n";
  }

  // A line's box says where it is; that of an operator lies below its line.
  std::string label(const FlameBox& box) const {
    const bool is_line = box.tint == kTintProject || box.tint == kTintLibrary;
    if (box.tint == kTintWhole) return box.name + ", " + step_time(box.amount);
    if (!is_line || box.place.empty()) return box.name;
    return box.name + " " + box.place.substr(box.place.rfind('/') + 1);
  }

  const model::Run& run_;
  profile::CallTree tree_;
  std::vector<FlameBox> boxes_;
  std::size_t deepest_ = 0;
};

}  // namespace

std::string flame_graph(const model::Run& run) { return FlamePicture(run).draw(); }

}  // namespace sightline::exports
