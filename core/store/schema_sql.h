// The schema of run format 4, but for what measurement_sql.h and skyline_views_sql.h add. Tables
// are named as the members of model::Run, columns as the members of its structs, with one
// exception: a step's `index` is the column `step`, because INDEX is a word of SQL.
#pragma once

namespace sightline::store {

inline constexpr char kTablesSql[] = R"sql(
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE files (
  id INTEGER PRIMARY KEY, path TEXT NOT NULL, absolute_path TEXT NOT NULL,
  role TEXT NOT NULL, source_hash TEXT NOT NULL);
CREATE TABLE sources (hash TEXT PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE frames (
  id INTEGER PRIMARY KEY, file INTEGER NOT NULL REFERENCES files, function TEXT NOT NULL,
  line INTEGER NOT NULL);
CREATE TABLE nodes (
  id INTEGER PRIMARY KEY, parent INTEGER NOT NULL REFERENCES nodes,
  frame INTEGER NOT NULL REFERENCES frames, module INTEGER NOT NULL REFERENCES modules);
CREATE TABLE modules (
  id INTEGER PRIMARY KEY, parent INTEGER NOT NULL REFERENCES modules, path TEXT NOT NULL,
  type TEXT NOT NULL, parameter_bytes INTEGER NOT NULL, buffer_bytes INTEGER NOT NULL);
CREATE TABLE operators (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE threads (id INTEGER PRIMARY KEY, name TEXT NOT NULL, training INTEGER NOT NULL);
CREATE TABLE costs (
  node INTEGER NOT NULL REFERENCES nodes, op INTEGER NOT NULL REFERENCES operators,
  kind TEXT NOT NULL, thread INTEGER NOT NULL REFERENCES threads,
  self_ns INTEGER NOT NULL, calls INTEGER NOT NULL, python_calls INTEGER NOT NULL,
  allocated_bytes INTEGER NOT NULL, allocations INTEGER NOT NULL,
  PRIMARY KEY (node, op, kind, thread)) WITHOUT ROWID;
CREATE TABLE module_calls (
  node INTEGER NOT NULL REFERENCES nodes, thread INTEGER NOT NULL REFERENCES threads,
  calls INTEGER NOT NULL, PRIMARY KEY (node, thread)) WITHOUT ROWID;
CREATE TABLE steps (
  step INTEGER PRIMARY KEY, role TEXT NOT NULL, start_ns INTEGER NOT NULL,
  wall_ns INTEGER NOT NULL, evaluation_ns INTEGER NOT NULL,
  forward_ns INTEGER NOT NULL, backward_ns INTEGER NOT NULL, recompute_ns INTEGER NOT NULL,
  engine_ns INTEGER NOT NULL, optimizer_ns INTEGER NOT NULL, data_ns INTEGER NOT NULL,
  copy_ns INTEGER NOT NULL, python_ns INTEGER NOT NULL,
  operators INTEGER NOT NULL, allocated_bytes INTEGER NOT NULL, peak_bytes INTEGER NOT NULL);
CREATE TABLE events (
  id INTEGER PRIMARY KEY, step INTEGER NOT NULL, thread INTEGER NOT NULL REFERENCES threads,
  count INTEGER NOT NULL, events BLOB NOT NULL);
CREATE TABLE ranges (
  name TEXT PRIMARY KEY, calls INTEGER NOT NULL, total_ns INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE drops (what TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE peak_blocks (
  node INTEGER NOT NULL REFERENCES nodes, category TEXT NOT NULL, bytes INTEGER NOT NULL,
  count INTEGER NOT NULL);
CREATE TABLE totals (
  id INTEGER PRIMARY KEY CHECK (id = 0), steps INTEGER NOT NULL,
  whole_recording INTEGER NOT NULL, counted_steps INTEGER NOT NULL, wall_ns INTEGER NOT NULL,
  forward_ns INTEGER NOT NULL, backward_ns INTEGER NOT NULL, recompute_ns INTEGER NOT NULL,
  engine_ns INTEGER NOT NULL, optimizer_ns INTEGER NOT NULL, data_ns INTEGER NOT NULL,
  copy_ns INTEGER NOT NULL, python_ns INTEGER NOT NULL,
  evaluation_ns INTEGER NOT NULL, overhead_percent REAL NOT NULL, overhead_pairs INTEGER NOT NULL,
  batch_size INTEGER NOT NULL, step_stride INTEGER NOT NULL);
CREATE TABLE memory (
  id INTEGER PRIMARY KEY CHECK (id = 0), known INTEGER NOT NULL, peak_bytes INTEGER NOT NULL,
  boundary_peak_bytes INTEGER NOT NULL, peak_step INTEGER NOT NULL,
  process_peak_bytes INTEGER NOT NULL, capacity_bytes INTEGER NOT NULL);

INSERT INTO meta VALUES ('transactions', '0'), ('checkpointed_transactions', '0');
INSERT INTO files VALUES (0, '', '', 'library', '');
INSERT INTO frames VALUES (0, 0, '', 0);
INSERT INTO nodes VALUES (0, 0, 0, 0);
INSERT INTO modules VALUES (0, 0, '', '', 0, 0);
INSERT INTO operators VALUES (0, '');
INSERT INTO threads VALUES (0, '', 0);
)sql";

// Since format 2.
inline constexpr char kBatchSamplesSql[] = R"sql(
CREATE TABLE batch_samples (
  batch_size INTEGER PRIMARY KEY, iteration_ms REAL NOT NULL, iteration_noise_ms REAL NOT NULL,
  peak_bytes INTEGER NOT NULL, resident_bytes INTEGER NOT NULL, held_out INTEGER NOT NULL);
)sql";

// Since format 4.
inline constexpr char kBatchFailuresSql[] = R"sql(
CREATE TABLE batch_failures (batch_size INTEGER PRIMARY KEY, what TEXT NOT NULL);
)sql";
inline constexpr char kGradientBytesSql[] =
    "ALTER TABLE modules ADD COLUMN gradient_bytes INTEGER NOT NULL DEFAULT 0";

// For people with sqlite3; nothing here reads them.
inline constexpr char kViewsSql[] = R"sql(
CREATE VIEW node_lines AS
  SELECT nodes.id AS node, files.path AS file, frames.line AS line, frames.function AS function,
         files.role AS role
  FROM nodes JOIN frames ON frames.id = nodes.frame JOIN files ON files.id = frames.file;

CREATE VIEW project_nodes AS
  WITH RECURSIVE climb (node, at) AS (
    SELECT id, id FROM nodes
    UNION ALL
    SELECT climb.node, nodes.parent FROM climb JOIN nodes ON nodes.id = climb.at
      JOIN node_lines ON node_lines.node = climb.at
      WHERE climb.at <> 0 AND node_lines.role = 'library')
  SELECT climb.node AS node, climb.at AS project_node
  FROM climb JOIN node_lines ON node_lines.node = climb.at
  WHERE climb.at = 0 OR node_lines.role <> 'library';

CREATE VIEW line_costs AS
  SELECT file, line, function, role, kind, training, sum(self_ns) / 1e6 AS self_ms,
         sum(self_ns) / 1e6 / (SELECT nullif(counted_steps, 0) FROM totals) AS self_ms_per_step,
         sum(calls) AS calls, sum(python_calls) AS python_calls,
         sum(allocated_bytes) AS allocated_bytes
  FROM costs JOIN node_lines ON node_lines.node = costs.node
    JOIN threads ON threads.id = costs.thread
  GROUP BY file, line, function, role, kind, training;

CREATE VIEW project_line_costs AS
  SELECT file, line, function, kind, training, sum(self_ns) / 1e6 AS self_ms,
         sum(self_ns) / 1e6 / (SELECT nullif(counted_steps, 0) FROM totals) AS self_ms_per_step,
         sum(calls) AS calls, sum(python_calls) AS python_calls,
         sum(allocated_bytes) AS allocated_bytes
  FROM costs JOIN project_nodes ON project_nodes.node = costs.node
    JOIN node_lines ON node_lines.node = project_nodes.project_node
    JOIN threads ON threads.id = costs.thread
  GROUP BY file, line, function, kind, training;

CREATE VIEW module_costs AS
  WITH RECURSIVE climb (node, at) AS (
    SELECT id, id FROM nodes
    UNION ALL
    SELECT climb.node, nodes.parent FROM climb JOIN nodes ON nodes.id = climb.at
      WHERE climb.at <> 0 AND nodes.module = 0)
  SELECT modules.path AS path, modules.type AS type, kind, training,
         sum(self_ns) / 1e6 AS self_ms,
         sum(self_ns) / 1e6 / (SELECT nullif(counted_steps, 0) FROM totals) AS self_ms_per_step,
         sum(calls) AS calls
  FROM costs JOIN climb ON climb.node = costs.node JOIN nodes ON nodes.id = climb.at
    JOIN modules ON modules.id = nodes.module JOIN threads ON threads.id = costs.thread
  WHERE climb.at = 0 OR nodes.module <> 0
  GROUP BY modules.id, kind, training;

CREATE VIEW operator_costs AS
  SELECT operators.name AS name, kind, training, sum(self_ns) / 1e6 AS self_ms,
         sum(calls) AS calls, sum(allocated_bytes) AS allocated_bytes
  FROM costs JOIN operators ON operators.id = costs.op JOIN threads ON threads.id = costs.thread
  GROUP BY operators.id, kind, training;

CREATE VIEW phases AS
  SELECT wall_ns / 1e6 / counted_steps AS wall_ms, data_ns / 1e6 / counted_steps AS data_ms,
         forward_ns / 1e6 / counted_steps AS forward_ms,
         (backward_ns + recompute_ns + engine_ns) / 1e6 / counted_steps AS backward_ms,
         optimizer_ns / 1e6 / counted_steps AS optimizer_ms,
         (copy_ns + python_ns) / 1e6 / counted_steps AS other_ms
  FROM totals WHERE counted_steps > 0;

CREATE VIEW peak_lines AS
  SELECT file, line, function, role, category, sum(bytes) AS bytes, sum(count) AS count
  FROM peak_blocks JOIN node_lines ON node_lines.node = peak_blocks.node
  GROUP BY file, line, function, role, category;
)sql";

}  // namespace sightline::store
