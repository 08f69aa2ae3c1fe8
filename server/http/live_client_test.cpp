#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "server/http/http_server.h"
#include "server/http/test_server.h"
#include "server/http/test_socket.h"

namespace sightline::server {
namespace {

using std::chrono::milliseconds;
using test::frame;
using test::RunningServer;
using test::Socket;
using testing::HasSubstr;
using testing::StartsWith;

// A handshake that the client has seen is not yet one that the service knows of.
void wait_for_clients(const RunningServer& server, int count) {
  ASSERT_TRUE(test::eventually([&] { return server.echo.connections == count; }));
}

void send_to_all(RunningServer& server, const std::shared_ptr<const std::string>& text) {
  server.on_io_thread([&] {
    for (const auto& [id, client] : server.echo.clients) client->send(text);
  });
}

TEST(LiveClient, TalksWithTheService) {
  RunningServer server;
  Socket socket(server);
  EXPECT_EQ(socket.handshake.status, 101);
  EXPECT_FALSE(socket.handshake.has("permessage-deflate"));
  socket.send("hello");
  EXPECT_EQ(socket.read(), "hello");
  const std::string longest(64 * 1024, 'x');
  socket.send(longest);
  EXPECT_EQ(socket.read(), longest);
}

TEST(LiveClient, IsToldGoodbyeAfterWhatWaits) {
  RunningServer server;
  Socket socket(server);
  socket.send("bye");
  EXPECT_EQ(socket.read(), "bye");
  EXPECT_EQ(socket.read(), "closed: as you wish");
  socket.wire.send(frame(test::kClose, "\x03\xe8"));
  EXPECT_TRUE(socket.wire.closed_by_server());
  socket.wire.end();
  EXPECT_TRUE(test::eventually([&] { return server.echo.disconnections == 1; }));
}

TEST(LiveClient, MaySayGoodbyeOrJustGo) {
  RunningServer server;
  {
    Socket polite(server);
    polite.wire.send(frame(test::kClose, "\x03\xe8"));
    EXPECT_THAT(polite.read(), StartsWith("closed"));
    Socket rude(server);
    wait_for_clients(server, 2);
  }
  EXPECT_TRUE(test::eventually([&] { return server.echo.disconnections == 2; }));
}

TEST(LiveClient, IsClosedForWhatItMayNotSend) {
  RunningServer server;
  for (const std::string& bytes :
       {frame(test::kText, std::string(64 * 1024 + 1, 'x')), frame(test::kBinary, "x"),
        frame(test::kText, "\xff"), frame(test::kText, "x", true, false), frame(3, "x"),
        frame(test::kContinuation, "x"), frame(test::kPing, std::string(126, 'x')),
        frame(test::kText, std::string(60'000, 'x'), false) +
            frame(test::kContinuation, std::string(60'000, 'x')),
        std::string("\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\x01\x02\x03\x04", 14),
        frame(test::kText, "throw")}) {
    Socket socket(server);
    socket.wire.send(bytes);
    EXPECT_THAT(socket.read(), StartsWith("closed")) << bytes.substr(0, 20);
  }
  Socket socket(server);
  socket.send("still there");
  EXPECT_EQ(socket.read(), "still there");
}

TEST(LiveClient, NeedsARealHandshake) {
  RunningServer server;
  const std::string entry = server.entry();
  EXPECT_EQ(server.get("/api/live").status, 426);
  EXPECT_EQ(server.get("/api/live", entry + "Connection: Upgrade\r\nUpgrade: h2c\r\n").status, 426);
  const std::string upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\n";
  const int no_key = server.get("/api/live", entry + upgrade).status;
  EXPECT_TRUE(no_key == 400 || no_key == 426) << no_key;
  EXPECT_EQ(server.get("/elsewhere", entry + test::upgrade_lines()).status, 200);
  EXPECT_EQ(server.echo.connections, 0);
}

TEST(LiveClient, IsKeptAliveByPongsAndFoundIfHalfOpen) {
  Limits limits;
  limits.silence_time = milliseconds(200);
  RunningServer server(limits);
  Socket alive(server);
  Socket half_open(server);
  wait_for_clients(server, 2);
  std::thread reading([&] { EXPECT_EQ(alive.read(), "last"); });
  EXPECT_TRUE(test::eventually([&] { return server.echo.disconnections == 1; }));
  std::this_thread::sleep_for(milliseconds(600));
  EXPECT_EQ(server.echo.disconnections, 1);
  send_to_all(server, std::make_shared<const std::string>("last"));
  reading.join();
}

TEST(LiveClient, ThatNeverReadsCostsLittleAndIsToldEverythingLater) {
  RunningServer server;
  Socket slow(server);
  Socket quick(server);
  wait_for_clients(server, 2);
  const auto text = std::make_shared<const std::string>(1024 * 1024, 'x');
  std::vector<std::weak_ptr<const std::string>> sent;
  for (int count = 0; count < 300; ++count) {
    const auto news = std::make_shared<const std::string>(*text);
    sent.push_back(news);
    send_to_all(server, news);
    ASSERT_EQ(quick.read().size(), text->size());
    const auto gone =
        std::count_if(sent.begin(), sent.end(), [](const auto& one) { return one.expired(); });
    ASSERT_LT(sent.size() - gone, 40U) << "32 MiB wait, a few more are on their way";
  }
  EXPECT_EQ(server.echo.behind, 0) << "it cannot take messages yet";
  int received = 0;
  while (slow.read() == *text) ++received;
  EXPECT_LT(received, 64);
  EXPECT_EQ(server.echo.behind, 1);
  send_to_all(server, std::make_shared<const std::string>("news"));
  EXPECT_EQ(slow.read(), "news");
  EXPECT_EQ(quick.read(), "news");
}

TEST(LiveClient, ThatNeverReadsIsDroppedInTheEnd) {
  Limits limits;
  limits.silence_time = milliseconds(300);
  RunningServer server(limits);
  Socket slow(server, 4096);
  wait_for_clients(server, 1);
  for (int count = 0; count < 20; ++count) send_to_all(server, server.echo.large);
  EXPECT_TRUE(test::eventually([&] { return server.echo.disconnections == 1; }));
}

TEST(LiveClient, OneOfTwoHundredGetsEveryMessageInOrder) {
  RunningServer server;
  constexpr int kClients = 200;
  constexpr int kMessages = 500;
  std::vector<Socket> sockets;
  sockets.reserve(kClients);
  for (int count = 0; count < kClients; ++count) sockets.emplace_back(server);
  wait_for_clients(server, kClients);
  std::vector<int> next(kClients, 0);
  // In batches that an outbox holds: none may fall behind here.
  for (int first = 0; first < kMessages; first += 50) {
    for (int number = first; number < first + 50; ++number) {
      send_to_all(server, std::make_shared<const std::string>(std::to_string(number)));
    }
    for (int client = 0; client < kClients; ++client) {
      for (int number = first; number < first + 50; ++number) {
        if (sockets[client].read() == std::to_string(number)) ++next[client];
      }
    }
  }
  EXPECT_THAT(next, testing::Each(kMessages));
  EXPECT_EQ(server.echo.behind, 0);
}

TEST(LiveClient, IsDisconnectedWhenTheServerStops) {
  RunningServer server;
  Socket first(server);
  Socket second(server);
  wait_for_clients(server, 2);
  server.stop();
  EXPECT_EQ(server.echo.disconnections, 2);
  EXPECT_TRUE(first.wire.closed_by_server());
}

}  // namespace
}  // namespace sightline::server
