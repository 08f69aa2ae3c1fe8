// A real server on a free port of the loopback, and raw sockets to attack it with.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "server/http/answer.h"
#include "server/http/http_server.h"

namespace sightline::server::test {

inline constexpr char kToken[] = "0123456789abcdef";
inline constexpr std::chrono::seconds kPatience{20};

// Answers with the path, echoes messages, counts what happens.
class Echo : public Service {
 public:
  Response answer(const Request& request) override {
    ++answered;
    if (request.path == "/large") return {200, "text/plain", large, {}};
    if (request.path == "/throw") throw std::runtime_error("thrown");
    if (request.path.starts_with("/missing")) return error_answer(404, "not_found", "nothing");
    return {200, "text/plain", std::make_shared<const std::string>(request.path), {}};
  }
  void connected(Client& client) override {
    clients[client.id()] = &client;
    ++connections;
  }
  void received(Client& client, std::string_view text) override {
    if (text == "throw") throw std::runtime_error("thrown");
    client.send(std::make_shared<const std::string>(text));
    if (text == "bye") client.close("as you wish");
  }
  void disconnected(Client& client) override {
    EXPECT_EQ(clients.erase(client.id()), 1U);
    ++disconnections;
  }
  void fell_behind(Client& client) override {
    ++behind;
    client.send(std::make_shared<const std::string>("everything"));
  }

  std::map<std::uint64_t, Client*> clients;  // on the io thread
  std::shared_ptr<const std::string> large =
      std::make_shared<const std::string>(std::size_t{8} * 1024 * 1024, 'x');
  std::atomic<int> answered = 0;
  std::atomic<int> connections = 0;
  std::atomic<int> disconnections = 0;
  std::atomic<int> behind = 0;
};

inline bool eventually(const std::function<bool()>& holds) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (std::chrono::steady_clock::now() < deadline) {
    if (holds()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return holds();
}

// A blocking socket whose reads give up after kPatience.
class Wire {
 public:
  explicit Wire(std::uint16_t port, int receive_buffer = 0)
      : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    if (receive_buffer > 0) {
      setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    }
    const timeval patience{std::chrono::seconds(kPatience).count(), 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    open_ = connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  Wire(Wire&& other) noexcept
      : socket_(std::exchange(other.socket_, -1)),
        open_(other.open_),
        unread_(std::move(other.unread_)) {}
  ~Wire() {
    if (socket_ >= 0) close(socket_);
  }
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;
  Wire& operator=(Wire&&) = delete;

  bool open() const { return open_; }
  void end() { shutdown(socket_, SHUT_RDWR); }

  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t size = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (size <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(size));
    }
    return true;
  }

  // False at the end of the stream, or when patience is over.
  bool more() {
    std::array<char, 65536> buffer{};
    const ssize_t size = recv(socket_, buffer.data(), buffer.size(), 0);
    if (size > 0) unread_.append(buffer.data(), static_cast<std::size_t>(size));
    timed_out_ = size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
    return size > 0;
  }
  bool closed_by_server() {
    while (more()) {
    }
    return !timed_out_;
  }
  // Exactly so many bytes; fewer if there are no more.
  std::string take(std::size_t size) {
    while (unread_.size() < size && more()) {
    }
    std::string taken = unread_.substr(0, size);
    unread_.erase(0, size);
    return taken;
  }
  std::string take_until(std::string_view mark) {
    while (unread_.find(mark) == std::string::npos) {
      if (!more()) return std::exchange(unread_, "");
    }
    return take(unread_.find(mark) + mark.size());
  }
  const std::string& unread() const { return unread_; }

 private:
  int socket_;
  bool open_ = false;
  bool timed_out_ = false;
  std::string unread_;
};

struct Answer {
  int status = 0;  // 0: none came
  std::string head;
  std::string body;

  bool has(const std::string& text) const { return head.find(text) != std::string::npos; }
};

inline Answer read_answer(Wire& wire, bool with_body = true) {
  Answer answer;
  answer.head = wire.take_until("\r\n\r\n");
  if (!answer.head.starts_with("HTTP/1.1 ")) return answer;
  answer.status = std::stoi(answer.head.substr(9, 3));
  const std::size_t length = answer.head.find("Content-Length: ");
  if (with_body && length != std::string::npos) {
    answer.body = wire.take(std::stoul(answer.head.substr(length + 16)));
  }
  return answer;
}

class RunningServer {
 public:
  explicit RunningServer(const Limits& limits = {}, const ServerOptions& base = {}) {
    ServerOptions options = base;
    options.token = kToken;
    options.limits = limits;
    server_ = HttpServer::listen(options, echo).value();
    thread_ = std::thread([this] { server_->run(); });
  }
  ~RunningServer() { stop(); }
  RunningServer(const RunningServer&) = delete;
  RunningServer& operator=(const RunningServer&) = delete;

  void stop() {
    if (!thread_.joinable()) return;
    server_->stop();
    thread_.join();
    EXPECT_EQ(echo.connections, echo.disconnections);
  }

  HttpServer& operator*() { return *server_; }
  HttpServer* operator->() { return server_.get(); }
  Wire connect(int receive_buffer = 0) const { return Wire(server_->port(), receive_buffer); }

  std::string host() const { return "127.0.0.1:" + std::to_string(server_->port()); }

  // Header lines of a request that is let in.
  std::string entry() const {
    return "Host: " + host() + "\r\nAuthorization: Bearer " + kToken + "\r\n";
  }

  // What comes back for these bytes on a connection of their own.
  Answer raw(std::string_view bytes) const {
    Wire wire = connect();
    wire.send(bytes);
    return read_answer(wire);
  }
  Answer get(const std::string& target, const std::string& lines) const {
    return raw("GET " + target + " HTTP/1.1\r\n" + lines + "\r\n");
  }
  Answer get(const std::string& target) const { return get(target, entry()); }

  // Runs on the io thread, and waits for it.
  void on_io_thread(const std::function<void()>& call) {
    std::promise<void> done;
    server_->post([&] {
      call();
      done.set_value();
    });
    done.get_future().wait();
  }

  Echo echo;

 private:
  std::unique_ptr<HttpServer> server_;
  std::thread thread_;
};

}  // namespace sightline::server::test
