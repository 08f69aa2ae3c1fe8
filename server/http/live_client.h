// One open WebSocket. Included by http_server.cpp alone.
#pragma once

#include <atomic>
#include <boost/asio/buffer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "server/http/connection.h"
#include "server/http/outbox.h"

namespace sightline::server {

namespace websocket = beast::websocket;

inline std::uint64_t next_client_id() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

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

  // How long a client may take to answer a goodbye.
  static constexpr milliseconds kGoodbye{5000};
  static constexpr std::size_t kFrameBytes = std::size_t{64} * 1024;
  static constexpr std::size_t kLongestReason = 123;

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

}  // namespace sightline::server
