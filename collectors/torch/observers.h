// Watches the operators of all threads through torch's record-function observers.
#pragma once

namespace sightline::torch_collector {

void add_observers();
void remove_observers();

}  // namespace sightline::torch_collector
