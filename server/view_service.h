// Saved runs, served. They are read when they are asked for; the one that was asked for last is
// kept.
#pragma once

#include <filesystem>
#include <vector>

#include "server/page_service.h"

namespace sightline::server {

class ViewService : public PageService {
 public:
  explicit ViewService(std::vector<std::filesystem::path> runs);

 protected:
  Hello hello() const override;
  StateFacts state() const override;
  std::vector<Message> everything() const override;
  std::vector<std::string> files(std::size_t run) override;
  Message result(std::size_t run) override;
  std::optional<std::string> source(const std::string& path, std::size_t run) override;

 private:
  bool load(std::size_t run);  // false if there is no such run, or it cannot be read

  const std::vector<std::filesystem::path> runs_;
  std::optional<std::size_t> loaded_;
  Message result_;
  std::map<std::string, std::string> sources_;  // by path
};

}  // namespace sightline::server
