// A run and the page that shows it, as one file that needs no server and no network.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "core/base/result.h"
#include "core/model/run.h"
#include "server/http/page_assets.h"

namespace sightline::server {

// The page of these files, with its scripts and styles, the run's messages and its sources in it. A
// policy in the page lets nothing run but those scripts, and lets nothing be loaded or reached.
// The page calls the run by the name of its path. `training` is JSON: what training_copy() gives of
// the run. Pure.
//
// Fails with Unsupported if the files are not those of a page: the program was built without one.
Result<std::string> saved_page(std::span<const PageFile> files, const model::Run& run,
                               const std::filesystem::path& path,
                               const std::string& training = "null");

}  // namespace sightline::server
