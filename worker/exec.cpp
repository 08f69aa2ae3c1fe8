#include "worker/exec.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <vector>

extern char** environ;

namespace sightline::worker {
namespace {

Error io_error(const std::string& what, int number) {
  return {ErrorKind::Io, what + ": " + std::strerror(number)};
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  list.reserve(texts.size() + 1);
  for (std::string& text : texts) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

std::string name_in(const std::string& entry) { return entry.substr(0, entry.find('=') + 1); }

std::vector<std::string> environment_with(const std::vector<std::string>& additional) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    bool replaced = false;
    for (const std::string& one : additional) {
      replaced = replaced || std::string_view(*entry).starts_with(name_in(one));
    }
    if (!replaced) all.emplace_back(*entry);
  }
  all.insert(all.end(), additional.begin(), additional.end());
  return all;
}

// Reads until the other end is closed; false if that takes longer than the deadline.
bool read_all(int descriptor, std::chrono::steady_clock::time_point deadline, std::string& text) {
  std::array<char, 4096> buffer{};
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd waiting{descriptor, POLLIN, 0};
    if (poll(&waiting, 1, static_cast<int>(left.count())) == 0) return false;
    const ssize_t size = read(descriptor, buffer.data(), buffer.size());
    if (size == 0) return true;
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return false;
    text.append(buffer.data(), static_cast<std::size_t>(size));
  }
}

}  // namespace

Pipe::Pipe() {
  if (pipe2(ends.data(), O_CLOEXEC) != 0) ends = {-1, -1};
}

Pipe::~Pipe() {
  close_end(0);
  close_end(1);
}

void Pipe::close_end(std::size_t end) {
  if (ends[end] >= 0) close(ends[end]);
  ends[end] = -1;
}

Result<pid_t> start(const Command& command, const std::function<void()>& prepare) {
  // Everything is laid out before the fork: the child must not allocate.
  std::vector<std::string> words = {command.program};
  words.insert(words.end(), command.arguments.begin(), command.arguments.end());
  std::vector<std::string> variables = environment_with(command.environment);
  const std::vector<char*> argv = pointers(words);
  const std::vector<char*> envp = pointers(variables);
  Pipe failure;  // closes itself when the program takes over
  const pid_t child = fork();
  if (child < 0) return io_error("no process could be started", errno);
  if (child == 0) {
    prepare();
    execve(command.program.c_str(), argv.data(), envp.data());
    const int number = errno;
    [[maybe_unused]] const ssize_t written = write(failure.ends[1], &number, sizeof number);
    _exit(127);
  }
  failure.close_end(1);
  int number = 0;
  ssize_t size = 0;
  do {
    size = read(failure.ends[0], &number, sizeof number);
  } while (size < 0 && errno == EINTR);
  if (size == sizeof number) {
    waitpid(child, nullptr, 0);
    return io_error(command.program + " could not be started", number);
  }
  return child;
}

Result<std::string> output_of(const Command& command, int timeout_seconds) {
  Pipe output;
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  const Result<pid_t> child = start(command, [&] {
    dup2(nothing, STDIN_FILENO);
    dup2(output.ends[1], STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
  });
  close(nothing);
  output.close_end(1);
  if (!child) return child.error();
  std::string text;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(timeout_seconds);
  const bool ended = read_all(output.ends[0], deadline, text);
  if (!ended) kill(child.value(), SIGKILL);
  waitpid(child.value(), nullptr, 0);
  if (!ended) {
    return Error{ErrorKind::Io, command.program + " gave no answer within " +
                                    std::to_string(timeout_seconds) + " seconds"};
  }
  return text;
}

}  // namespace sightline::worker
