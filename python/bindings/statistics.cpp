#include "core/supervise/statistics/statistics.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "core/supervise/statistics/histogram.h"
#include "core/supervise/statistics/sketch.h"
#include "python/bindings/core.h"
#include "python/bindings/tensor_view.h"

namespace nb = nanobind;

namespace sightline::python {
namespace {

using supervise::Sketch;
using supervise::Statistics;
using Bins = std::vector<std::tuple<double, double, std::uint64_t>>;

Statistics statistics_of(const Array& array, Sketch* sketch) {
  const supervise::TensorView view = view_of(array);
  const nb::gil_scoped_release release;
  return sketch == nullptr ? supervise::statistics_of(view)
                           : supervise::statistics_of(view, *sketch);
}

template <typename Histogram>
Bins bins_of(const Sketch& sketch) {
  Bins bins;
  for (const supervise::HistogramBin& bin : Histogram(sketch).bins()) {
    bins.emplace_back(bin.lower, bin.upper, bin.count);
  }
  return bins;
}

}  // namespace

void bind_statistics(nb::module_& module) {
  nb::class_<Statistics>(module, "Statistics")
      .def_ro("count", &Statistics::count)
      .def_ro("non_finite", &Statistics::non_finite)
      .def_ro("zeros", &Statistics::zeros)
      .def_ro("mean", &Statistics::mean)
      .def_ro("min", &Statistics::min)
      .def_ro("max", &Statistics::max)
      .def_ro("l1", &Statistics::l1)
      .def_prop_ro("l2", &Statistics::l2)
      .def_prop_ro("variance", &Statistics::variance)
      .def_prop_ro("absmax", &Statistics::absmax)
      .def_prop_ro("abs_mean", &Statistics::abs_mean)
      .def_prop_ro("zero_share", &Statistics::zero_share)
      .def("merge", &Statistics::merge, nb::arg("other"));
  nb::class_<Sketch>(module, "Sketch")
      .def(nb::init<>())
      .def_prop_ro("count", &Sketch::count)
      .def("merge", &Sketch::merge, nb::arg("other"))
      .def("quantile", &Sketch::quantile, nb::arg("share"))
      .def("linear_bins", &bins_of<supervise::LinearHistogram>)
      .def("log_bins", &bins_of<supervise::LogHistogram>);
  module.def("statistics_of", &statistics_of, nb::arg("array"), nb::arg("sketch") = nb::none());
}

}  // namespace sightline::python
