// The tables of a model's measurement, since run format 3; operators, and peaks of layers in
// training, since run format 4.
//
// `layer` is an id of measured_layers, or 0 for the model as a whole.
#pragma once

namespace sightline::store {

inline constexpr char kMeasurementSql[] = R"sql(
CREATE TABLE measurement (
  id INTEGER PRIMARY KEY CHECK (id = 0), model TEXT NOT NULL, inputs TEXT NOT NULL,
  batch_size INTEGER NOT NULL, training_mode INTEGER NOT NULL,
  total_parameters INTEGER NOT NULL, trainable_parameters INTEGER NOT NULL,
  frozen_parameters INTEGER NOT NULL, buffers INTEGER NOT NULL, size_bytes INTEGER NOT NULL,
  weights_bytes INTEGER NOT NULL, inference_peak_bytes INTEGER, training_peak_bytes INTEGER,
  footprint_computed INTEGER NOT NULL);
CREATE TABLE measured_layers (
  id INTEGER PRIMARY KEY, parent INTEGER NOT NULL, path TEXT NOT NULL, type TEXT NOT NULL,
  file TEXT NOT NULL, line INTEGER NOT NULL, inputs TEXT NOT NULL, outputs TEXT NOT NULL,
  total_parameters INTEGER NOT NULL, trainable_parameters INTEGER NOT NULL,
  frozen_parameters INTEGER NOT NULL, buffers INTEGER NOT NULL, parameter_bytes INTEGER NOT NULL,
  activation_bytes INTEGER NOT NULL, peak_bytes INTEGER);
CREATE TABLE measured_work (
  layer INTEGER NOT NULL, kind TEXT NOT NULL, forward INTEGER NOT NULL, backward INTEGER NOT NULL,
  optimizer INTEGER NOT NULL, PRIMARY KEY (layer, kind)) WITHOUT ROWID;
CREATE TABLE measured_times (
  layer INTEGER NOT NULL, repetition INTEGER NOT NULL, time_ms REAL NOT NULL,
  PRIMARY KEY (layer, repetition)) WITHOUT ROWID;
CREATE TABLE uncounted_calls (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, calls INTEGER NOT NULL, time_share REAL);
)sql";

inline constexpr char kMeasuredOperatorsSql[] = R"sql(
ALTER TABLE measured_layers ADD COLUMN training_peak_bytes INTEGER;
CREATE TABLE measured_operators (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, calls INTEGER NOT NULL, time_share REAL);
CREATE TABLE measured_operator_work (
  op INTEGER NOT NULL, kind TEXT NOT NULL, forward INTEGER NOT NULL, backward INTEGER NOT NULL,
  optimizer INTEGER NOT NULL, PRIMARY KEY (op, kind)) WITHOUT ROWID;
)sql";

}  // namespace sightline::store
