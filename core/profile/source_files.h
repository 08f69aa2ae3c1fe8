// Whose file is it, how is it called in the report, and what does it say. Decided once for each
// file, on the machine that records.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "core/base/export.h"
#include "core/model/run.h"

namespace sightline::profile {

struct SourceOptions {
  std::string root;                       // absolute
  std::vector<std::string> library_dirs;  // import folders that are not the user's, absolute
  std::vector<std::string> included;      // packages to show as if they were the project's
  bool keep_source = true;
};

class SIGHTLINE_API SourceFiles {
 public:
  explicit SourceFiles(SourceOptions options);

  // Fills role and path of a file whose absolute_path is what the interpreter calls it.
  void describe(model::File& file) const;
  // Describes all files of the delta and adds the texts that are to be kept.
  void complete(model::Delta& delta);

 private:
  SourceOptions options_;
  std::unordered_set<std::string> kept_;  // hashes of the texts given out
};

}  // namespace sightline::profile
