// The tables of Skyline's reports as views of a run, so that queries written for them still run.
// docs/run-file.md says how the figures of a run are put into them. Plain SQL: an older SQLite that
// cannot parse one view cannot open the file.
#pragma once

namespace sightline::store {

// As it is since format 4.
inline constexpr char kWeightEntriesSql[] = R"sql(
CREATE VIEW weight_entries AS
  SELECT id, CASE path WHEN '' THEN type ELSE path END AS name, parameter_bytes AS size_bytes,
         gradient_bytes AS grad_size_bytes
  FROM modules WHERE parameter_bytes > 0;
)sql";

inline constexpr char kSkylineViewsSql[] = R"sql(
CREATE VIEW node_operations AS
  WITH operations AS (
    SELECT node, CASE op WHEN 0 THEN 'backward' ELSE replace(name, 'aten::', '') END AS name,
           max(kind = 'forward' AND python_calls > 0) AS from_python, sum(self_ns) AS self_ns
    FROM costs JOIN operators ON operators.id = costs.op
    WHERE kind IN ('forward', 'backward', 'recompute', 'engine')
    GROUP BY node, op),
  longest AS (SELECT node, name, max(self_ns) FROM operations GROUP BY node)
  SELECT node, coalesce(group_concat(CASE WHEN from_python THEN operations.name END, ', '),
                        longest.name) AS operation_name
  FROM operations JOIN longest USING (node) GROUP BY node;

CREATE VIEW run_time_entries AS
  SELECT node AS id, operation_name,
         total(CASE WHEN kind = 'forward' THEN self_ns END) / 1e6 / counted_steps AS forward_ms,
         sum(CASE WHEN kind <> 'forward' THEN self_ns END) / 1e6 / counted_steps AS backward_ms
  FROM costs JOIN node_operations USING (node) JOIN threads ON threads.id = costs.thread
    JOIN totals
  WHERE training AND kind IN ('forward', 'backward', 'recompute', 'engine') AND self_ns > 0
    AND counted_steps > 0
  GROUP BY node;

CREATE VIEW activation_entries AS
  SELECT node AS id, coalesce(operation_name, '') AS operation_name, sum(bytes) AS size_bytes
  FROM peak_blocks LEFT JOIN node_operations USING (node)
  WHERE category = 'activations' GROUP BY node;

CREATE VIEW entry_types AS
  SELECT 1 AS entry_type, 'Weight' AS name UNION ALL SELECT 2, 'Activation';

CREATE VIEW stack_correlation AS
  SELECT -id AS correlation_id, id AS entry_id, 1 AS entry_type FROM weight_entries
  UNION ALL
  SELECT id, id, 2 FROM activation_entries;

CREATE VIEW stack_frames AS
  WITH RECURSIVE climb (id, at, ordering) AS (
    SELECT id, node, 0 FROM (
      SELECT id, id AS node FROM run_time_entries
      UNION
      SELECT id, id FROM activation_entries
      UNION
      SELECT -module, min(id) FROM nodes WHERE module IN (SELECT id FROM weight_entries)
        GROUP BY module)
    UNION ALL
    SELECT climb.id, parent, ordering + (role <> 'library')
    FROM climb JOIN nodes ON nodes.id = climb.at JOIN node_lines ON node_lines.node = climb.at
      WHERE at <> 0)
  SELECT id AS correlation_id, ordering, file AS file_path, line AS line_number, id AS entry_id
  FROM climb JOIN node_lines ON node_lines.node = climb.at WHERE role <> 'library';

CREATE VIEW misc_sizes AS
  SELECT 'peak_usage_bytes' AS key, peak_bytes AS size_bytes FROM memory WHERE known;
)sql";

}  // namespace sightline::store
