// Watches the operators of all threads through torch's record-function observers.
#pragma once

namespace sightline::torch_collector {

void add_observers();
void remove_observers();

// For benchmarks: an observer that does nothing, to tell torch's own cost of calling one.
void set_empty_observer(bool present);

}  // namespace sightline::torch_collector
