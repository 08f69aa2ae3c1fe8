// Two or more measurements compared, figure by figure and layer by layer.
//
// Everything is compared with the first of them. Counts and bytes do not vary by chance: any
// difference counts. Times count beyond their noise (see profile/compare/figure.h), those of layers
// also only from 0.1 % of the model's on.
//
// A layer's partner has the same path and the same shapes; where there is none, the same path. A
// module that is called several times is matched call by call.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/export.h"
#include "core/model/run.h"
#include "core/profile/compare/figure.h"

namespace sightline::measure {

// One figure in all measurements.
struct ComparedFigure {
  profile::Metric metric;
  std::vector<profile::Figure> figures;  // one for each measurement
  std::vector<profile::Change> changes;  // likewise, from the first; that of the first says nothing
  std::optional<std::size_t> best =
      std::nullopt;  // which is better than all others, beyond the noise

  bool changed() const;  // in any of them
};

struct ComparedLayer {
  std::vector<const model::MeasuredLayer*> layers;  // one for each measurement; null: has none
  std::vector<ComparedFigure> figures;              // those of figures_of_layer()

  const model::MeasuredLayer& any() const;
  bool everywhere() const;
  bool changed() const;  // in a figure, or it is not everywhere
};

struct MeasurementComparison {
  std::vector<const model::Run*> runs;
  std::vector<profile::Difference> differs;  // of the second and later ones from the first
  std::vector<ComparedFigure> figures;       // those of figures_of_measurement()
  std::vector<ComparedLayer> layers;         // in the order of the calls
  std::vector<std::string> notes;            // in plain words
};

// The runs have measurements, are two at least, and outlive what is returned.
SIGHTLINE_API MeasurementComparison compare_measurements(std::vector<const model::Run*> runs);

// "A", "B", ...: what texts call the measurement at that place.
SIGHTLINE_API std::string letter_of(std::size_t at);

}  // namespace sightline::measure
