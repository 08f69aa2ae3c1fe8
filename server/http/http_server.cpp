// The only unit that includes Boost: it compiles slowly.
#include "server/http/http_server.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <map>
#include <set>
#include <utility>

#include "server/http/connection.h"
#include "server/http/http_connection.h"
#include "server/wake_up.h"

namespace sightline::server {
namespace {

// The kernel's buffer of one connection. What grew by itself would be memory that a client which
// never reads costs, and a ping would wait behind all of it.
constexpr int kSendBuffer = 256 * 1024;

struct Watch {
  Watch(asio::io_context& context, int number, std::function<void()> function)
      : descriptor(context, number), call(std::move(function)) {}
  ~Watch() { descriptor.release(); }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  asio::posix::stream_descriptor descriptor;
  std::function<void()> call;
};

std::string machine_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

// How many connections there can be, files of the rest of the program left aside.
std::size_t make_room(std::size_t connections) {
  constexpr rlim_t kOthers = 256;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return connections;
  const rlim_t wanted = connections + kOthers;
  if (limit.rlim_cur < wanted) {
    limit.rlim_cur = std::min(wanted, limit.rlim_max);
    setrlimit(RLIMIT_NOFILE, &limit);
  }
  if (limit.rlim_cur >= wanted) return connections;
  return std::max<std::size_t>(limit.rlim_cur / 2, 1);
}

Error cannot_listen(const ServerOptions& options, const error_code& error) {
  const std::string port = std::to_string(options.port);
  if (error == asio::error::address_in_use) {
    return {ErrorKind::Io, "port " + port + " of " + options.host +
                               " is taken by another program: choose another with --port, or "
                               "--port 0 for any that is free"};
  }
  if (error == asio::error::access_denied) {
    return {ErrorKind::Io, "port " + port +
                               " may not be used: choose one above 1023 with --port, or --port 0 "
                               "for any that is free"};
  }
  return {ErrorKind::Io, "cannot listen on " + options.host + ", port " + port + ": " +
                             error.message() + "; choose an address of this machine with --host"};
}

}  // namespace

class HttpServer::Impl {
 public:
  Impl(const ServerOptions& options, Service& service)
      : shared_{options, service, {}, {}},
        context_(1),
        acceptor_(context_),
        pause_(context_),
        most_connections_(make_room(options.limits.connections)) {}

  Result<void> open() {
    const ServerOptions& options = shared_.options;
    error_code error;
    tcp::resolver resolver(context_);
    const auto found =
        resolver.resolve(options.host, std::to_string(options.port), tcp::resolver::passive, error);
    if (!error && found.empty()) error = asio::error::host_not_found;
    if (error) return cannot_listen(options, error);
    const tcp::endpoint endpoint = found.begin()->endpoint();
    acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (error) return cannot_listen(options, error);
    port_ = acceptor_.local_endpoint(error).port();
    AccessRequest access;
    access.token = options.token;
    access.port = port_;
    access.bound_address = endpoint.address().to_string();
    access.loopback = endpoint.address().is_loopback();
    access.machine_name = machine_name();
    access.allowed_hosts = options.allowed_hosts;
    Result<AccessRules> rules = make_access_rules(access);
    if (!rules) return rules.error();
    shared_.gate = {std::move(rules).value(), options.base_path};
    return {};
  }

  std::uint16_t port() const { return port_; }

  void run() {
    watch_readable(stopping_.descriptor(), [this] { context_.stop(); });
    accept();
    context_.run();
    shut_down();
  }

  void stop() { stopping_.ring(); }

  void post(std::function<void()> call) { asio::post(context_, std::move(call)); }

  void call_after(milliseconds delay, std::function<void()> call) {
    post([this, delay, call = std::move(call)] {
      const auto timer = std::make_shared<asio::steady_timer>(context_, delay);
      timers_.insert(timer);
      timer->async_wait([this, timer, call](error_code error) {
        timers_.erase(timer);
        if (!error) call();
      });
    });
  }

  void watch_readable(int descriptor, std::function<void()> call) {
    stop_watching(descriptor);
    const auto watch = std::make_shared<Watch>(context_, descriptor, std::move(call));
    watches_[descriptor] = watch;
    wait_for(watch);
  }

  void stop_watching(int descriptor) {
    const auto found = watches_.find(descriptor);
    if (found == watches_.end()) return;
    found->second->descriptor.release();
    watches_.erase(found);
  }

 private:
  void accept() {
    acceptor_.async_accept([this](error_code error, tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (error) {
        // No file descriptor is left, most likely; trying again at once would only burn time.
        pause_.expires_after(milliseconds(100));
        pause_.async_wait([this](error_code aborted) {
          if (!aborted) accept();
        });
        return;
      }
      admit(std::move(socket));
      accept();
    });
  }

  void admit(tcp::socket socket) {
    constexpr std::size_t kSurplus = 64;
    const std::size_t open = shared_.connections.size();
    if (open >= most_connections_ + kSurplus) return;
    error_code ignored;
    socket.set_option(tcp::no_delay(true), ignored);
    socket.set_option(asio::socket_base::send_buffer_size(kSendBuffer), ignored);
    std::make_shared<HttpConnection>(shared_, std::move(socket), open >= most_connections_)
        ->start();
  }

  void wait_for(const std::shared_ptr<Watch>& watch) {
    watch->descriptor.async_wait(asio::posix::stream_descriptor::wait_read,
                                 [this, watch](error_code error) {
                                   if (error) return;
                                   watch->call();
                                   if (watch->descriptor.is_open()) wait_for(watch);
                                 });
  }

  // Whatever still waits is told that it waits in vain, so that every client is disconnected.
  void shut_down() {
    error_code ignored;
    acceptor_.close(ignored);
    pause_.cancel();
    for (const auto& timer : timers_) timer->cancel();
    while (!watches_.empty()) stop_watching(watches_.begin()->first);
    const std::set<Connection*> connections = shared_.connections;
    for (Connection* connection : connections) connection->abort();
    context_.restart();
    context_.run_for(kLastMoments);
  }

  Shared shared_;  // before the context: what still waits in it goes with it, and is in here
  std::set<std::shared_ptr<asio::steady_timer>> timers_;
  std::map<int, std::shared_ptr<Watch>> watches_;
  asio::io_context context_;
  tcp::acceptor acceptor_;
  asio::steady_timer pause_;
  const std::size_t most_connections_;
  std::uint16_t port_ = 0;
  WakeUp stopping_;
};

HttpServer::HttpServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HttpServer::~HttpServer() = default;

Result<std::unique_ptr<HttpServer>> HttpServer::listen(const ServerOptions& options,
                                                       Service& service) {
  auto impl = std::make_unique<Impl>(options, service);
  const Result<void> opened = impl->open();
  if (!opened) return opened.error();
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(impl)));
}

std::uint16_t HttpServer::port() const { return impl_->port(); }
void HttpServer::run() { impl_->run(); }
void HttpServer::stop() { impl_->stop(); }
void HttpServer::post(std::function<void()> call) { impl_->post(std::move(call)); }
void HttpServer::call_after(milliseconds delay, std::function<void()> call) {
  impl_->call_after(delay, std::move(call));
}
void HttpServer::watch_readable(int descriptor, std::function<void()> call) {
  impl_->watch_readable(descriptor, std::move(call));
}
void HttpServer::stop_watching(int descriptor) { impl_->stop_watching(descriptor); }

}  // namespace sightline::server
