// A training as an event file of TensorBoard: its series as scalars, its histograms as histograms.
//
// Written by hand, because it takes little: records with a length and checksums (TFRecord), in each
// an Event in the encoding of protocol buffers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/export.h"
#include "core/base/result.h"
#include "core/model/training.h"
#include "core/store/training_reader.h"

namespace sightline::exports {

// CRC-32C (Castagnoli), as TFRecord wants it but not masked.
SIGHTLINE_API std::uint32_t crc32c(std::string_view bytes);

class SIGHTLINE_API EventFile {
 public:
  // `wall_seconds`: since 1970; events get it until another is set, since steps have no time of
  // their own.
  explicit EventFile(double wall_seconds);
  void set_time(double wall_seconds) { wall_seconds_ = wall_seconds; }

  void add_scalar(std::string_view tag, std::uint64_t step, double value);
  void add_histogram(std::string_view tag, const model::TensorHistogram& histogram);

  const std::string& bytes() const { return bytes_; }
  // What was added since the last time.
  std::string take() { return std::exchange(bytes_, {}); }

 private:
  void add_event(std::uint64_t step, const std::string& value);
  void add_record(const std::string& event);

  double wall_seconds_;
  std::string bytes_;
};

// "gradients/fc1.weight/l2": what a series is called in TensorBoard.
SIGHTLINE_API std::string tag_of(const model::SeriesKey& key);

// Fails as the reader does.
SIGHTLINE_API Result<std::string> tensorboard_events(const store::TrainingReader& training,
                                                     double wall_seconds);

}  // namespace sightline::exports
