#include "server/edit/batch_size_edits.h"

#include <fmt/format.h>

#include <utility>

#include "server/edit/source_edit.h"

namespace sightline::server {
namespace {

constexpr std::int64_t kLargest = 1 << 24;

}  // namespace

BatchSizeEdits::BatchSizeEdits(std::filesystem::path entry, std::filesystem::path root,
                               std::uint64_t given)
    : entry_(std::move(entry)), root_(std::move(root)), given_(given) {}

Result<BatchSizeDefault> BatchSizeEdits::find() const {
  if (given_ != 0) {
    return Error{ErrorKind::Unsupported,
                 fmt::format("this session was started with --batch-size {0}, which stands in "
                             "place of the code's. Start it without, or with another",
                             given_)};
  }
  return find_batch_size_default(entry_, root_);
}

WrittenBatchSize BatchSizeEdits::written() const {
  const Result<BatchSizeDefault> found = find();
  WrittenBatchSize written;
  if (!found) {
    written.why_not = found.error().message;
    return written;
  }
  written.value = found->value;
  written.file = found->file.lexically_relative(root_).generic_string();
  written.line = found->line;
  written.can_undo = !changes_.empty() && changes_.back().file == found->file &&
                     changes_.back().after == found->written;
  return written;
}

Result<void> BatchSizeEdits::set(std::int64_t batch_size, std::optional<std::int64_t> expected) {
  if (batch_size < 1 || batch_size > kLargest) {
    return Error{ErrorKind::InvalidArgument,
                 fmt::format("a batch size is a number from 1 to {}", kLargest)};
  }
  const Result<BatchSizeDefault> found = find();
  if (!found) return found.error();
  if (expected && *expected != found->value) {
    return Error{ErrorKind::InvalidArgument,
                 fmt::format("{} was changed meanwhile: it says {}, and not {}. Nothing was "
                             "written; ask again to put {} there",
                             place_of(found.value()), found->written, *expected, batch_size)};
  }
  const std::string text = std::to_string(batch_size);
  Result<void> replaced = replace(found.value(), text);
  if (replaced) changes_.push_back({found->file, found->written, text});
  return replaced;
}

Result<void> BatchSizeEdits::undo() {
  if (changes_.empty()) return Error{ErrorKind::InvalidArgument, "there is nothing to take back"};
  const Result<BatchSizeDefault> found = find();
  if (!found) return found.error();
  const Change& last = changes_.back();
  if (found->file != last.file || found->written != last.after) {
    return Error{ErrorKind::InvalidArgument,
                 "the batch size was changed by somebody else since: it stays as it is"};
  }
  Result<void> replaced = replace(found.value(), last.before);
  if (replaced) changes_.pop_back();
  return replaced;
}

Result<void> BatchSizeEdits::replace(const BatchSizeDefault& found, const std::string& text) const {
  Result<void> applied = apply({found.file, found.source, found.begin, found.end, text});
  if (applied) return applied;
  return Error{applied.error().kind,
               fmt::format("{}. By hand: write {} in place of {} at {}", applied.error().message,
                           text, found.written, place_of(found))};
}

std::string BatchSizeEdits::place_of(const BatchSizeDefault& found) const {
  return fmt::format("{}:{}", found.file.lexically_relative(root_).generic_string(), found.line);
}

}  // namespace sightline::server
