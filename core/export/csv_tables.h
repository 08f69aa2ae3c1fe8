// The tables of a run as CSV files.
#pragma once

#include <string>
#include <vector>

#include "core/base/export.h"
#include "core/export/tables.h"

namespace sightline::exports {

// One table as RFC 4180 has it: a header, lines ended by CR LF, quotes where they are needed. What
// is null in the report is empty; an empty text is a pair of quotes.
SIGHTLINE_API std::string csv_text(const Table& table);

}  // namespace sightline::exports
