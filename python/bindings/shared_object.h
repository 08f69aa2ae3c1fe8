// A Python object that native threads may copy and drop without the interpreter's lock.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <utility>

namespace sightline::python {

inline std::shared_ptr<nanobind::object> shared(nanobind::object object) {
  return {new nanobind::object(std::move(object)), [](nanobind::object* held) {
            const nanobind::gil_scoped_acquire acquire;
            delete held;
          }};
}

}  // namespace sightline::python
