// The only file that includes Boost: it compiles slowly.
#include "server/http/http_server.h"

#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <exception>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "server/http/answer.h"
#include "server/http/gate.h"
#include "server/http/outbox.h"

namespace sightline::server {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using boost::system::error_code;
using std::chrono::milliseconds;

// How long the last bytes of a connection may take: a refusal to be read, the end of the server.
constexpr milliseconds kLastMoments{1000};
// How long a client may take to answer a goodbye.
constexpr milliseconds kGoodbye{5000};
// The kernel's buffer of one connection. What grew by itself would be memory that a client which
// never reads costs, and a ping would wait behind all of it.
constexpr int kSendBuffer = 256 * 1024;
constexpr std::size_t kFrameBytes = std::size_t{64} * 1024;
constexpr std::size_t kLongestReason = 123;

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

std::uint64_t next_client_id() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

using HeadParser = http::request_parser<http::empty_body>;
using Head = http::request<http::empty_body>;

class LiveClient final : public Client,
                         public Connection,
                         public std::enable_shared_from_this<LiveClient> {
 public:
  LiveClient(Shared& shared, beast::tcp_stream stream)
      : shared_(shared),
        id_(next_client_id()),
        stream_(std::move(stream)),
        outbox_(shared.options.limits.outbox_messages, shared.options.limits.outbox_bytes),
        registration_(shared, *this) {}

  void start(const Head& head, const std::string& authority) {
    const Limits& limits = shared_.options.limits;
    beast::get_lowest_layer(stream_).expires_never();
    stream_.set_option(websocket::stream_base::timeout{kGoodbye, limits.silence_time, true});
    stream_.set_option(websocket::stream_base::decorator(
        [authority](websocket::response_type& response) { add_headers(response, authority); }));
    stream_.read_message_max(limits.message_bytes);
    // Between two frames of a long message a ping finds its way.
    stream_.auto_fragment(true);
    stream_.write_buffer_bytes(kFrameBytes);
    stream_.text(true);
    stream_.async_accept(head, [self = shared_from_this()](error_code error) {
      if (error) return;
      self->connected_ = true;
      self->shared_.service.connected(*self);
      self->read();
    });
  }

  std::uint64_t id() const override { return id_; }

  void send(std::shared_ptr<const std::string> text) override {
    if (closing_ || !connected_ || text == nullptr) return;
    outbox_.push(std::move(text));
    write();
  }

  void close(std::string_view reason) override {
    if (closing_ || !connected_) return;
    closing_ = true;
    reason_ = reason.substr(0, kLongestReason);
    write();
  }

  void abort() override { beast::get_lowest_layer(stream_).close(); }

 private:
  void read() {
    stream_.async_read(buffer_, [self = shared_from_this()](error_code error, std::size_t) {
      if (error) {
        self->end();
      } else {
        self->take_message();
        self->read();
      }
    });
  }

  void take_message() {
    const std::string_view text(static_cast<const char*>(buffer_.data().data()), buffer_.size());
    if (!stream_.got_text()) {
      close("text is expected");
    } else if (!closing_) {
      try {
        shared_.service.received(*this, text);
      } catch (const std::exception&) {
        close("internal error");
      }
    }
    buffer_.clear();
    buffer_.shrink_to_fit();
  }

  // Sends the next message, unless one is on its way; says goodbye when there are no more.
  void write() {
    if (in_flight_ != nullptr || ended_) return;
    in_flight_ = outbox_.take();
    if (in_flight_ == nullptr) {
      if (closing_) say_goodbye();
      return;
    }
    stream_.async_write(asio::buffer(*in_flight_),
                        [self = shared_from_this()](error_code error, std::size_t) {
                          self->in_flight_.reset();
                          if (error) {
                            self->end();
                            return;
                          }
                          if (self->outbox_.take_behind() && !self->closing_ && !self->ended_) {
                            self->shared_.service.fell_behind(*self);
                          }
                          self->write();
                        });
  }

  void say_goodbye() {
    if (std::exchange(said_goodbye_, true)) return;
    stream_.async_close({websocket::close_code::normal, reason_},
                        [self = shared_from_this()](error_code) { self->end(); });
  }

  void end() {
    if (std::exchange(ended_, true)) return;
    closing_ = true;
    abort();
    shared_.service.disconnected(*this);
  }

  Shared& shared_;
  const std::uint64_t id_;
  websocket::stream<beast::tcp_stream, false> stream_;
  beast::flat_buffer buffer_;
  Outbox outbox_;
  Outbox::Message in_flight_;
  bool connected_ = false;
  bool closing_ = false;
  bool said_goodbye_ = false;
  bool ended_ = false;
  std::string reason_;
  Registration registration_;
};

class HttpConnection final : public Connection,
                             public std::enable_shared_from_this<HttpConnection> {
 public:
  // One that is `surplus` is told to come back later, whatever it asks.
  HttpConnection(Shared& shared, tcp::socket socket, bool surplus)
      : shared_(shared),
        surplus_(surplus),
        stream_(std::move(socket)),
        buffer_(2 * shared.options.limits.header_bytes),
        registration_(shared, *this) {}

  void start() {
    stream_.expires_after(surplus_ ? kLastMoments : shared_.options.limits.request_time);
    read_head();
  }

  void abort() override { stream_.close(); }

 private:
  using Answer = http::response<http::span_body<const char>>;

  // Waiting for the next request and reading it have different limits.
  void wait_for_request() {
    if (buffer_.size() > 0) {
      start();
      return;
    }
    constexpr std::size_t kFirstBytes = 1024;
    stream_.expires_after(shared_.options.limits.idle_time);
    stream_.async_read_some(buffer_.prepare(kFirstBytes),
                            [self = shared_from_this()](error_code error, std::size_t size) {
                              if (error) return;
                              self->buffer_.commit(size);
                              self->start();
                            });
  }

  void read_head() {
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(shared_.options.limits.header_bytes));
    parser_->body_limit(boost::none);
    http::async_read_header(
        stream_, buffer_, *parser_,
        [self = shared_from_this()](error_code error, std::size_t) { self->take_head(error); });
  }

  void take_head(error_code error) {
    if (error == http::error::header_limit || error == http::error::buffer_overflow) {
      answer(error_answer(431, "header", "the header is too large"), "", false);
    } else if (error == http::error::end_of_stream || error == http::error::partial_message ||
               (error && error.category() != http::make_error_code(http::error{}).category())) {
      stream_.close();
    } else if (error) {
      answer(error_answer(400, "request", "this is not a request of HTTP/1.1"), "", false);
    } else if (surplus_) {
      answer(error_answer(503, "connections", "too many connections are open"), "", false);
    } else {
      take_request();
    }
  }

  void take_request() {
    const Head& head = parser_->get();
    const Verdict verdict = judge(shared_.gate, request_head());
    const Request* request = verdict.admitted();
    is_head_ = head.method() == http::verb::head;
    if (request == nullptr) {
      // A browser that has just got its cookie comes back at once; who was refused may not stay.
      const Response& response = std::get<Response>(verdict.outcome);
      answer(response, verdict.authority, response.status < 400 && head.keep_alive());
    } else if (request->path != shared_.options.live_path) {
      answer(ask_service(*request), verdict.authority, head.keep_alive());
    } else if (!websocket::is_upgrade(head) || buffer_.size() > 0) {
      Response response = error_answer(426, "upgrade", "this address is for a WebSocket");
      response.headers.emplace_back("Upgrade", "websocket");
      answer(response, verdict.authority, false);
    } else {
      std::make_shared<LiveClient>(shared_, std::move(stream_))->start(head, verdict.authority);
    }
  }

  RequestHead request_head() const {
    const Head& head = parser_->get();
    RequestHead made{head.method_string(), head.target(), {}, parser_->chunked()};
    made.has_body = made.has_body || parser_->content_length().value_or(0) > 0;
    for (const auto& field : head) made.fields.emplace_back(field.name_string(), field.value());
    return made;
  }

  Response ask_service(const Request& request) {
    try {
      return shared_.service.answer(request);
    } catch (const std::exception& problem) {
      return error_answer(500, "internal", problem.what());
    }
  }

  void answer(const Response& response, std::string_view authority, bool keep_alive) {
    body_ = response.body;
    answer_.emplace();
    answer_->result(response.status);
    answer_->version(11);
    add_headers(*answer_, authority);
    if (!response.content_type.empty()) {
      answer_->set(http::field::content_type, response.content_type);
    }
    for (const auto& [name, value] : response.headers) answer_->set(name, value);
    answer_->keep_alive(keep_alive);
    const std::size_t size = body_ == nullptr ? 0 : body_->size();
    answer_->content_length(size);
    if (size > 0 && !is_head_) answer_->body() = {body_->data(), size};
    serializer_.emplace(*answer_);
    write();
  }

  // Piece by piece: a slow line may take its time, as long as something moves.
  void write() {
    stream_.expires_after(shared_.options.limits.answer_time);
    http::async_write_some(stream_, *serializer_,
                           [self = shared_from_this()](error_code error, std::size_t) {
                             if (error) {
                               self->stream_.close();
                             } else if (!self->serializer_->is_done()) {
                               self->write();
                             } else {
                               self->finish_answer();
                             }
                           });
  }

  void finish_answer() {
    const bool keep_alive = answer_->keep_alive();
    serializer_.reset();
    answer_.reset();
    body_.reset();
    if (keep_alive) {
      wait_for_request();
      return;
    }
    // Closing while the client still sends would take the answer away from it.
    error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    stream_.expires_after(kLastMoments);
    drain();
  }

  void drain() {
    buffer_.clear();
    stream_.async_read_some(buffer_.prepare(buffer_.max_size()),
                            [self = shared_from_this()](error_code error, std::size_t) {
                              if (!error) self->drain();
                            });
  }

  Shared& shared_;
  const bool surplus_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
  std::optional<HeadParser> parser_;
  std::optional<Answer> answer_;
  std::optional<http::response_serializer<http::span_body<const char>>> serializer_;
  std::shared_ptr<const std::string> body_;
  bool is_head_ = false;
  Registration registration_;
};

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
        most_connections_(make_room(options.limits.connections)),
        stop_event_(context_, eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

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
    stop_event_.async_wait(asio::posix::stream_descriptor::wait_read,
                           [this](error_code) { context_.stop(); });
    accept();
    context_.run();
    shut_down();
  }

  void stop() {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(stop_event_.native_handle(), &one, sizeof one);
  }

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
  asio::posix::stream_descriptor stop_event_;
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
