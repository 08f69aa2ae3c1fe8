#include "core/measure/formulas/table.h"

#include <unordered_map>
#include <unordered_set>

namespace sightline::measure {
namespace {

// clang-format off
constexpr Formula kFormulas[] = {
  // Convolutions
  {"conv1d conv2d conv3d _convolution_mode mkldnn_convolution cudnn_convolution "
   "miopen_convolution",
   convolution, "Dumoulin, Visin 2016: every output element sums inputs/groups x kernel products"},
  {"conv_transpose1d conv_transpose2d conv_transpose3d",
   transposed_convolution,
   "Dumoulin, Visin 2016: every input element meets outputs/groups x kernel weights"},
  {"convolution _convolution convolution_overrideable",
   either_convolution, "as conv2d, or as conv_transpose2d where the flag says so"},
  {"conv_tbc", time_first_convolution, "as conv1d, with time in front"},
  {"convolution_backward", convolution_backward,
   "each wanted gradient of input or weight pairs the same elements as the forward; bias: a sum"},

  // Products. einsum, tensordot, bilinear, inner and chain_matmul call these and are looked into,
  // because the order in which they multiply decides what they cost.
  {"linear mkldnn_linear", linear, "y = x A^T + b: inputs products for every output element"},
  {"mkldnn_linear_backward", linear_backward, "each wanted gradient: one product of that size"},
  {"mm bmm mv dot vdot matmul _int_mm _scaled_mm", product<0>,
   "Golub, Van Loan, section 1.1: n x k x m, for every matrix of the batch"},
  {"addmm addmv baddbmm addbmm _addmm_activation", product<1>,
   "as mm, and the sum with what is added"},

  // Attention
  {"scaled_dot_product_attention _scaled_dot_product_attention_math "
   "_scaled_dot_product_fused_attention_overrideable", attention<5>,
   "Vaswani et al. 2017, equation 1: two products for every pair of query and key, softmax",
   attention_derivative<5>},
  {"_scaled_dot_product_flash_attention _scaled_dot_product_flash_attention_for_cpu", attention<4>,
   "as scaled_dot_product_attention; Dao et al. 2022"},
  {"_scaled_dot_product_efficient_attention _scaled_dot_product_cudnn_attention", attention<6>,
   "as scaled_dot_product_attention; Rabe, Staats 2021"},
  {"_scaled_dot_product_flash_attention_for_cpu_backward", attention_backward<7>,
   "Dao et al. 2022, appendix B.2: four products; the scores made again are not counted"},
  {"_scaled_dot_product_flash_attention_backward _scaled_dot_product_efficient_attention_backward",
   attention_backward<11>, "as _scaled_dot_product_flash_attention_for_cpu_backward"},
  {"_scaled_dot_product_fused_attention_overrideable_backward", attention_backward<13>,
   "as _scaled_dot_product_flash_attention_for_cpu_backward"},
  {"_scaled_dot_product_cudnn_attention_backward", attention_backward<14>,
   "as _scaled_dot_product_flash_attention_for_cpu_backward"},
  {"_transform_bias_rescale_qkv", rescaled_projections,
   "Vaswani et al. 2017, section 3.2: biases of three projections; queries are scaled"},
  {"_native_multi_head_attention", multi_head_attention,
   "Vaswani et al. 2017, section 3.2.2: four projections around attention"},
  {"_transformer_encoder_layer_fwd", encoder_layer,
   "Vaswani et al. 2017, section 3.1: attention, two linear layers, two norms, two sums"},

  // Recurrent networks; biases come from the parameters
  {"lstm", recurrent<4, 13>,
   "torch.nn.LSTM: sums 4, gates 4, cell 3, output 2 for each unit"},
  {"gru", recurrent<3, 11>,
   "torch.nn.GRU: two gates 4, candidate 3, mixture 4 for each unit"},
  {"rnn_tanh rnn_relu", recurrent<1, 2>, "torch.nn.RNN: sum and function for each unit"},
  {"mkldnn_rnn_layer", lstm_layer, "as lstm, one layer in one direction"},
  {"mkldnn_rnn_layer_backward", lstm_layer_backward,
   "gradients of inputs and weights: twice the forward's products; derivatives of the gates"},
  {"_cudnn_rnn_backward miopen_rnn_backward", recurrent_backward,
   "as mkldnn_rnn_layer_backward, for all layers and directions"},

  // Fourier transforms
  {"_fft_c2c", complex_fourier, "Frigo, Johnson 2005 (FFTW): 5 n log2 n"},
  {"_fft_r2c", real_to_complex_fourier, "Frigo, Johnson 2005 (FFTW): 2.5 n log2 n"},
  {"_fft_c2r", complex_to_real_fourier, "Frigo, Johnson 2005 (FFTW): 2.5 n log2 n"},

  // Norms
  {"native_batch_norm cudnn_batch_norm miopen_batch_norm _native_batch_norm_legit "
   "_batch_norm_with_update", normalisation<1, 2, 5>,
   "Ioffe, Szegedy 2015, algorithm 1: statistics 3 in training, normalise 2, scale 1, shift 1"},
  {"_batch_norm_no_update _native_batch_norm_legit_no_training",
   normalisation<1, 2, kNeverTraining>, "as native_batch_norm, with kept statistics"},
  {"native_layer_norm", normalisation<2, 3>, "Ba et al. 2016: as batch norm in training"},
  {"native_group_norm", normalisation<1, 2>, "Wu, He 2018: as batch norm in training"},
  {"rms_norm _fused_rms_norm", root_mean_square,
   "Zhang, Sennrich 2019: square, sum, quotient, scale"},
  {"native_batch_norm_backward cudnn_batch_norm_backward batch_norm_backward "
   "native_layer_norm_backward native_group_norm_backward", per_input<9>,
   "Ioffe, Szegedy 2015, section 3: normalised again 2, sums 3, gradient 4"},
  {"_fused_rms_norm_backward", per_input<7>, "normalised again 1, sums 2, gradient 4"},
  {"_weight_norm_interface", weight_norm, "Salimans, Kingma 2016, equation 2"},
  {"_weight_norm_interface_backward", weight_norm_backward,
   "Salimans, Kingma 2016, equation 3"},

  // Pools
  {"max_pool1d max_pool1d_with_indices", pooling<1>, "a comparison for each place of the window"},
  {"max_pool2d max_pool2d_with_indices mkldnn_max_pool2d fractional_max_pool2d", pooling<2>,
   "a comparison for each place of the window"},
  {"max_pool3d max_pool3d_with_indices mkldnn_max_pool3d fractional_max_pool3d", pooling<3>,
   "a comparison for each place of the window"},
  {"avg_pool1d", pooling<1, 1, 1>, "a sum over the window, and a quotient"},
  {"avg_pool2d", pooling<2, 1, 1>, "a sum over the window, and a quotient"},
  {"avg_pool3d", pooling<3, 1, 1>, "a sum over the window, and a quotient"},
  {"avg_pool2d_backward", pooling<2, 2, 1>, "a quotient, and a sum for each place of the window"},
  {"avg_pool3d_backward", pooling<3, 2, 1>, "a quotient, and a sum for each place of the window"},
  {"max_pool2d_with_indices_backward max_pool3d_with_indices_backward "
   "adaptive_max_pool2d_backward adaptive_max_pool3d_backward fractional_max_pool2d_backward "
   "fractional_max_pool3d_backward", per_input<1>,
   "each gradient is added to one place"},
  {"_adaptive_avg_pool2d _adaptive_avg_pool3d", per_input<1, 1>,
   "each input is in one sum; a quotient"},
  {"adaptive_max_pool2d adaptive_max_pool3d", per_input<1>, "each input is compared once"},
  {"_adaptive_avg_pool2d_backward _adaptive_avg_pool3d_backward", per_result<1>,
   "each place gets its part of a gradient"},

  // Softmax
  {"_softmax _log_softmax _masked_softmax", per_result<kSoftmax>,
   "maximum, difference, exp, sum, quotient"},
  {"_softmax_backward_data _log_softmax_backward_data", per_result<kSoftmaxBackward>,
   "product, sum, difference, product"},

  // Element-wise, one operation each
  {"add sub rsub", scaled_sum, "a sum; and a product, if the second is multiplied first"},
  {"mul div floor_divide remainder fmod pow neg abs sign reciprocal sqrt rsqrt square "
   "exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan atan2 sinh cosh tanh asinh "
   "acosh atanh erf erfc erfinv lgamma digamma sigmoid logit relu relu6 leaky_relu elu selu celu "
   "gelu silu mish softplus hardtanh hardsigmoid hardswish log_sigmoid_forward _prelu_kernel "
   "threshold hardshrink softshrink clamp clamp_min clamp_max maximum minimum fmax fmin floor ceil "
   "round trunc frac eq ne lt le gt ge logical_and logical_or logical_xor logical_not bitwise_and "
   "bitwise_or bitwise_xor bitwise_not __and__ __or__ __xor__ __iand__ __ior__ __ixor__ __lshift__ "
   "__rshift__ isnan isinf xlogy hypot bitwise_left_shift bitwise_right_shift sgn angle polar "
   "complex nan_to_num copysign heaviside "
   "signbit isposinf isneginf sinc i0 special_entr special_erfcx special_xlog1py special_zeta",
   per_result<1>, "an operation or a function for each element"},
  {"bernoulli uniform normal random exponential geometric cauchy log_normal rand randn randint "
   "randperm multinomial poisson",
   per_result<1>, "a random number for each element"},
  {"glu native_dropout native_dropout_backward _masked_scale threshold_backward "
   "leaky_relu_backward hardtanh_backward hardswish_backward hardsigmoid_backward elu_backward "
   "gelu_backward silu_backward mish_backward softplus_backward log_sigmoid_backward glu_backward "
   "_prelu_kernel_backward hardshrink_backward softshrink_backward huber_loss_backward "
   "smooth_l1_loss_backward addr logaddexp",
   per_result<2>, "a function or a derivative, and a product or a sum"},
  {"sigmoid_backward tanh_backward addcmul addcdiv lerp mse_loss_backward logit_backward",
   per_result<3>, "three operations for each element"},
  {"mse_loss huber_loss smooth_l1_loss", per_input<3>, "difference, function, sum"},
  {"nll_loss_forward nll_loss2d_forward", per_input<1, 1, 1>, "a sum for each target; a quotient"},
  {"binary_cross_entropy", per_input<7>, "two logarithms, two products, difference, sum, sum"},
  {"binary_cross_entropy_backward", per_result<5>, "differences 2, products 2, quotient"},

  // Reductions
  {"sum nansum prod max min amax amin aminmax argmax argmin any all cumsum cumprod cummax cummin "
   "_cummax_helper _cummin_helper logcumsumexp count_nonzero bincount histc topk kthvalue median "
   "trace",
   per_input<1>, "an operation for each element that is read"},
  {"mean", per_input<1, 1>, "a sum, and a quotient for each result"},
  {"norm linalg_vector_norm linalg_norm", per_input<2, 1>,
   "square and sum, and a root for each result"},
  {"var std var_mean std_mean", per_input<4, 2>, "sum; difference, square, sum; quotient and root"},
  {"equal", comparison, "a comparison for each element, at most"},
  {"_cdist_forward", distances, "difference, power and sum along the rows of a pair, root"},
  {"_cdist_backward", distances_backward, "difference, product, quotient and sum along the rows"},
  {"logsumexp", per_input<4, 1>, "maximum, difference, exp, sum; logarithm"},
  {"sort argsort msort", sorting, "Knuth, volume 3, section 5.2.4: n log2 n comparisons"},

  // Lookups
  {"embedding index_select gather index take take_along_dim", lookup, "no arithmetic"},
  {"_embedding_bag _embedding_bag_forward_only", summed_lookup, "a sum for each row that is read"},
  {"embedding_dense_backward", per_input<1>, "each gradient is added to a row"},
  {"_embedding_bag_backward _embedding_bag_dense_backward", summed_lookup_backward,
   "each row that was read gets the gradient of its sum"},
  {"index_add scatter_add scatter_reduce index_put _index_put_impl_ _unsafe_index_put index_reduce",
   per_result<1>, "a sum for each element, at most"},

  // Interpolation
  {"upsample_nearest1d upsample_nearest2d upsample_nearest3d _upsample_nearest_exact1d "
   "_upsample_nearest_exact2d _upsample_nearest_exact3d", movement, "no arithmetic"},
  {"upsample_linear1d", per_result<3>, "2 products, 1 sum"},
  {"upsample_bilinear2d", per_result<7>, "4 products, 3 sums"},
  {"upsample_trilinear3d", per_result<15>, "8 products, 7 sums"},
  {"upsample_bicubic2d", per_result<31>, "16 products, 15 sums"},
  {"upsample_nearest1d_backward upsample_nearest2d_backward upsample_nearest3d_backward "
   "_upsample_nearest_exact1d_backward _upsample_nearest_exact2d_backward "
   "_upsample_nearest_exact3d_backward", per_input<1>, "each gradient is added to one place"},
  {"upsample_linear1d_backward", per_input<4>, "2 products, 2 sums"},
  {"upsample_bilinear2d_backward", per_input<8>, "4 products, 4 sums"},
  {"upsample_trilinear3d_backward", per_input<16>, "8 products, 8 sums"},
  {"upsample_bicubic2d_backward", per_input<32>, "16 products, 16 sums"},

  {"_upsample_bilinear2d_aa", antialiased<2>,
   "torch.nn.functional.interpolate: one axis after the other, 2 points in each or more by scale"},
  {"_upsample_bicubic2d_aa", antialiased<4>, "as _upsample_bilinear2d_aa, 4 points"},
  {"_upsample_lanczos2d_aa", antialiased<6>, "as _upsample_bilinear2d_aa, 6 points"},
  {"_upsample_bilinear2d_aa_backward", antialiased<2, true>, "as forward, exchanged"},
  {"_upsample_bicubic2d_aa_backward", antialiased<4, true>, "as forward, exchanged"},
  {"_upsample_lanczos2d_aa_backward", antialiased<6, true>, "as forward, exchanged"},
  {"grid_sampler_2d _grid_sampler_2d_cpu_fallback", grid_sampler<2>,
   "Jaderberg et al. 2015, equation 5: as upsample_bilinear2d, and by the way of sampling"},
  {"grid_sampler_3d", grid_sampler<3>, "as grid_sampler_2d, with 8 points"},
  {"grid_sampler_2d_backward _grid_sampler_2d_cpu_fallback_backward", grid_sampler_backward<2>,
   "Jaderberg et al. 2015, equations 6 and 7"},
  {"grid_sampler_3d_backward", grid_sampler_backward<3>, "as grid_sampler_2d_backward"},

  // Lists of tensors at a time
  {"_foreach_add _foreach_sub", listed_scaled_sum, "as add, for each tensor"},
  {"_foreach_mul _foreach_div _foreach_pow _foreach_neg _foreach_abs _foreach_sign _foreach_sqrt "
   "_foreach_rsqrt _foreach_reciprocal _foreach_exp _foreach_expm1 _foreach_log _foreach_log2 "
   "_foreach_log10 _foreach_log1p _foreach_sin _foreach_cos _foreach_tan _foreach_asin "
   "_foreach_acos _foreach_atan _foreach_sinh _foreach_cosh _foreach_tanh _foreach_sigmoid "
   "_foreach_erf _foreach_erfc _foreach_lgamma _foreach_floor _foreach_ceil _foreach_round "
   "_foreach_trunc _foreach_frac _foreach_maximum _foreach_minimum _foreach_clamp_max "
   "_foreach_clamp_min _foreach_max", per_listed<1>, "an operation for each element"},
  {"_foreach_addcmul _foreach_addcdiv _foreach_lerp", per_listed<3>,
   "three operations for each element"},
  {"_foreach_norm", listed_norm, "square and sum, and a root for each tensor"},
  {"_foreach_copy _foreach_clone _foreach_zero", movement, "no arithmetic"},

  // Optimizers in one operator
  {"_fused_sgd", per_listed<4>, "momentum: product and sum; step: product and difference"},
  {"_fused_adagrad", per_listed<7>, "square and sum; root, sum, quotient, product, difference"},
  {"_fused_adam", per_listed<13>,
   "Kingma, Ba 2015, algorithm 1: moments 3 and 4, denominator 3, step 3"},
  {"_fused_adamw", per_listed<15>, "as _fused_adam, and decay: product and difference"},

  // Copies
  {"clone _to_copy cat stack _cat constant_pad_nd pad reflection_pad1d reflection_pad2d "
   "reflection_pad3d replication_pad1d replication_pad2d replication_pad3d roll flip rot90 tril "
   "triu repeat repeat_interleave where masked_fill masked_scatter masked_select scatter "
   "index_fill index_copy im2col col2im pixel_shuffle pixel_unshuffle channel_shuffle "
   "native_channel_shuffle nonzero unique_consecutive _unique2 unique_dim slice_backward "
   "select_backward slice_scatter select_scatter _pack_padded_sequence _nested_tensor_from_mask "
   "copy diagonal_backward as_strided_scatter nll_loss_backward nll_loss2d_backward "
   "unfold_backward reflection_pad2d_backward replication_pad2d_backward reflection_pad1d_backward "
   "split_with_sizes_copy diag_embed diag mkldnn_reorder_conv2d_weight to_mkldnn max_unpool2d "
   "max_unpool3d _nested_from_padded to_padded_tensor _nested_tensor_from_mask_left_aligned",
   movement, "no arithmetic"},
  {"copy_", overwriting, "no arithmetic"},
  {"fill zero zeros ones full zeros_like ones_like full_like arange linspace logspace eye "
   "scalar_tensor tril_indices triu_indices new_zeros new_ones new_full", filling, "no arithmetic"},
};

constexpr std::string_view kMadeOfOthers =
    "_trilinear _euclidean_dist _native_multi_head_attention _transformer_encoder_layer_fwd "
    "_nested_tensor_softmax_with_shape";

constexpr std::string_view kFree =
    "view _unsafe_view _reshape_alias as_strided transpose t permute expand expand_as slice select "
    "unsqueeze squeeze narrow split unsafe_split unsafe_split_with_sizes unsafe_chunk "
    "split_with_sizes chunk tensor_split unbind detach alias "
    "view_as view_as_real view_as_complex real imag _conj conj resolve_conj resolve_neg _neg_view "
    "diagonal movedim moveaxis swapaxes swapdims unfold flatten unflatten ravel reshape reshape_as "
    "numpy_T mT adjoint broadcast_to empty empty_like empty_strided empty_permuted new_empty "
    "new_empty_strided resize resize_as set set_data lift lift_fresh lift_fresh_copy contiguous to "
    "type_as item is_nonzero _local_scalar_dense size stride numel dim sym_size sym_numel "
    "sym_stride sym_storage_offset is_same_size result_type can_cast requires_grad retain_grad "
    "_version output_nr is_leaf is_floating_point is_complex is_pinned record_stream "
    "_has_compatible_shallow_copy_type _fused_sdp_choice _use_cudnn_ctc_loss cudnn_is_acceptable "
    "_nested_tensor_size _nested_get_values _assert_async _assert_scalar _assert_tensor_metadata "
    "_functional_assert_async sym_constrain_range "
    "_is_zerotensor _is_any_true _is_all_true promote_types";
// clang-format on

template <typename Take>
void for_each_name(std::string_view names, Take take) {
  while (!names.empty()) {
    const std::size_t end = names.find(' ');
    if (end != 0) take(names.substr(0, end));
    names.remove_prefix(end == std::string_view::npos ? names.size() : end + 1);
  }
}

using Formulas = std::unordered_map<std::string_view, const Formula*>;
using Names = std::unordered_set<std::string_view>;

Formulas make_formulas() {
  Formulas formulas;
  for (const Formula& formula : kFormulas) {
    for_each_name(formula.names, [&](std::string_view name) { formulas.emplace(name, &formula); });
  }
  return formulas;
}

Names make_names(std::string_view list) {
  Names names;
  for_each_name(list, [&](std::string_view name) { names.insert(name); });
  return names;
}

// Empty for operators of others: that they share a name with one of ATen says nothing.
std::string_view without_namespace(std::string_view name) {
  constexpr std::string_view kAten = "aten::";
  return name.starts_with(kAten) ? name.substr(kAten.size()) : std::string_view();
}

std::string_view not_in_place(std::string_view name) {
  if (name.ends_with('_') && !name.ends_with("__")) name.remove_suffix(1);
  return name;
}

}  // namespace

const Formula* find_formula(std::string_view name) {
  static const Formulas kByName = make_formulas();
  const std::string_view plain = without_namespace(name);
  auto found = kByName.find(plain);
  if (found == kByName.end()) found = kByName.find(not_in_place(plain));
  return found == kByName.end() ? nullptr : found->second;
}

CostOrNothing derivative_cost(const OperatorCall& call) {
  const Formula* formula = find_formula(call.name);
  const bool has_one = formula != nullptr && formula->derivative != nullptr;
  return has_one ? formula->derivative(call) : CostOrNothing();
}

bool is_free(std::string_view name) {
  static const Names kNames = make_names(kFree);
  return kNames.contains(not_in_place(without_namespace(name)));
}

bool is_made_of_others(std::string_view name) {
  static const Names kNames = make_names(kMadeOfOthers);
  return kNames.contains(without_namespace(name));
}

}  // namespace sightline::measure
