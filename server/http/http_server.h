// A server for one machine's user: HTTP/1.1 and WebSocket, one thread, a token on everything.
// Who is let in is decided by gate.h, what is answered by a Service.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "server/event_loop.h"
#include "server/http/service.h"

namespace sightline::server {

struct Limits {
  std::size_t header_bytes = std::size_t{16} * 1024;
  std::size_t connections = 1024;                  // those beyond get 503
  std::chrono::milliseconds request_time{10'000};  // to send a request
  std::chrono::milliseconds idle_time{60'000};     // between two requests
  std::chrono::milliseconds answer_time{30'000};   // in which a part of an answer must be read
  // A WebSocket of which nothing is heard is asked for a sign of life after half of this, and
  // closed after all of it.
  std::chrono::milliseconds silence_time{30'000};
  std::size_t message_bytes = std::size_t{64} * 1024;  // from a client
  std::size_t outbox_messages = 64;                    // waiting for a client, see outbox.h
  std::size_t outbox_bytes = std::size_t{32} * 1024 * 1024;
};

struct ServerOptions {
  std::string host = "127.0.0.1";  // an address or a name of this machine
  std::uint16_t port = 0;          // 0: any that is free
  std::string token;
  std::vector<std::string> allowed_hosts;  // names of ours that a proxy sends as Host
  std::string base_path;                   // what a proxy puts before all addresses
  std::string live_path = "/api/live";     // where the WebSocket is
  Limits limits;
};

class HttpServer : public EventLoop {
 public:
  // Takes the port; connections wait until run(). The service must outlive the server. May raise
  // this process's limit of open files. Fails with InvalidArgument (token, allowed hosts) or Io (a
  // port that is taken, an address that is not ours).
  static Result<std::unique_ptr<HttpServer>> listen(const ServerOptions& options, Service& service);
  ~HttpServer() override;
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  std::uint16_t port() const;

  // Serves on the calling thread, the io thread, until stop(). Before it returns, every client was
  // disconnected. Is called once.
  void run();
  // Safe from any thread and from signal handlers, also before run().
  void stop();

  // Calls the function on the io thread. Safe from any thread. What has not run when the server
  // stops never does.
  void post(std::function<void()> call) override;
  void call_after(std::chrono::milliseconds delay, std::function<void()> call) override;

  // Calls the function on the io thread whenever the descriptor can be read from, until
  // stop_watching(). The descriptor stays the caller's and must stay open for so long. Both are
  // called on the io thread, or while nothing runs.
  void watch_readable(int descriptor, std::function<void()> call) override;
  void stop_watching(int descriptor) override;

 private:
  class Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sightline::server
