// What the kinds of connections have in common, and need of their server. Included by
// http_server.cpp alone, as all that includes Boost.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <set>
#include <string_view>

#include "server/http/answer.h"
#include "server/http/gate.h"
#include "server/http/http_server.h"

namespace sightline::server {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using boost::system::error_code;
using std::chrono::milliseconds;

// How long the last bytes of a connection may take: a refusal to be read, the end of the server.
inline constexpr milliseconds kLastMoments{1000};

using HeadParser = http::request_parser<http::empty_body>;
using Head = http::request<http::empty_body>;

struct Connection {
  virtual void abort() = 0;

 protected:
  ~Connection() = default;
};

// What connections need of their server; it outlives them.
struct Shared {
  const ServerOptions options;
  Service& service;
  Gate gate;
  std::set<Connection*> connections;
};

// A connection is in the set for as long as it lives.
class Registration {
 public:
  Registration(Shared& shared, Connection& connection) : shared_(shared), connection_(connection) {
    shared_.connections.insert(&connection_);
  }
  ~Registration() { shared_.connections.erase(&connection_); }
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;

 private:
  Shared& shared_;
  Connection& connection_;
};

template <typename Message>
void add_headers(Message& message, std::string_view authority) {
  for (const auto& [name, value] : protective_headers(authority)) message.set(name, value);
}

}  // namespace sightline::server
