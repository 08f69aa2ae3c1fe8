// Tests that use the program as a shell does. For tests only.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <string>

#include "core/base/test_folder.h"

namespace sightline::cli {

struct Outcome {
  int code = 0;
  std::string output;  // of both streams
};

class ShellTest : public testing::Test {
 protected:
  // Runs a line of shell in the folder, where $S is the program. Environments of the developer are
  // switched off.
  Outcome shell(const std::string& line) const {
    const std::string command = "cd '" + folder_.path().string() +
                                "' && unset VIRTUAL_ENV CONDA_PREFIX; export S='" +
                                SIGHTLINE_PROGRAM + "'; { " + line + "; } 2>&1";
    Outcome outcome;
    FILE* pipe = popen(command.c_str(), "r");
    char buffer[4096];
    while (const std::size_t size = fread(buffer, 1, sizeof buffer, pipe)) {
      outcome.output.append(buffer, size);
    }
    const int status = pclose(pipe);
    outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return outcome;
  }

  TestFolder folder_;
};

}  // namespace sightline::cli
