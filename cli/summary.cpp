#include "cli/summary.h"

#include <unistd.h>

#include <cstdio>
#include <system_error>

#include "cli/complaint.h"
#include "cli/run_name.h"
#include "cli/terminal.h"
#include "core/profile/report/report_text.h"
#include "core/store/run_reader.h"

namespace sightline::cli {

void print_summary(const std::filesystem::path& run) {
  const Result<model::Run> read = store::read_run(run);
  if (!read) {
    complain(read.error());
    return;
  }
  std::error_code ignored;
  profile::TextOptions text;
  text.run_path = path_from(std::filesystem::current_path(ignored), run);
  text.color = use_color(ColorWhen::Auto, STDERR_FILENO);
  text.ascii = !can_show_utf8();
  text.width = terminal_width(STDERR_FILENO);
  const std::string summary = profile::render_summary(profile::break_down(read.value()), text);
  std::fputs(("\n" + summary).c_str(), stderr);
}

}  // namespace sightline::cli
