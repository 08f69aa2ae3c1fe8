// One analysis of an entry point: loads it in a process of its own and runs training steps.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "worker/dialogue.h"

namespace sightline::worker {

struct AnalysisRequest {
  std::string entry;  // absolute, as are the next two
  std::string root;
  std::string run;               // the run file to record into
  bool observe = true;           // false: only memory is recorded, steps run as if nobody looked
  std::uint64_t batch_size = 0;  // 0: the input provider's default
  std::string device;            // as torch names it; "cpu": what asks for CUDA gets the CPU, too;
                                 // empty: as the code says
  double timeout_s = 120;        // of any stage
  std::vector<std::string> include;
  bool keep_source = true;
  std::string command;
};

// Training steps that were run one after the other.
struct Steps {
  std::vector<std::uint64_t> wall_ns;
  std::vector<std::uint64_t> peak_bytes;  // of the framework's allocator
  std::uint64_t resident_bytes = 0;       // the most that the process had in memory
  std::uint64_t device_bytes = 0;         // likewise on the accelerator; 0 without one
  std::uint64_t device_left_bytes = 0;    // the most that it could have there
};

class Analysis {
 public:
  // The worker has to outlive it. Its next request is this one's.
  Analysis(WorkerProcess& worker, AnalysisRequest request, OnStage on_stage);

  // Loads the entry point and makes model and inputs. The batch size.
  Outcome<std::uint64_t> open();
  Outcome<Steps> run_steps(std::size_t count);
  // Ends the recording and the process.
  std::optional<Failure> close();

 private:
  AnalysisRequest request_;
  Dialogue dialogue_;
};

}  // namespace sightline::worker
