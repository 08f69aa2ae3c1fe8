#include "cli/run_name.h"

#include <fmt/format.h>
#include <unistd.h>

#include <system_error>

#include "cli/complaint.h"
#include "core/store/single_file.h"

namespace sightline::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char kExtension[] = ".sightline";

}  // namespace

std::string default_run_name(const std::string& target, bool module, const std::tm& now) {
  std::string stem = module ? target : fs::path(target).stem().string();
  if (stem.empty()) stem = "run";
  return fmt::format("{}-{:04}{:02}{:02}-{:02}{:02}{:02}{}", stem, now.tm_year + 1900,
                     now.tm_mon + 1, now.tm_mday, now.tm_hour, now.tm_min, now.tm_sec, kExtension);
}

std::string default_run_name_now(const std::string& target, bool module) {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  return default_run_name(target, module, local);
}

fs::path unused_path(const fs::path& folder, const std::string& name) {
  std::error_code ignored;
  fs::path path = folder / name;
  for (int number = 2; fs::exists(path, ignored); ++number) {
    path = folder / (fs::path(name).stem().string() + "-" + std::to_string(number) + kExtension);
  }
  return path;
}

std::string path_from(const fs::path& folder, const fs::path& run) {
  std::error_code ignored;
  const fs::path relative =
      fs::weakly_canonical(run, ignored).lexically_relative(fs::weakly_canonical(folder, ignored));
  const bool below = !relative.empty() && *relative.begin() != "..";
  return below ? relative.string() : run.string();
}

Result<void> check_way(const fs::path& run, bool force) {
  std::error_code ignored;
  const fs::path folder = run.has_parent_path() ? run.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, ignored)) {
    return wrong_use("the folder " + folder.string() +
                     " for the run does not exist; make it first");
  }
  if (access(folder.c_str(), W_OK | X_OK) != 0) {
    return wrong_use("the folder " + folder.string() +
                     " cannot be written; choose another place with -o");
  }
  if (!fs::exists(fs::symlink_status(run, ignored))) return {};
  if (fs::is_directory(run, ignored)) {
    return wrong_use(run.string() + " is a folder; give the name of a file with -o");
  }
  if (!force) {
    return wrong_use(run.string() +
                     " exists already; choose another name, or replace it with --force");
  }
  if (!store::looks_like_run(run)) {
    return wrong_use(run.string() +
                     " is not a run, so --force does not replace it; choose another name");
  }
  if (store::is_being_recorded(run)) {
    return wrong_use(run.string() +
                     " is still being recorded, so --force does not replace it; stop that "
                     "recording, or choose another name");
  }
  return {};
}

Result<void> make_way(const fs::path& run, bool force) {
  if (Result<void> free = check_way(run, force); !free) return free;
  if (const std::error_code failure = store::remove_run(run)) {
    return wrong_use(run.string() + " cannot be replaced: " + failure.message());
  }
  return {};
}

RunDraft::RunDraft(const fs::path& run, const std::string& part)
    : run_(run),
      path_(run.parent_path() /
            ("." + run.filename().string() + "." + part + "-" + std::to_string(getpid()))) {}

RunDraft::~RunDraft() { discard(); }

void RunDraft::discard() const { store::remove_run(path_); }

Result<void> RunDraft::keep() {
  std::error_code failure;
  fs::rename(path_, run_, failure);
  if (failure) {
    return Error{ErrorKind::Io, run_.string() + " could not be written: " + failure.message()};
  }
  return {};
}

}  // namespace sightline::cli
