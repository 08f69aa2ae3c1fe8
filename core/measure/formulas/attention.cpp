// Attention, and the fused operators that hold one.
#include <algorithm>

#include "core/measure/formulas/families.h"
#include "core/measure/formulas/reading.h"

namespace sightline::measure {
namespace {

struct Scores {
  std::uint64_t matrices = 0;  // batch times heads
  std::uint64_t queries = 0;
  std::uint64_t keys = 0;
  std::uint64_t key_width = 0;
  std::uint64_t value_width = 0;
  bool causal = false;

  std::uint64_t all() const { return matrices * queries * keys; }
  // Query i sees the keys up to i, and never more than there are.
  std::uint64_t seen() const {
    const std::uint64_t triangle = std::min(queries, keys);
    return matrices * (triangle * (triangle + 1) / 2 + (queries - triangle) * keys);
  }
  // With so many products for every score.
  Cost products(std::uint64_t width) const {
    Cost cost;
    cost.macs = all() * width;
    cost.masked_macs = causal ? (all() - seen()) * width : 0;
    cost.flops = 2 * cost.macs;
    return cost;
  }
};

// Query (..., heads, queries, width), key and value (..., heads, keys, width); where several heads
// of the query share a key, each has its own products.
std::optional<Scores> scores_of(const OperatorCall& call, std::size_t query_at,
                                std::size_t causal_at) {
  const Tensor* query = tensor_at(call, query_at);
  const Tensor* key = tensor_at(call, query_at + 1);
  const Tensor* value = tensor_at(call, query_at + 2);
  if (query == nullptr || key == nullptr || value == nullptr) return std::nullopt;
  Scores scores;
  scores.queries = size_at(*query, -2);
  scores.keys = size_at(*key, -2);
  scores.key_width = size_at(*key, -1);
  scores.value_width = size_at(*value, -1);
  const std::uint64_t one = scores.queries * size_at(*query, -1);
  scores.matrices = one == 0 ? 0 : elements(*query) / one;
  scores.causal = flag_at(call, causal_at);
  return scores;
}

constexpr std::uint64_t kScale = 1;  // every score is scaled once

}  // namespace

CostOrNothing attention_of(const OperatorCall& call, std::size_t query, std::size_t causal) {
  const std::optional<Scores> scores = scores_of(call, query, causal);
  if (!scores) return std::nullopt;
  Cost cost = scores->products(scores->key_width + scores->value_width);
  cost.flops += scores->all() * (kScale + kSoftmax);
  cost.bytes = traffic(call);
  return cost;
}

// Each gradient is a product over the pairs: of value, query and key, and of the scores, which
// those of query and key need.
CostOrNothing attention_backward_of(const OperatorCall& call, std::size_t query,
                                    std::size_t causal) {
  const std::optional<Scores> scores = scores_of(call, query, causal);
  if (!scores) return std::nullopt;
  const bool of_query = wants_gradient(call, query);
  const bool of_key = wants_gradient(call, query + 1);
  const bool of_scores = of_query || of_key;
  Cost cost =
      scores->products((of_query ? scores->key_width : 0) + (of_key ? scores->key_width : 0) +
                       (of_scores ? scores->value_width : 0) +
                       (wants_gradient(call, query + 2) ? scores->value_width : 0));
  if (of_scores) cost.flops += scores->all() * (kScale + kSoftmaxBackward);
  cost.bytes = traffic(call);
  return cost;
}

// Of the forward call: what it read and wrote has a gradient that is written or read.
CostOrNothing attention_derivative_of(const OperatorCall& call, std::size_t causal) {
  CostOrNothing cost = attention_backward_of(call, 0, causal);
  if (cost) cost->bytes *= 2;
  return cost;
}

// (query, key, value, width, heads, weight of all three projections, its bias, weight of the output
// projection, its bias, ...), batch first.
CostOrNothing multi_head_attention(const OperatorCall& call) {
  const Tensor* query = tensor_at(call, 0);
  const Tensor* key = tensor_at(call, 1);
  const std::int64_t width = integer_at(call, 3, 0);
  const std::int64_t heads = integer_at(call, 4, 0);
  if (query == nullptr || key == nullptr || width <= 0 || heads <= 0) return std::nullopt;
  const auto size = static_cast<std::uint64_t>(width);
  const std::uint64_t batch = size_at(*query, 0);
  const std::uint64_t queries = batch * size_at(*query, 1);
  const std::uint64_t keys = batch * size_at(*key, 1);
  const std::uint64_t pairs = queries * size_at(*key, 1);
  const std::uint64_t projected = 2 * queries + 2 * keys;  // query and output, key and value
  Cost cost;
  cost.macs = projected * size * size + 2 * pairs * size;
  cost.flops = 2 * cost.macs + projected * size +
               pairs * static_cast<std::uint64_t>(heads) * (kScale + kSoftmax);
  cost.bytes = traffic(call);
  return cost;
}

// (input, width, heads, projections 3 to 6, ..., norms 10 to 13, feed-forward 14 to 17, mask).
CostOrNothing encoder_layer(const OperatorCall& call) {
  const Tensor* input = tensor_at(call, 0);
  const Tensor* output = output_at(call);
  const std::int64_t heads = integer_at(call, 2, 0);
  if (input == nullptr || input->shape.size() != 3 || output == nullptr || heads <= 0) {
    return std::nullopt;
  }
  const std::uint64_t tokens = size_at(*input, 0) * size_at(*input, 1);
  const std::uint64_t pairs = tokens * size_at(*input, 1);
  Cost cost;
  for (const std::size_t weight : {3, 5, 14, 16}) {
    const Tensor* matrix = tensor_at(call, weight);
    if (matrix == nullptr) return std::nullopt;
    cost.macs += tokens * elements(*matrix);
    cost.flops += tokens * size_at(*matrix, 0);  // its bias
  }
  cost.macs += 2 * pairs * size_at(*input, 2);
  constexpr std::uint64_t kTwoNorms = 2 * 7;
  constexpr std::uint64_t kTwoSums = 2;
  cost.flops += 2 * cost.macs + pairs * static_cast<std::uint64_t>(heads) * (kScale + kSoftmax) +
                elements(*input) * (kTwoNorms + kTwoSums) +
                tokens * size_at(*tensor_at(call, 14), 0);  // the activation
  cost.bytes = traffic(call);
  return cost;
}

}  // namespace sightline::measure
