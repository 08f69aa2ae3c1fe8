#include "core/export/event_writer.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/core.h"
#include "python/bindings/errors.h"

namespace nb = nanobind;

namespace sightline::python {
namespace {

using exports::EventWriter;

void checked_writing(const Result<void>& result) {
  if (!result) raise(result.error());
}

void open_writer(EventWriter* made, const std::string& folder) {
  Result<EventWriter> opened = EventWriter::open(folder);
  if (!opened) raise(opened.error());
  new (made) EventWriter(std::move(opened).value());
}

void add_scalar(EventWriter& writer, std::string_view tag, std::uint64_t step, double value) {
  checked_writing(writer.add_scalar(tag, step, value));
}

void add_histogram(EventWriter& writer, std::string_view tag, std::uint64_t step,
                   std::vector<double> edges, std::vector<std::uint64_t> counts) {
  if (edges.size() != (counts.empty() ? 0 : counts.size() + 1)) {
    throw nb::value_error("a histogram has one edge more than counts");
  }
  checked_writing(writer.add_histogram(tag, step, std::move(edges), std::move(counts)));
}

}  // namespace

void bind_event_writer(nb::module_& module) {
  nb::class_<EventWriter>(module, "EventWriter")
      .def("__init__", &open_writer, nb::arg("folder"))
      .def("add_scalar", &add_scalar, nb::arg("tag"), nb::arg("step"), nb::arg("value"))
      .def("add_histogram", &add_histogram, nb::arg("tag"), nb::arg("step"), nb::arg("edges"),
           nb::arg("counts"))
      .def("flush", [](EventWriter& writer) { checked_writing(writer.flush()); })
      .def_prop_ro("path", [](const EventWriter& writer) { return writer.path().string(); });
}

}  // namespace sightline::python
