// Lets other Python threads run in a scope that needs no Python.
#pragma once

#include <Python.h>

namespace sightline::torch_collector {

class LockGivenUp {
 public:
  LockGivenUp() : state_(PyEval_SaveThread()) {}
  ~LockGivenUp() { PyEval_RestoreThread(state_); }
  LockGivenUp(const LockGivenUp&) = delete;
  LockGivenUp& operator=(const LockGivenUp&) = delete;

 private:
  PyThreadState* state_;
};

}  // namespace sightline::torch_collector
