// The verbs of the program, one file each. They print, and return the exit code.
#pragma once

#include <string>
#include <vector>

namespace sightline::cli {

int init_main(const std::vector<std::string>& arguments);
int profile_main(const std::vector<std::string>& arguments);
int interactive_main(const std::vector<std::string>& arguments);
int run_main(const std::vector<std::string>& arguments);
int report_main(const std::vector<std::string>& arguments);
int view_main(const std::vector<std::string>& arguments);
int watch_main(const std::vector<std::string>& arguments);
int compare_main(const std::vector<std::string>& arguments);
int gate_main(const std::vector<std::string>& arguments);
int measure_main(const std::vector<std::string>& arguments);
int export_main(const std::vector<std::string>& arguments);
int demo_main(const std::vector<std::string>& arguments);
int doctor_main(const std::vector<std::string>& arguments);

}  // namespace sightline::cli
