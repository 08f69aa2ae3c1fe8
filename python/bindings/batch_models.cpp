#include "core/profile/batch/batch_models.h"

#include <nanobind/stl/optional.h>

#include "python/bindings/core.h"

namespace nb = nanobind;

namespace sightline::python {

void bind_batch_models(nb::module_& module) {
  using profile::BatchModels;
  nb::class_<BatchModels>(module, "BatchModels")
      .def(
          "iteration_ms",
          [](const BatchModels& models, double size) { return models.iteration_ms().at(size); },
          nb::arg("batch_size"))
      .def(
          "iteration_interval_ms",
          [](const BatchModels& models, double size) {
            return models.iteration_ms().interval_at(size);
          },
          nb::arg("batch_size"))
      .def(
          "peak_bytes",
          [](const BatchModels& models, double size) { return models.peak_bytes().at(size); },
          nb::arg("batch_size"))
      .def("samples_per_second", &BatchModels::samples_per_second_at, nb::arg("batch_size"))
      .def("limit_samples_per_second", &BatchModels::limit_samples_per_second)
      .def("batch_size_for_throughput", &BatchModels::batch_size_for_throughput,
           nb::arg("samples_per_second"))
      .def("batch_size_for_memory", &BatchModels::batch_size_for_memory, nb::arg("bytes"));
}

}  // namespace sightline::python
