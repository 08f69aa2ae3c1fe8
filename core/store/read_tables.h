// Fills a model::Run from the tables of an open database. For this room only.
#pragma once

#include "core/model/run.h"
#include "core/store/rows.h"

namespace sightline::store {

// Fails through `reading`. `run` is to be thrown away then.
void read_tables(Reading& reading, bool events, model::Run& run);

}  // namespace sightline::store
