// The prepared statements that put a delta into the tables. Used by RunWriter, inside of its
// transactions. Answers false on failure; the database then keeps what went wrong.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "core/model/run.h"
#include "core/store/sqlite.h"
#include "core/store/training_rows.h"

namespace sightline::store {

class DeltaWriter {
 public:
  DeltaWriter(Database& database, std::uint64_t disk_budget_bytes);

  // `used_bytes`: what the run takes on disk now.
  bool write(const model::Delta& delta, std::uint64_t used_bytes);
  bool write_info(const model::RunInfo& info);
  bool write_meta(std::string_view key, const std::string& value);
  bool join_pieces() { return training_.join_pieces(); }

  // The fate of the transaction: what was counted as dropped since the last one stands, or not.
  void committed() { committed_ = counting_; }
  void rolled_back() { counting_ = committed_; }

 private:
  // Drops are counted by the recorder and here; the table holds the sums.
  struct Drops {
    std::map<std::string, std::uint64_t> recorded;
    std::map<std::string, std::uint64_t> refused;
    std::uint64_t step_stride = 1;
  };

  bool write_device_memory(const model::DeviceMemory& memory);
  bool write_definitions(const model::Delta& delta);
  bool write_sums(const model::Delta& delta);
  bool write_totals(const model::Totals& totals);
  bool write_memory(const model::Memory& memory);
  bool write_sources(const model::Delta& delta, std::uint64_t& used_bytes);
  bool write_events(const model::Delta& delta, std::uint64_t& used_bytes);
  bool write_steps(const model::Delta& delta, std::uint64_t used_bytes);
  bool write_training(const model::TrainingDelta& training, std::uint64_t used_bytes);
  bool write_drops(const model::Delta& delta);

  std::uint64_t budget_bytes_;
  Drops committed_;
  Drops counting_;

  Statement meta_;
  Statement file_;
  Statement source_;
  Statement frame_;
  Statement node_;
  Statement module_;
  Statement operator_;
  Statement thread_;
  Statement cost_;
  Statement module_calls_;
  Statement step_;
  Statement thin_steps_;
  Statement event_batch_;
  Statement range_;
  Statement drop_;
  Statement clear_peak_blocks_;
  Statement peak_block_;
  Statement totals_;
  Statement memory_;
  TrainingRows training_;
};

}  // namespace sightline::store
