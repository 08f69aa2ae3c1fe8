#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <tuple>

#include "core/supervise/metrics/gradient_noise.h"
#include "core/supervise/metrics/matrix.h"
#include "core/supervise/metrics/norm.h"
#include "core/supervise/metrics/similarity.h"
#include "core/supervise/metrics/successive.h"
#include "core/supervise/metrics/symmetric.h"
#include "core/supervise/metrics/unit_window.h"
#include "python/bindings/core.h"
#include "python/bindings/tensor_view.h"

namespace nb = nanobind;

namespace sightline::python {
namespace {

template <typename... More>
using Floats = nb::ndarray<const float, nb::c_contig, nb::device::cpu, More...>;
using Rows = Floats<nb::ndim<2>>;
using supervise::ActiveRange;
using supervise::GradientNoise;
using supervise::Successive;
using supervise::UnitWindow;

supervise::Matrix matrix_of(const Rows& rows) {
  return {{rows.data(), rows.size()}, rows.shape(0), rows.shape(1)};
}

double norm_of(const Array& array, double order) {
  const supervise::TensorView view = view_of(array);
  const nb::gil_scoped_release release;
  return supervise::norm_of(view, order);
}

std::vector<double> singular_values(const Rows& rows) {
  const nb::gil_scoped_release release;
  return supervise::singular_values(matrix_of(rows));
}

std::vector<double> canonical_correlations(const Rows& a, const Rows& b, double variance_kept) {
  const nb::gil_scoped_release release;
  return supervise::canonical_correlations(matrix_of(a), matrix_of(b), variance_kept);
}

// Of a matrix with these numbers on its diagonal and those beside it.
std::vector<double> tridiagonal_eigenvalues(const std::vector<double>& diagonal,
                                            const std::vector<double>& beside) {
  if (beside.size() + 1 != diagonal.size()) {
    throw nb::value_error("beside a diagonal of n numbers there are n - 1");
  }
  supervise::SymmetricMatrix matrix(diagonal.size());
  for (std::size_t i = 0; i < diagonal.size(); ++i) matrix.at(i, i) = diagonal[i];
  for (std::size_t i = 0; i < beside.size(); ++i) matrix.at(i + 1, i) = beside[i];
  return supervise::eigen_pairs(std::move(matrix)).values;
}

std::optional<std::tuple<double, double, std::uint64_t>> next_change(Successive& successive,
                                                                     const Floats<>& values) {
  const nb::gil_scoped_release release;
  const std::optional<supervise::Change> change = successive.next({values.data(), values.size()});
  if (!change) return std::nullopt;
  return std::tuple(change->cosine, change->distance, change->changed);
}

void add_units(UnitWindow& window, const Floats<>& output, float above, float below) {
  if (output.ndim() < 2) throw nb::value_error("an output has units if it has two dimensions");
  supervise::TensorView view{output.data(), supervise::ElementType::Float32, {}, {}};
  for (std::size_t i = 0; i < output.ndim(); ++i) {
    view.sizes.push_back(static_cast<std::int64_t>(output.shape(i)));
    view.strides.push_back(output.stride(i));
  }
  const nb::gil_scoped_release release;
  window.add(supervise::unit_activity(view, {above, below}));
}

void bind_matrices(nb::module_& module) {
  module.def("norm_of", &norm_of, nb::arg("array"), nb::arg("order"));
  module.def("singular_values", &singular_values, nb::arg("matrix"));
  module.def(
      "condition_number",
      [](const std::vector<double>& values) { return supervise::condition_number(values); },
      nb::arg("singular_values"));
  module.def(
      "effective_rank",
      [](const std::vector<double>& values) { return supervise::effective_rank(values); },
      nb::arg("singular_values"));
  module.def("canonical_correlations", &canonical_correlations, nb::arg("a"), nb::arg("b"),
             nb::arg("variance_kept") = 0.99);
  module.def("tridiagonal_eigenvalues", &tridiagonal_eigenvalues, nb::arg("diagonal"),
             nb::arg("beside"));
  nb::class_<supervise::SpectralNorm>(module, "SpectralNorm")
      .def(nb::init<int>(), nb::arg("iterations") = 3)
      .def(
          "next",
          [](supervise::SpectralNorm& norm, const Rows& rows) {
            const nb::gil_scoped_release release;
            return norm.next(matrix_of(rows));
          },
          nb::arg("matrix"));
}

}  // namespace

void bind_metrics(nb::module_& module) {
  bind_matrices(module);
  nb::class_<Successive>(module, "Successive")
      .def(nb::init<>())
      .def("next", &next_change, nb::arg("values"));
  module.def("unit_dimension", &supervise::unit_dimension, nb::arg("dimensions"));
  nb::class_<UnitWindow>(module, "UnitWindow")
      .def(nb::init<std::size_t, std::size_t>(), nb::arg("units"), nb::arg("steps"))
      .def("add", &add_units, nb::arg("output"), nb::arg("above") = 0.0F,
           nb::arg("below") = std::numeric_limits<float>::infinity())
      .def_prop_ro("steps", &UnitWindow::steps)
      .def("idle_share", &UnitWindow::idle_share, nb::arg("activity"));
  nb::class_<GradientNoise>(module, "GradientNoise")
      .def(nb::init<double>(), nb::arg("memory") = 0.95)
      .def("add", &GradientNoise::add, nb::arg("small_batch"), nb::arg("small_squared_norm"),
           nb::arg("large_batch"), nb::arg("large_squared_norm"))
      .def("scale", &GradientNoise::scale);
}

}  // namespace sightline::python
