#include "collectors/torch/kept_weights.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <memory>
#include <optional>

namespace sightline::torch_collector {
namespace {

thread_local KeptWeights* watched_weights = nullptr;

std::unique_ptr<at::ObserverContext> write_started(const at::RecordFunction& fn) try {
  if (watched_weights != nullptr) watched_weights->keep_what_changes(fn);
  return nullptr;
} catch (...) {
  return nullptr;  // an observer must not disturb the program
}

const void* storage_of(const at::Tensor& tensor) {
  const bool has_one = tensor.defined() && tensor.has_storage();
  return has_one ? tensor.storage().unsafeGetStorageImpl() : nullptr;
}

std::vector<std::size_t> written_arguments(const c10::FunctionSchema& schema) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < schema.arguments().size(); ++i) {
    const c10::AliasInfo* alias = schema.arguments()[i].alias_info();
    if (alias != nullptr && alias->isWrite()) places.push_back(i);
  }
  return places;
}

}  // namespace

KeptWeights::KeptWeights(const std::vector<at::Tensor>& weights) {
  weights_.reserve(weights.size());
  for (const at::Tensor& weight : weights) weights_.emplace(storage_of(weight), weight);
}

void KeptWeights::watch(bool watching) {
  if (handle_ != at::INVALID_CALLBACK_HANDLE) at::removeCallback(handle_);
  handle_ = at::INVALID_CALLBACK_HANDLE;
  watched_weights = watching ? this : nullptr;
  if (!watching) return;
  at::RecordFunctionCallback callback(write_started);
  callback.needsInputs(true).scopes({at::RecordScope::FUNCTION});
  handle_ = at::addThreadLocalCallback(callback);
}

void KeptWeights::keep_what_changes(const at::RecordFunction& fn) {
  const c10::ArrayRef<const c10::IValue> values = fn.inputs();
  for (const std::size_t i : written_by(fn)) {
    if (i >= values.size()) break;
    if (values[i].isTensor()) keep(values[i].toTensor());
    if (!values[i].isTensorList()) continue;
    for (const at::Tensor& written : values[i].toTensorVector()) keep(written);
  }
}

const KeptWeights::Places& KeptWeights::written_by(const at::RecordFunction& fn) {
  const auto found = written_.find(fn.name());
  if (found != written_.end()) return found->second;
  static const Places kNone;
  const std::optional<c10::OperatorName> name = fn.operator_name();
  const auto op = name ? c10::Dispatcher::singleton().findOp(*name) : std::nullopt;
  return op ? written_[fn.name()] = written_arguments(op->schema()) : kNone;
}

void KeptWeights::keep(const at::Tensor& written) {
  const auto [first, last] = weights_.equal_range(storage_of(written));
  std::vector<at::Tensor> found;
  for (auto weight = first; weight != last; ++weight) found.push_back(weight->second);
  if (found.empty()) return;
  kept_.emplace_back(found);
  weights_.erase(first, last);
}

void KeptWeights::restore() {
  for (KeptContents& kept : kept_) kept.restore();
}

}  // namespace sightline::torch_collector
