// Result<T>: a value, or an Error that says what happened, where, and what to do about it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace sightline {

// Few and stable: tests and exit codes depend on the kind, people read the message.
enum class ErrorKind {
  InvalidArgument,  // wrong use: the caller can mend it
  NotFound,
  Corrupt,      // the file is damaged or incomplete
  Unsupported,  // made by a newer version, or not by us
  Io,           // the disk, a directory or a process said no
  Cancelled,
};

struct Error {
  ErrorKind kind = ErrorKind::Io;
  std::string message;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return std::holds_alternative<T>(state_); }
  explicit operator bool() const { return ok(); }

  T& value() & { return std::get<T>(state_); }
  const T& value() const& { return std::get<T>(state_); }
  T&& value() && { return std::get<T>(std::move(state_)); }
  T* operator->() { return &std::get<T>(state_); }
  const T* operator->() const { return &std::get<T>(state_); }
  const Error& error() const { return std::get<Error>(state_); }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace sightline
