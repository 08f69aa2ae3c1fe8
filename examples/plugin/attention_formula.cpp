// A formula that is compiled outside of Sightline: what the attention of another library costs.
//
//   include=$(python -c 'from sightline.measure import formula_include; print(formula_include())')
//   g++ -shared -fPIC -O2 -I "$include" attention_formula.cpp -o attention_formula.so
//
//   sightline.measure.load_formulas("attention_formula.so")
#include <sightline/formulas.h>

#include <cstdint>

namespace {

const sightline_shape* tensor_at(const sightline_call& call, int position) {
  if (position >= call.argument_count) return nullptr;
  const sightline_argument& argument = call.arguments[position];
  return argument.kind == SIGHTLINE_ARGUMENT_TENSOR ? argument.tensors : nullptr;
}

// mylib::attention(query, key, value), each batch x tokens x width: products of all pairs of tokens
// for the scores and for the results, and five operations for each score's softmax.
int attention(const sightline_call* call, sightline_cost* cost) {
  const sightline_shape* query = tensor_at(*call, 0);
  const sightline_shape* key = tensor_at(*call, 1);
  if (query == nullptr || key == nullptr || query->dimensions != 3 || key->dimensions != 3) {
    return 1;
  }
  const auto scores = static_cast<std::uint64_t>(query->sizes[0] * query->sizes[1] * key->sizes[1]);
  cost->macs = 2 * scores * static_cast<std::uint64_t>(query->sizes[2]);
  cost->flops = 2 * cost->macs + 5 * scores;
  return 0;
}

const sightline_formula kFormulas[] = {{"mylib::attention", attention}, {nullptr, nullptr}};

}  // namespace

extern "C" const sightline_formulas_description* sightline_formulas() {
  static const sightline_formulas_description description = {SIGHTLINE_FORMULAS_VERSION, kFormulas};
  return &description;
}
