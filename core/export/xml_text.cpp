#include "core/export/xml_text.h"

#include "core/profile/report/safe_text.h"

namespace sightline::exports {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// U+FFFE and U+FFFF: good UTF-8, but no characters of XML.
bool is_forbidden(std::string_view three) {
  return three == "\xEF\xBF\xBE" || three == "\xEF\xBF\xBF";
}

}  // namespace

std::string xml_text(std::string_view text) {
  const std::string safe = profile::printable(text);
  std::string xml;
  xml.reserve(safe.size());
  for (std::size_t at = 0; at < safe.size(); ++at) {
    switch (safe[at]) {
      case '&':
        xml += "&amp;";
        break;
      case '<':
        xml += "&lt;";
        break;
      case '>':
        xml += "&gt;";
        break;
      case '"':
        xml += "&quot;";
        break;
      case '\'':
        xml += "&apos;";
        break;
      default:
        if (is_forbidden(std::string_view(safe).substr(at, 3))) {
          xml += kReplacement;
          at += 2;
        } else {
          xml.push_back(safe[at]);
        }
    }
  }
  return xml;
}

}  // namespace sightline::exports
