// One connection that asks over HTTP, until it closes or becomes a WebSocket. Included by
// http_server.cpp alone.
#pragma once

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "server/http/connection.h"
#include "server/http/live_client.h"

namespace sightline::server {

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

}  // namespace sightline::server
