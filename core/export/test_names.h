// Names that break what is not careful, for the tests of this room.
#pragma once

#include <string>

namespace sightline::exports {

// Not UTF-8, marks of XML, JSON and CSV, line ends, escapes of terminals, and U+FFFF, which is
// UTF-8 but no character of XML.
inline std::string hostile_name() {
  return std::string("a\xff</script>\"'&amp;,\r\n\x1b[31m") + '\0' + "]]>--\xEF\xBF\xBF";
}

}  // namespace sightline::exports
