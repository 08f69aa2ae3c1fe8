// The prepared statements that put a part of a training into the tables. Used by DeltaWriter,
// inside of its transactions; nothing is remembered between calls that the tables do not hold, so a
// transaction that is rolled back leaves nothing behind. Answers false on failure; the database
// then keeps what went wrong.
#pragma once

#include <cstdint>
#include <vector>

#include "core/model/training.h"
#include "core/store/sqlite.h"

namespace sightline::store {

class TrainingRows {
 public:
  explicit TrainingRows(Database& database);

  // Series, epochs and verdicts.
  bool write_definitions(const model::TrainingDelta& training);
  // Points, histograms and steps: what grows with the training.
  bool write_figures(const model::TrainingDelta& training);
  // Joins the pieces of each series, when no more will come.
  bool join_pieces();

 private:
  bool append(const model::SeriesPoints& added);
  bool count(const model::SeriesPoints& added);
  // The points of the last pieces, `count` in all, which are deleted.
  bool take_pieces(model::SeriesId series, std::uint64_t count,
                   std::vector<model::SeriesPoint>& points);
  bool write_chunk(model::SeriesId series, std::span<const model::SeriesPoint> points);
  bool write_verdict(const model::Verdict& verdict);

  Database& database_;
  Statement series_;
  Statement count_;
  Statement points_;
  Statement pieces_;
  Statement delete_piece_;
  Statement chunk_;
  Statement histogram_;
  Statement step_;
  Statement epoch_;
  Statement verdict_;
  Statement evidence_;
};

}  // namespace sightline::store
