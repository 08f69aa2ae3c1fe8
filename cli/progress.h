// One line on the terminal that says what is going on and how long it has taken. In a pipe there is
// nothing.
#pragma once

#include <chrono>
#include <string>

namespace sightline::cli {

class Progress {
 public:
  Progress();
  ~Progress();  // the line is gone
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(const std::string& what);

 private:
  const bool shown_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace sightline::cli
