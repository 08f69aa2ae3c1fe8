// Texts that stand inside a page between <script> or <style> and its end, and cannot end it
// themselves, whatever they say.
#pragma once

#include <string>
#include <string_view>

namespace sightline::server {

// JSON as a part of a page that nobody runs. The same JSON for whoever parses it.
std::string embedded_json(std::string_view json);

// An element that holds it, for the end of a page's body.
std::string json_element(std::string_view id, std::string_view json);

// A script, in which what a page could take for markup is written as escapes. Means the same where
// the markup stands in a string, a template without a tag, or a regular expression; nowhere else
// does a minified script have any.
std::string embedded_script(std::string_view script);

std::string embedded_style(std::string_view style);

}  // namespace sightline::server
