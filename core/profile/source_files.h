// Whose file is it, how is it called in the report, and what does it say. Decided once for each
// file, on the machine that records.
#pragma once

#include <map>
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

  // The cells of notebooks and generated code are in no file; only the interpreter may know their
  // texts. These are the names, in UTF-8, of all such code met so far whose text is to be kept.
  std::vector<std::string> names_without_text() const;
  // Adds what is known of them to the delta: texts by name.
  void add_texts(const std::map<std::string, std::string>& texts, model::Delta& delta);

 private:
  void keep(std::string text, model::File& file, model::Delta& delta);

  SourceOptions options_;
  std::unordered_set<std::string> kept_;  // hashes of the texts given out
  std::vector<model::File> without_text_;
};

}  // namespace sightline::profile
