// What a session and a view of saved runs have in common: the page, the addresses and the greeting
// of docs/protocol.md.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "server/audience.h"
#include "server/http/service.h"
#include "server/messages.h"
#include "server/timeline_cache.h"

namespace sightline::server {

class PageService : public Service, public Audience {
 public:
  Response answer(const Request& request) final;
  void connected(Client& client) final;
  void received(Client& client, std::string_view text) final;
  void disconnected(Client& client) final;
  void fell_behind(Client& client) final;

  // All that have greeted.
  void tell_all(const Message& message) final;

 protected:
  virtual Hello hello() const = 0;
  virtual StateFacts state() const = 0;
  virtual std::vector<Message> everything() const = 0;  // but for the hello
  virtual std::vector<std::string> files(std::size_t run) = 0;
  virtual Message result(std::size_t run) = 0;  // null if there is none
  // The address that the page will ask for first; empty: what it needs is sent to it.
  virtual std::string first_request() const { return ""; }
  virtual std::optional<std::string> source(const std::string& path, std::size_t run) = 0;
  // The file of a run that is to be compared; nothing if there is no such run.
  virtual std::optional<std::filesystem::path> run_file(std::size_t run) = 0;
  // The same of a run that is known by a text.
  virtual std::optional<std::filesystem::path> saved_run_file(const std::string&) const {
    return std::nullopt;
  }
  // The file of the result that is shown; empty if there is none.
  virtual std::filesystem::path shown_file(std::size_t run) const = 0;
  virtual void analyse() {}
  virtual void cancel() {}
  virtual Result<void> set_batch_size(std::int64_t batch_size,
                                      std::optional<std::int64_t> expected);
  virtual Result<void> undo_batch_size();

 private:
  struct Greeted {
    Client* client = nullptr;
    bool done = false;
  };
  Response source_answer(const Request& request);
  Response compare_answer(const Request& request);
  std::optional<std::filesystem::path> compared_file(const Request& request,
                                                     const std::string& side);
  Response timeline_answer(const Request& request);
  void hasten(Response& page) const;
  void greet(Client& client);

  std::map<std::uint64_t, Greeted> clients_;
  TimelineCache timelines_;
};

}  // namespace sightline::server
