#include "core/store/event_coding.h"

#include <limits>

#include "core/base/varint.h"

namespace sightline::store {
namespace {

using model::Event;
using model::EventType;

static_assert(model::kCostKinds <= 8, "the head byte has three bits for the kind");

constexpr std::uint8_t kSameNode = 1 << 5;
constexpr std::uint8_t kExpectedOp = 1 << 6;
constexpr std::uint8_t kExpectedDepth = 1 << 7;
constexpr std::size_t kSmallestEvent = 3;  // head, start, value

// What an event is coded against. Encoder and decoder must move it in the same way.
struct Context {
  std::uint64_t start_ns = 0;
  std::uint32_t node = 0;
  std::uint32_t op = 0;  // of the last operator
  std::uint16_t depth = 0;

  std::uint32_t expected_op(EventType type) const { return type == EventType::Operator ? op : 0; }
  std::uint16_t expected_depth(EventType type) const {
    return type == EventType::Operator ? depth : std::uint16_t{0};
  }
  void pass(const Event& event) {
    start_ns = event.start_ns;
    node = event.node;
    if (event.type != EventType::Operator) return;
    op = event.op;
    depth = event.depth;
  }
};

// base + zigzag difference, if that fits the type.
template <typename Unsigned>
bool read_difference(ByteReader& bytes, Unsigned base, Unsigned& value) {
  std::uint64_t coded = 0;
  if (!bytes.varint(coded) || coded > std::uint64_t{1} << 34) return false;
  const std::int64_t sum = std::int64_t{base} + unzigzag(coded);
  if (sum < 0 || sum > std::int64_t{std::numeric_limits<Unsigned>::max()}) return false;
  value = static_cast<Unsigned>(sum);
  return true;
}

bool decode_one(ByteReader& bytes, const Context& context, Event& event) {
  std::uint8_t head = 0;
  std::uint64_t start = 0;
  if (!bytes.byte(head) || !bytes.varint(start) || !bytes.varint(event.value)) return false;
  if ((head & 3) > static_cast<int>(EventType::Free)) return false;
  event.type = static_cast<EventType>(head & 3);
  event.kind = static_cast<model::CostKind>((head >> 2) & 7);
  event.start_ns = context.start_ns + start;
  event.node = context.node;
  event.op = context.expected_op(event.type);
  event.depth = context.expected_depth(event.type);
  if ((head & kSameNode) == 0 && !read_difference(bytes, context.node, event.node)) return false;
  if ((head & kExpectedOp) == 0) {
    std::uint64_t op = 0;
    if (!bytes.varint(op) || op > std::numeric_limits<model::OperatorId>::max()) return false;
    event.op = static_cast<model::OperatorId>(op);
  }
  const std::uint16_t expected_depth = event.depth;
  return (head & kExpectedDepth) != 0 || read_difference(bytes, expected_depth, event.depth);
}

}  // namespace

std::vector<std::uint8_t> encode_events(std::span<const Event> events) {
  std::vector<std::uint8_t> out;
  out.reserve(events.size() * 8);
  Context context;
  for (const Event& event : events) {
    const bool same_node = event.node == context.node;
    const bool expected_op = event.op == context.expected_op(event.type);
    const std::uint16_t depth = context.expected_depth(event.type);
    const bool same_depth = event.depth == depth;
    out.push_back(static_cast<std::uint8_t>(
        static_cast<unsigned>(event.type) | static_cast<unsigned>(event.kind) << 2 |
        (same_node ? kSameNode : 0U) | (expected_op ? kExpectedOp : 0U) |
        (same_depth ? kExpectedDepth : 0U)));
    put_varint(out, event.start_ns - context.start_ns);
    put_varint(out, event.value);
    if (!same_node) put_varint(out, zigzag(std::int64_t{event.node} - std::int64_t{context.node}));
    if (!expected_op) put_varint(out, event.op);
    if (!same_depth) put_varint(out, zigzag(std::int64_t{event.depth} - std::int64_t{depth}));
    context.pass(event);
  }
  return out;
}

Result<std::vector<Event>> decode_events(std::span<const std::uint8_t> blob, std::uint64_t count) {
  const Error damaged{ErrorKind::Corrupt, "a batch of events is damaged"};
  if (count > blob.size() / kSmallestEvent) return damaged;
  std::vector<Event> events(count);
  ByteReader bytes(blob);
  Context context;
  for (Event& event : events) {
    if (!decode_one(bytes, context, event)) return damaged;
    context.pass(event);
  }
  if (!bytes.empty()) return damaged;
  return events;
}

}  // namespace sightline::store
