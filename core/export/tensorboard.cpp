#include "core/export/tensorboard.h"

#include <array>
#include <bit>

#include "core/base/safe_text.h"

namespace sightline::exports {
namespace {

constexpr std::uint32_t kCastagnoli = 0x82f63b78;  // the polynomial, bits reversed
constexpr std::uint32_t kMaskDelta = 0xa282ead8;

// The kinds of fields that protocol buffers know.
enum class Wire : std::uint8_t { Varint = 0, Bits64 = 1, Bytes = 2, Bits32 = 5 };

constexpr std::array<std::uint32_t, 256> make_crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? kCastagnoli : 0);
    table[byte] = crc;
  }
  return table;
}

template <typename Number>
void put_little_endian(std::string& out, Number number) {
  for (std::size_t i = 0; i < sizeof number; ++i) {
    out += static_cast<char>(number >> (8 * i) & 0xff);
  }
}

void put_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

void put_key(std::string& out, unsigned field, Wire wire) {
  put_varint(out, field << 3 | static_cast<unsigned>(wire));
}

void put_double(std::string& out, unsigned field, double value) {
  put_key(out, field, Wire::Bits64);
  put_little_endian(out, std::bit_cast<std::uint64_t>(value));
}

void put_float(std::string& out, unsigned field, float value) {
  put_key(out, field, Wire::Bits32);
  put_little_endian(out, std::bit_cast<std::uint32_t>(value));
}

void put_bytes(std::string& out, unsigned field, std::string_view bytes) {
  put_key(out, field, Wire::Bytes);
  put_varint(out, bytes.size());
  out += bytes;
}

void put_doubles(std::string& out, unsigned field, const std::vector<double>& values) {
  std::string packed;
  for (const double value : values) {
    put_little_endian(packed, std::bit_cast<std::uint64_t>(value));
  }
  put_bytes(out, field, packed);
}

std::uint32_t masked_crc(std::string_view bytes) {
  return std::rotr(crc32c(bytes), 15) + kMaskDelta;
}

// Field numbers of tensorboard's HistogramProto. Sums are of the bins' middles: the values
// themselves are not kept.
std::string histogram_message(const model::TensorHistogram& histogram) {
  std::vector<double> limits;
  std::vector<double> counts;
  double number = 0;
  double sum = 0;
  double squares = 0;
  for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
    const auto count = static_cast<double>(histogram.counts[i]);
    const double middle = histogram.edges[i] / 2 + histogram.edges[i + 1] / 2;
    limits.push_back(histogram.edges[i + 1]);
    counts.push_back(count);
    number += count;
    sum += count * middle;
    squares += count * middle * middle;
  }
  std::string message;
  put_double(message, 1, histogram.edges.empty() ? 0 : histogram.edges.front());
  put_double(message, 2, histogram.edges.empty() ? 0 : histogram.edges.back());
  put_double(message, 3, number);
  put_double(message, 4, sum);
  put_double(message, 5, squares);
  put_doubles(message, 6, limits);
  put_doubles(message, 7, counts);
  return message;
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  static constexpr std::array<std::uint32_t, 256> kTable = make_crc_table();
  std::uint32_t crc = 0xffffffff;
  for (const char byte : bytes) {
    crc = crc >> 8 ^ kTable[(crc ^ static_cast<unsigned char>(byte)) & 0xff];
  }
  return ~crc;
}

EventFile::EventFile(double wall_seconds) : wall_seconds_(wall_seconds) {
  std::string event;
  put_double(event, 1, wall_seconds_);
  put_bytes(event, 3, "brain.Event:2");
  add_record(event);
}

void EventFile::add_scalar(std::string_view tag, std::uint64_t step, double value) {
  std::string message;
  put_bytes(message, 1, tag);
  put_float(message, 2, static_cast<float>(value));
  add_event(step, message);
}

void EventFile::add_histogram(std::string_view tag, const model::TensorHistogram& histogram) {
  std::string message;
  put_bytes(message, 1, tag);
  put_bytes(message, 5, histogram_message(histogram));
  add_event(histogram.step, message);
}

void EventFile::add_event(std::uint64_t step, const std::string& value) {
  std::string summary;
  put_bytes(summary, 1, value);
  std::string event;
  put_double(event, 1, wall_seconds_);
  put_key(event, 2, Wire::Varint);
  put_varint(event, step);
  put_bytes(event, 5, summary);
  add_record(event);
}

void EventFile::add_record(const std::string& event) {
  std::string length;
  put_little_endian(length, std::uint64_t{event.size()});
  bytes_ += length;
  put_little_endian(bytes_, masked_crc(length));
  bytes_ += event;
  put_little_endian(bytes_, masked_crc(event));
}

std::string tag_of(const model::SeriesKey& key) {
  std::string tag = key.topic;
  std::string tensor = key.module;
  if (!key.tensor.empty()) tensor += (tensor.empty() ? "" : ".") + key.tensor;
  for (const std::string& part : {tensor, key.statistic}) {
    if (!part.empty()) tag += "/" + part;
  }
  return valid_utf8(tag);
}

Result<std::string> tensorboard_events(const store::TrainingReader& training, double wall_seconds) {
  const auto series = training.series();
  if (!series) return series.error();
  EventFile file(wall_seconds);
  for (const store::SeriesSummary& one : series.value()) {
    const std::string tag = tag_of(one.key);
    const auto points = training.points(one.id);
    if (!points) return points.error();
    for (const model::SeriesPoint& point : points.value()) {
      file.add_scalar(tag, point.step, point.value);
    }
    const auto histograms = training.histograms(one.id);
    if (!histograms) return histograms.error();
    for (const model::TensorHistogram& histogram : histograms.value()) {
      file.add_histogram(tag, histogram);
    }
  }
  return file.bytes();
}

}  // namespace sightline::exports
