#include "worker/worker_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "core/base/parent.h"
#include "worker/bootstrap.h"

namespace sightline::worker {
namespace {

constexpr std::size_t kOutputKept = 64 * 1024;
constexpr std::chrono::seconds kTimeToEnd(5);  // of a process that was killed

// Appends what can be read at once, and keeps the end of it. False at the end of the stream.
bool drain(int descriptor, std::string& text, std::size_t kept) {
  std::array<char, 16384> buffer{};
  const ssize_t size = read(descriptor, buffer.data(), buffer.size());
  if (size < 0) return errno == EINTR || errno == EAGAIN;
  if (size == 0) return false;
  text.append(buffer.data(), static_cast<std::size_t>(size));
  if (text.size() > kept) text.erase(0, text.size() - kept);
  return true;
}

void move_to(int from, int to) {
  if (from == to) {
    fcntl(from, F_SETFD, 0);
  } else {
    dup2(from, to);
  }
}

}  // namespace

Result<std::unique_ptr<WorkerProcess>> WorkerProcess::start(const std::filesystem::path& python,
                                                            int interrupted) {
  std::unique_ptr<WorkerProcess> worker(new WorkerProcess(interrupted));
  std::array<int, 2> sockets{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0) {
    return Error{ErrorKind::Io, std::string("no socket could be made: ") + std::strerror(errno)};
  }
  worker->channel_ = sockets[0];
  // Above those that the child is to find them at.
  const int theirs = fcntl(sockets[1], F_DUPFD_CLOEXEC, 16);
  const int stack_report = fcntl(worker->stack_pipe_.ends[1], F_DUPFD_CLOEXEC, 16);
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  const pid_t parent = getpid();
  const Command command = {python.string(),
                           {"-c", bootstrap("sightline._worker")},
                           {"SIGHTLINE_CHANNEL=" + std::to_string(kChannel), "PYTHONUNBUFFERED=1"}};
  const Result<pid_t> child = worker::start(command, [&] {
    setpgid(0, 0);  // the terminal's Ctrl-C is ours; and all of it can be ended at once
    die_with(parent);
    dup2(nothing, STDIN_FILENO);
    dup2(worker->output_pipe_.ends[1], STDOUT_FILENO);
    dup2(worker->output_pipe_.ends[1], STDERR_FILENO);
    move_to(theirs, kChannel);
    move_to(stack_report, kStackReport);
  });
  for (const int descriptor : {sockets[1], theirs, stack_report, nothing}) close(descriptor);
  worker->output_pipe_.close_end(1);
  worker->stack_pipe_.close_end(1);
  if (!child) return child.error();
  worker->process_ = child.value();
  for (const int descriptor : {worker->output_pipe_.ends[0], worker->stack_pipe_.ends[0]}) {
    fcntl(descriptor, F_SETFL, O_NONBLOCK);
  }
  return worker;
}

WorkerProcess::~WorkerProcess() {
  end();
  if (channel_ >= 0) close(channel_);
}

void WorkerProcess::end() {
  if (process_ < 0) return;
  if (analysis_ > 0) kill(-analysis_, SIGKILL);
  kill(-process_, SIGKILL);
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  process_ = -1;
}

void WorkerProcess::begin(const nlohmann::json& request) {
  output_.clear();
  stack_report_.clear();
  analysing_ = true;
  send(request);
}

bool WorkerProcess::take_note(const nlohmann::json& message) {
  const std::string event = message.value("event", "");
  if (event == "writes") {
    if (on_writes_) on_writes_(message.value("path", ""));
    return false;
  }
  if (event == "begun") analysis_ = message.value("process", -1);
  if (event == "ended") {
    analysing_ = false;
    analysis_ = -1;
  }
  return true;
}

bool WorkerProcess::end_analysis() {
  const auto deadline = std::chrono::steady_clock::now() + kTimeToEnd;
  while (analysing_ && process_ > 0 && std::chrono::steady_clock::now() < deadline) {
    if (analysis_ > 0) kill(-analysis_, SIGKILL);
    nlohmann::json message;
    if (take_line(message)) continue;
    read_what_comes(std::chrono::milliseconds(10));
  }
  return !analysing_ && process_ > 0;
}

void WorkerProcess::send(const nlohmann::json& request) {
  const std::string line =
      request.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n";
  std::size_t sent = 0;
  while (sent < line.size()) {
    const ssize_t size = ::send(channel_, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return;  // it has gone: receive() will say so
    sent += static_cast<std::size_t>(size);
  }
}

bool WorkerProcess::take_line(nlohmann::json& message) {
  while (true) {
    const std::size_t end = unread_.find('\n');
    if (end == std::string::npos) return false;
    message = nlohmann::json::parse(unread_.substr(0, end), nullptr, false);
    unread_.erase(0, end + 1);
    if (!message.is_object() || take_note(message)) return true;
  }
}

Event WorkerProcess::receive(std::chrono::milliseconds timeout) {
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  while (true) {
    Event event;
    if (take_line(event.message)) {
      event.kind = event.message.is_object() ? Event::Kind::Message : Event::Kind::Gone;
      return event;
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) {
      event.kind = Event::Kind::TimedOut;
      return event;
    }
    if (const std::optional<Event::Kind> ended = read_what_comes(left)) {
      event.kind = *ended;
      return event;
    }
  }
}

std::optional<Event::Kind> WorkerProcess::read_what_comes(std::chrono::milliseconds timeout) {
  std::array<pollfd, 4> waiting = {{{channel_, POLLIN, 0},
                                    {output_open_ ? output_pipe_.ends[0] : -1, POLLIN, 0},
                                    {stack_pipe_.ends[0], POLLIN, 0},
                                    {interrupted_, POLLIN, 0}}};
  const auto& [channel, output, stack_report, interrupted] = waiting;
  if (poll(waiting.data(), waiting.size(), static_cast<int>(timeout.count())) <= 0) return {};
  if ((output.revents & POLLIN) != 0) {
    drain(output.fd, output_, kOutputKept);
    if (on_output_) on_output_(output_);
  }
  if ((output.revents & (POLLIN | POLLHUP)) == POLLHUP) output_open_ = false;
  if ((stack_report.revents & POLLIN) != 0) drain(stack_report.fd, stack_report_, kOutputKept);
  if (channel.revents != 0 && !drain(channel_, unread_, std::string::npos)) {
    read_last_output();
    end();
    return Event::Kind::Gone;
  }
  if (interrupted.revents != 0) return Event::Kind::Interrupted;
  return {};
}

// What it wrote before it ended may still be on its way.
void WorkerProcess::read_last_output() {
  constexpr int kPatienceMs = 50;
  while (output_open_ && drain(output_pipe_.ends[0], output_, kOutputKept)) {
    pollfd more{output_pipe_.ends[0], POLLIN, 0};
    if (poll(&more, 1, kPatienceMs) <= 0) break;
  }
}

}  // namespace sightline::worker
