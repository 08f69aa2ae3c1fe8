// The tables of a training that is supervised, since run format 3.
//
// A series is written in small pieces while it grows, and joined to chunks of kPointsOfAChunk
// points, so that a write costs little and the file stays small.
#pragma once

namespace sightline::store {

inline constexpr char kTrainingSql[] = R"sql(
CREATE TABLE series (
  id INTEGER PRIMARY KEY, module TEXT NOT NULL, tensor TEXT NOT NULL, topic TEXT NOT NULL,
  statistic TEXT NOT NULL, position INTEGER NOT NULL, operator TEXT NOT NULL, file TEXT NOT NULL,
  line INTEGER NOT NULL, points INTEGER NOT NULL DEFAULT 0, non_finite INTEGER NOT NULL DEFAULT 0,
  first_step INTEGER, last_step INTEGER, last REAL, minimum REAL, maximum REAL);
CREATE TABLE series_chunks (
  id INTEGER PRIMARY KEY, series INTEGER NOT NULL, first_step INTEGER NOT NULL,
  last_step INTEGER NOT NULL, points INTEGER NOT NULL, minimum REAL, mean REAL, maximum REAL,
  chunk BLOB NOT NULL);
CREATE INDEX chunks_by_series ON series_chunks (series, first_step);
CREATE TABLE histograms (
  series INTEGER NOT NULL, step INTEGER NOT NULL, bins INTEGER NOT NULL, chunk BLOB NOT NULL,
  PRIMARY KEY (series, step)) WITHOUT ROWID;
CREATE TABLE training_steps (
  step INTEGER PRIMARY KEY, epoch INTEGER NOT NULL, figures INTEGER NOT NULL,
  non_finite INTEGER NOT NULL, loss REAL, gradient_l2 REAL, weight_l2 REAL, update_l2 REAL);
CREATE TABLE epochs (
  epoch INTEGER PRIMARY KEY, first_step INTEGER NOT NULL, last_step INTEGER NOT NULL);
CREATE TABLE verdicts (
  id INTEGER PRIMARY KEY, rule TEXT NOT NULL, severity TEXT NOT NULL, step INTEGER NOT NULL,
  module TEXT NOT NULL, tensor TEXT NOT NULL, topic TEXT NOT NULL, operator TEXT NOT NULL,
  file TEXT NOT NULL, line INTEGER NOT NULL, cause TEXT NOT NULL, advice TEXT NOT NULL);
CREATE TABLE verdict_evidence (
  verdict INTEGER NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL, value REAL,
  PRIMARY KEY (verdict, position)) WITHOUT ROWID;
CREATE VIEW series_curves AS
  SELECT module, tensor, topic, statistic, series_chunks.first_step AS first_step,
         series_chunks.last_step AS last_step, series_chunks.points AS points,
         series_chunks.minimum AS minimum, series_chunks.mean AS mean,
         series_chunks.maximum AS maximum
  FROM series_chunks JOIN series ON series.id = series_chunks.series;
)sql";

}  // namespace sightline::store
