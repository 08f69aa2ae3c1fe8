#include "cli/input_guess.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "cli/guess_words.h"

namespace sightline::cli {
namespace {

using Guesses = std::vector<TensorGuess>;
using worker::Layer;
using worker::Parameter;

constexpr std::size_t kMostTrials = 160;
constexpr std::size_t kLayersLookedAt = 8;
constexpr std::int64_t kChannels = 3;
constexpr std::int64_t kSequence = 32;
constexpr std::int64_t kTimes = 1000;

constexpr std::array<std::int64_t, 14> kSmallImages = {32,  224, 28, 64, 128, 256, 96,
                                                       299, 512, 48, 84, 160, 192, 384};
constexpr std::array<std::int64_t, 6> kSignals = {128, 64, 256, 1024, 32, 16000};
constexpr std::array<std::int64_t, 8> kTexts = {64, 32, 16, 128, 8, 256, 512, 1024};

std::int64_t size_of(const Layer& layer, const std::string& name, std::int64_t otherwise) {
  const auto found = layer.sizes.find(name);
  return found == layer.sizes.end() || found->second <= 0 ? otherwise : found->second;
}

std::string dimension_text(std::int64_t dimension) {
  return dimension == kBatch ? "batch_size" : std::to_string(dimension);
}

std::string dimensions_text(const TensorGuess& guess) {
  std::string text;
  for (const std::int64_t dimension : guess.dimensions) {
    if (!text.empty()) text += ", ";
    text += dimension_text(dimension);
  }
  return text;
}

std::string tuple_text(const TensorGuess& guess) {
  return "(" + dimensions_text(guess) + (guess.dimensions.size() == 1 ? ",)" : ")");
}

TensorGuess floats(std::vector<std::int64_t> dimensions, std::string why) {
  return {TensorGuess::Kind::Float, std::move(dimensions), 0, std::move(why)};
}

std::string takes(const Layer& layer, std::int64_t count, const std::string& what) {
  return "its " + layer.kind + " takes " + std::to_string(count) + " " + what;
}

Guesses guess_images(const Layer& layer) {
  const std::int64_t channels = size_of(layer, "in_channels", kChannels);
  std::vector<std::int64_t> sides(kSmallImages.begin(), kSmallImages.end());
  std::int64_t first = channels == 1 ? 28 : 32;
  if (size_of(layer, "kernel_size", 3) >= 7) first = 224;
  std::stable_partition(sides.begin(), sides.end(), [&](auto side) { return side == first; });
  Guesses guesses;
  for (const std::int64_t side : sides) {
    guesses.push_back(floats({kBatch, channels, side, side}, takes(layer, channels, "channels")));
  }
  return guesses;
}

Guesses guess_videos(const Layer& layer) {
  const std::int64_t channels = size_of(layer, "in_channels", kChannels);
  Guesses guesses;
  for (const auto& [frames, side] : {std::pair{16, 32}, {16, 112}, {8, 64}, {32, 32}, {16, 224}}) {
    guesses.push_back(
        floats({kBatch, channels, frames, side, side}, takes(layer, channels, "channels")));
  }
  return guesses;
}

Guesses guess_signals(const Layer& layer) {
  const std::int64_t channels = size_of(layer, "in_channels", kChannels);
  Guesses guesses;
  for (const std::int64_t length : kSignals) {
    guesses.push_back(floats({kBatch, channels, length}, takes(layer, channels, "channels")));
  }
  return guesses;
}

// A generator makes an image from noise, with or without two dimensions of size 1.
Guesses guess_noise(const Layer& layer) {
  const std::int64_t channels = size_of(layer, "in_channels", kChannels);
  const std::string why = takes(layer, channels, "channels");
  Guesses guesses = {floats({kBatch, channels}, why)};
  std::vector<std::int64_t> dimensions = {kBatch, channels};
  dimensions.resize(layer.kind == "ConvTranspose1d" ? 3 : layer.kind == "ConvTranspose2d" ? 4 : 5);
  for (const std::int64_t side : {1, 8}) {
    std::fill(dimensions.begin() + 2, dimensions.end(), side);
    guesses.push_back(floats(dimensions, why));
  }
  return guesses;
}

Guesses guess_sequences(const Layer& layer) {
  const bool attention = layer.kind == "MultiheadAttention";
  const std::int64_t width = size_of(layer, attention ? "embed_dim" : "input_size", 64);
  const std::string why = takes(layer, width, "features");
  Guesses guesses = {floats({kBatch, kSequence, width}, why),
                     floats({kSequence, kBatch, width}, why)};
  if (size_of(layer, "batch_first", 0) == 0 && !attention) std::swap(guesses[0], guesses[1]);
  return guesses;
}

Guesses guess_features(const Layer& layer) {
  const std::int64_t width = size_of(layer, "in_features", 64);
  const std::string why = layer.kind == "Parameter" ? "" : takes(layer, width, "features");
  return {floats({kBatch, width}, why), floats({kBatch, kSequence, width}, why)};
}

Guesses guess_tokens(const Layer& layer) {
  const std::int64_t rows = size_of(layer, "num_embeddings", kTimes);
  const std::string why = "its " + layer.kind + " has " + std::to_string(rows) + " rows";
  Guesses guesses;
  for (const std::int64_t length : kTexts) {
    guesses.push_back({TensorGuess::Kind::Whole, {kBatch, length}, rows, why});
  }
  guesses.push_back({TensorGuess::Kind::Whole, {kBatch}, rows, why});
  return guesses;
}

Guesses guess_for(const Layer& layer) {
  if (layer.kind.starts_with("Embedding")) return guess_tokens(layer);
  if (layer.kind.starts_with("ConvTranspose")) return guess_noise(layer);
  if (layer.kind == "Conv1d") return guess_signals(layer);
  if (layer.kind == "Conv2d") return guess_images(layer);
  if (layer.kind == "Conv3d") return guess_videos(layer);
  if (layer.kind == "Linear" || layer.kind == "Parameter") return guess_features(layer);
  return guess_sequences(layer);
}

void append_new(Guesses& guesses, const Guesses& more) {
  for (const TensorGuess& one : more) {
    const bool known = std::any_of(guesses.begin(), guesses.end(), [&](const TensorGuess& other) {
      return expression(one) == expression(other);
    });
    if (!known) guesses.push_back(one);
  }
}

bool has_images(const std::vector<Layer>& layers) {
  return std::any_of(layers.begin(), layers.end(),
                     [](const Layer& layer) { return layer.kind == "Conv2d"; });
}

// The layers are looked at in the order in which the model got them: the first is most likely the
// one that takes the input.
Guesses guess_by_layers(const Parameter& parameter, const std::vector<Layer>& layers) {
  const Guesses images = {floats({kBatch, kChannels, 32, 32}, ""),
                          floats({kBatch, kChannels, 224, 224}, "")};
  Guesses guesses;
  if (has(parameter.name, "im") && !has_images(layers)) guesses = images;
  for (std::size_t i = 0; i < std::min(layers.size(), kLayersLookedAt); ++i) {
    append_new(guesses, guess_for(layers[i]));
  }
  append_new(guesses, {floats({kBatch, 64}, "")});
  append_new(guesses, images);
  return guesses;
}

std::vector<std::int64_t> without_features(const TensorGuess& first) {
  std::vector<std::int64_t> dimensions = first.dimensions;
  if (first.kind == TensorGuess::Kind::Float && dimensions.size() > 1) dimensions.pop_back();
  return dimensions;
}

bool is_for_targets(const Parameter& parameter) {
  return has(parameter.name, "target") || has(parameter.name, "label") || parameter.name == "y";
}

// For a parameter after the first, by its name.
Guesses guess_by_name(const Parameter& parameter, const TensorGuess& first) {
  const std::string& name = parameter.name;
  const auto whole = [](std::vector<std::int64_t> dimensions, std::int64_t below) {
    return TensorGuess{TensorGuess::Kind::Whole, std::move(dimensions), below, ""};
  };
  if (has(name, "mask")) {
    return {{TensorGuess::Kind::Mask, without_features(first), 0, ""}};
  }
  if (name == "t" || has(name, "time") || has(name, "step")) {
    return {whole({kBatch}, kTimes), floats({kBatch}, ""), floats({kBatch, 1}, "")};
  }
  if (is_for_targets(parameter)) {
    const bool text = first.kind == TensorGuess::Kind::Whole;
    if (text) return {whole(first.dimensions, first.below), whole({kBatch}, 2)};
    return {whole({kBatch}, 10), whole({kBatch}, 2)};
  }
  if (has(name, "length") && first.dimensions.size() > 1) {
    const std::int64_t length = std::max(first.dimensions[0], first.dimensions[1]);
    return {{TensorGuess::Kind::Length, {kBatch}, length, ""}};
  }
  return {};
}

// The table of embeddings with this number, for models with a table for each input.
Guesses guess_by_table(std::size_t number, const TensorGuess& first,
                       const std::vector<Layer>& layers) {
  if (first.kind != TensorGuess::Kind::Whole) return {};
  for (const Layer& layer : layers) {
    if (!layer.kind.starts_with("Embedding") || number-- > 0) continue;
    TensorGuess guess = guess_tokens(layer).front();
    guess.dimensions = first.dimensions;
    return {guess};
  }
  return {};
}

using Sets = std::vector<Guesses>;

// Every set with every one of the guesses added.
Sets combined(const Sets& sets, const Guesses& guesses) {
  Sets longer;
  for (const Guesses& set : sets) {
    for (const TensorGuess& guess : guesses) {
      if (longer.size() == kMostTrials) return longer;
      longer.push_back(set);
      longer.back().push_back(guess);
    }
  }
  return longer;
}

Sets sets_after(const TensorGuess& first, const std::vector<Parameter>& parameters,
                const std::vector<Layer>& layers, const Guesses& by_layers) {
  Sets sets = {{first}};
  for (std::size_t i = 1; i < parameters.size(); ++i) {
    Guesses guesses = guess_by_name(parameters[i], first);
    append_new(guesses, guess_by_table(i, first, layers));
    append_new(guesses, {first});
    if (parameters.size() == 2) append_new(guesses, by_layers);
    sets = combined(sets, guesses);
  }
  return sets;
}

}  // namespace

std::string expression(const TensorGuess& guess) {
  switch (guess.kind) {
    case TensorGuess::Kind::Whole:
      return "torch.randint(" + std::to_string(guess.below) + ", " + tuple_text(guess) + ")";
    case TensorGuess::Kind::Mask:
      return "torch.ones(" + dimensions_text(guess) + ", dtype=torch.bool)";
    case TensorGuess::Kind::Length:
      return "torch.full(" + tuple_text(guess) + ", " + std::to_string(guess.below) + ")";
    case TensorGuess::Kind::Float:
      break;
  }
  return "torch.randn(" + dimensions_text(guess) + ")";
}

std::string hardest_expression(const TensorGuess& guess) {
  if (guess.kind != TensorGuess::Kind::Whole) return expression(guess);
  return "torch.full(" + tuple_text(guess) + ", " + std::to_string(guess.below - 1) + ")";
}

std::vector<Parameter> parameters_to_fill(const std::vector<Parameter>& forward) {
  std::vector<Parameter> needed;
  for (const Parameter& parameter : forward) {
    if (parameter.required) needed.push_back(parameter);
  }
  if (needed.empty() && !forward.empty()) needed.push_back(forward.front());
  return needed;
}

std::vector<Parameter> parameters_with_targets(const std::vector<Parameter>& forward) {
  std::vector<Parameter> filled = parameters_to_fill(forward);
  const std::size_t needed = filled.size();
  for (const Parameter& parameter : forward) {
    if (parameter.required || !is_for_targets(parameter)) continue;
    filled.push_back(parameter);
    filled.back().keyword_only = true;
  }
  return filled.size() == needed ? std::vector<Parameter>{} : filled;
}

std::vector<std::vector<TensorGuess>> guess_inputs(const std::vector<Parameter>& parameters,
                                                   const std::vector<Layer>& layers) {
  if (parameters.empty()) return {{}};
  const Guesses by_layers = guess_by_layers(parameters.front(), layers);
  Sets all;
  for (const TensorGuess& first : by_layers) {
    for (Guesses& set : sets_after(first, parameters, layers, by_layers)) {
      if (all.size() < kMostTrials) all.push_back(std::move(set));
    }
  }
  return all;
}

}  // namespace sightline::cli
