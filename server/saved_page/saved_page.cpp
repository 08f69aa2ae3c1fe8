#include "server/saved_page/saved_page.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "server/messages.h"
#include "server/run_sources.h"
#include "server/saved_page/embedded_text.h"
#include "server/saved_page/sha256.h"
#include "server/saved_page/timeline_copy.h"
#include "server/view_service.h"

namespace sightline::server {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kScript = "/assets/app.js";
constexpr std::string_view kStyle = "/assets/app.css";

std::optional<std::string_view> file_named(std::span<const PageFile> files, std::string_view path) {
  const auto found = std::find_if(files.begin(), files.end(),
                                  [path](const PageFile& file) { return file.path == path; });
  return found == files.end() ? std::nullopt : std::optional(found->bytes);
}

// Puts the text in place of the element that refers to the file, from its '<' to its end. False if
// there is none.
bool replace_element(std::string& page, std::string_view file, std::string_view end,
                     const std::string& text) {
  const std::size_t reference = page.find("\"." + std::string(file) + "\"");
  if (reference == std::string::npos) return false;
  const std::size_t from = page.rfind('<', reference);
  const std::size_t to = page.find(end, reference);
  if (from == std::string::npos || to == std::string::npos) return false;
  page.replace(from, to + end.size() - from, text);
  return true;
}

bool insert_before(std::string& page, std::string_view before, const std::string& text) {
  const std::size_t at = page.find(before);
  if (at == std::string::npos) return false;
  page.insert(at, text);
  return true;
}

// As that of the server (see http/answer.h), for a page that has all that it needs in itself.
std::string policy_element(const std::string& script, const std::string& style) {
  return "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
         "script-src 'sha256-" +
         sha256_base64(script) + "'; style-src 'sha256-" + sha256_base64(style) +
         "'; img-src data:; base-uri 'none'; form-action 'none'\" />\n    ";
}

// All that a view would be told and could ask for, for a page that has so many bytes without it.
std::string run_element(const model::Run& run, const std::filesystem::path& path,
                        const std::string& training, std::size_t page_bytes) {
  Json sources = Json::array();
  for (const std::string& file : sources_of(run)) {
    sources.push_back(source_json(file, source_in(run, file).value_or("")));
  }
  const Json known = {{"hello", hello_json(hello_of_view({listed(path, run)}))},
                      {"state", state_json(state_of_view())},
                      {"sources", sources}};
  // The others are text already.
  std::string json = dump(known);
  json.pop_back();
  json += ",\"result\":" + view_message(run) + ",\"training\":" + training;
  const TimelineCopy timeline = timeline_copy(run, page_bytes + embedded_json(json).size());
  json += ",\"timeline\":" + timeline.json +
          ",\"timeline_why_not\":" + dump(Json(timeline.why_not)) + "}";
  return json_element("sightline-run", json);
}

}  // namespace

Result<std::string> saved_page(std::span<const PageFile> files, const model::Run& run,
                               const std::filesystem::path& path, const std::string& training) {
  const auto page = file_named(files, "/index.html");
  const auto script_file = file_named(files, kScript);
  const auto style_file = file_named(files, kStyle);
  if (page && script_file && style_file) {
    const std::string script = embedded_script(*script_file);
    const std::string style = embedded_style(*style_file);
    std::string whole(*page);
    // From the end to the beginning, so that nothing is looked for in what was put in. The policy
    // comes before all that it is about.
    const std::size_t bytes = page->size() + script.size() + style.size();
    if (insert_before(whole, "</body>", run_element(run, path, training, bytes)) &&
        replace_element(whole, kStyle, ">", "<style>" + style + "</style>") &&
        replace_element(whole, kScript, "</script>",
                        "<script type=\"module\">" + script + "</script>") &&
        insert_before(whole, "<meta name=\"viewport\"", policy_element(script, style))) {
      return whole;
    }
  }
  return Error{ErrorKind::Unsupported,
               "this build has no page; run `make build` in the source of Sightline to get one"};
}

}  // namespace sightline::server
