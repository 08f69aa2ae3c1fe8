// What a server serves, and how it talks with it. All calls come on the server's io thread, one
// after the other, and may not block: while one runs, nobody else is served.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sightline::server {

// One that was let in: token, Host and Origin were right.
struct Request {
  std::string method;                        // GET or HEAD
  std::string path;                          // below the base path, decoded, starts with '/'
  std::map<std::string, std::string> query;  // decoded; the first of each name
  std::string authority;                     // the Host as sent
};

struct Response {
  unsigned status = 200;
  std::string content_type;
  std::shared_ptr<const std::string> body;  // null: empty
  // In addition to those that every answer has (see answer.h).
  std::vector<std::pair<std::string, std::string>> headers;
};

// One open WebSocket. Lives from connected() until disconnected() has returned. Nothing is called
// back from within send() or close().
class Client {
 public:
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // A number that no other client of this process has or had.
  virtual std::uint64_t id() const = 0;
  // The text, which must be UTF-8, is shared, not copied: serialise once for all clients.
  virtual void send(std::shared_ptr<const std::string> text) = 0;
  // Sends what waits, then says goodbye; disconnected() follows. What is sent after it is dropped.
  virtual void close(std::string_view reason) = 0;

 protected:
  Client() = default;
  ~Client() = default;
};

// An exception out of answer() is answered with 500, one out of received() ends the connection.
class Service {
 public:
  virtual ~Service() = default;

  // For HEAD the same as for GET: the body is left out later.
  virtual Response answer(const Request& request) = 0;

  virtual void connected(Client& client) = 0;
  virtual void received(Client& client, std::string_view text) = 0;
  // The last call about this client, also when the server stops.
  virtual void disconnected(Client& client) = 0;
  // The client read too slowly and what waited for it was dropped. Now it takes messages again:
  // send it all that there is to know.
  virtual void fell_behind(Client& client) = 0;
};

}  // namespace sightline::server
