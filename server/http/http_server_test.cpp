#include "server/http/http_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/eventfd.h>

#include <vector>

#include "core/base/test_folder.h"
#include "server/http/source_path.h"
#include "server/http/test_server.h"
#include "server/http/test_socket.h"

namespace sightline::server {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using test::Answer;
using test::RunningServer;
using test::Wire;
using testing::HasSubstr;
using Texts = std::vector<std::string>;

TEST(HttpServer, AnswersWhoHasTheToken) {
  RunningServer server;
  const Answer answer = server.get("/api/session");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, "/api/session");
  EXPECT_EQ(server.get("/?token=" + std::string(test::kToken), "Host: localhost\r\n").status, 303);
  EXPECT_EQ(server.get("/x?token=" + std::string(test::kToken), "Host: localhost\r\n").status, 200);
  const std::string cookie =
      "Cookie: sightline_" + std::to_string(server->port()) + "=" + test::kToken + "\r\n";
  EXPECT_EQ(server.get("/", "Host: localhost\r\n" + cookie).status, 200);
}

TEST(HttpServer, GivesACookieForTheTokenThatNamesThePort) {
  RunningServer server;
  const Answer answer =
      server.get("/?token=" + std::string(test::kToken), "Host: " + server.host() + "\r\n");
  EXPECT_TRUE(answer.has("Location: ./\r\n"));
  EXPECT_TRUE(answer.has("Set-Cookie: sightline_" + std::to_string(server->port()) + "=" +
                         test::kToken + "; Path=/; HttpOnly; SameSite=Strict\r\n"))
      << answer.head;
}

TEST(HttpServer, ProtectsEveryAnswer) {
  RunningServer server;
  const std::string entry = server.entry();
  for (const Answer& answer :
       {server.get("/"), server.get("/missing"), server.get("/throw"), server.get("/api/live"),
        server.get("/", "Host: evil.example\r\n"), server.get("/", "Host: localhost\r\n"),
        server.get("/../x"), server.raw("POST / HTTP/1.1\r\n" + entry + "\r\n"),
        server.raw("nonsense\r\n\r\n"), server.get("/api/live", entry + test::upgrade_lines()),
        server.get("/?token=" + std::string(test::kToken), "Host: localhost\r\n")}) {
    for (const char* header :
         {"Content-Security-Policy: default-src 'none';", "X-Content-Type-Options: nosniff\r\n",
          "Referrer-Policy: no-referrer\r\n", "Cross-Origin-Resource-Policy: same-origin\r\n",
          "Cross-Origin-Opener-Policy: same-origin\r\n", "Cache-Control: no-store\r\n"}) {
      EXPECT_TRUE(answer.has(header)) << header << answer.head;
    }
    EXPECT_FALSE(answer.has("evil.example"));
  }
  EXPECT_TRUE(server.get("/").has("ws://" + server.host() + " wss://" + server.host()));
}

TEST(HttpServer, WantsTheTokenEverywhere) {
  RunningServer server;
  const std::string host = "Host: " + server.host() + "\r\n";
  const std::string other_port = std::to_string(server->port() ^ 1);
  for (const std::string& target :
       Texts{"/", "/index.html", "/assets/app.js", "/api/session", "/api/files", "/api/result",
             "/api/source?path=model.py", "/api/live", "/nowhere", "/favicon.ico"}) {
    for (const std::string& lines :
         Texts{"", "Authorization: Bearer wrong\r\n",
               std::string("Authorization: Basic ") + test::kToken + "\r\n",
               "Cookie: sightline_" + other_port + "=" + test::kToken + "\r\n",
               std::string("Cookie: token=") + test::kToken + "\r\n"}) {
      EXPECT_EQ(server.get(target, host + lines).status, 401) << target << lines;
      EXPECT_EQ(server.get(target, host + lines + test::upgrade_lines()).status, 401) << target;
    }
    for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "HEAD"}) {
      Wire wire = server.connect();
      wire.send(std::string(method) + " " + target + " HTTP/1.1\r\n" + host + "\r\n");
      EXPECT_EQ(read_answer(wire, false).status, 401) << method << target;
    }
  }
  EXPECT_EQ(server.get("/?token=wrong", host).status, 401);
  EXPECT_EQ(server.get("/?token=", host).status, 401);
  EXPECT_EQ(server.echo.answered, 0);
  EXPECT_EQ(server.echo.connections, 0);
}

TEST(HttpServer, GoesByItsOwnNamesOnly) {
  RunningServer server;
  const std::string port = std::to_string(server->port());
  const std::string token = std::string("Authorization: Bearer ") + test::kToken + "\r\n";
  for (const std::string& host : Texts{"localhost", "LOCALHOST:" + port, "127.0.0.1:" + port,
                                       "127.0.0.1:1", "[::1]:" + port, "localhost.", "[::1]"}) {
    EXPECT_EQ(server.get("/x", "Host: " + host + "\r\n" + token).status, 200) << host;
  }
  for (const std::string& lines :
       Texts{"", "Host: evil.example\r\n", "Host: evil.example:" + port + "\r\n", "Host:\r\n",
             "Host: localhost\r\nHost: localhost\r\n", "Host: localhost\r\nHost: evil.example\r\n",
             "Host: user@localhost\r\n", "Host: user:word@localhost:" + port + "\r\n",
             "Host: 127.0.0.1.evil.example\r\n", "Host: localhost.evil.example\r\n",
             "Host: 0.0.0.0\r\n", "Host: localhost/\r\n", "Host: localhost:99999\r\n",
             "X-Forwarded-Host: localhost\r\n"}) {
    EXPECT_EQ(server.get("/x", lines + token).status, 403) << lines;
    EXPECT_EQ(server.get("/api/live", lines + token + test::upgrade_lines()).status, 403) << lines;
    EXPECT_EQ(server.raw("GET /x HTTP/1.0\r\n" + lines + token + "\r\n").status, 403) << lines;
  }
}

TEST(HttpServer, RefusesOtherPages) {
  RunningServer server;
  const std::string port = std::to_string(server->port());
  const auto with = [&](const std::string& line, const std::string& target) {
    const bool live = target == "/api/live";
    return server.get(target, server.entry() + line + (live ? test::upgrade_lines() : "")).status;
  };
  for (const std::string& line : Texts{
           "", "Origin: http://" + server.host() + "\r\n",
           "Origin: https://" + server.host() + "\r\n", "Origin: HTTP://" + server.host() + "\r\n",
           "Sec-Fetch-Site: same-origin\r\n", "Sec-Fetch-Site: none\r\n"}) {
    EXPECT_EQ(with(line, "/api/session"), 200) << line;
    EXPECT_EQ(with(line, "/api/live"), 101) << line;
  }
  for (const std::string& line :
       Texts{"Origin: null\r\n", "Origin: http://127.0.0.1:1\r\n", "Origin: http://127.0.0.1\r\n",
             "Origin: http://localhost:" + port + "\r\n", "Origin: http://evil.example\r\n",
             "Origin: ftp://" + server.host() + "\r\n",
             "Origin: vscode-webview://" + server.host() + "\r\n", "Origin:\r\n",
             "Origin: http://" + server.host() + ".evil.example\r\n",
             "Origin: http://" + server.host() + "\r\nOrigin: http://evil.example\r\n",
             "Sec-Fetch-Site: cross-site\r\n", "Sec-Fetch-Site: same-site\r\n"}) {
    EXPECT_EQ(with(line, "/api/session"), 403) << line;
    EXPECT_EQ(with(line, "/api/live"), 403) << line;
  }
}

// Serves sources as a session does.
class Sources : public test::Echo {
 public:
  Response answer(const Request& request) override {
    const auto path = request.query.find("path");
    if (path == request.query.end()) return Echo::answer(request);
    const auto text = read_below(folder / "root", path->second);
    if (!text) return error_answer(404, "not_found", text.error().message);
    return {200, "text/plain", std::make_shared<const std::string>(text.value()), {}};
  }
  TestFolder folder;
};

TEST(HttpServer, ServesNoFileOutsideOfTheRoot) {
  Sources sources;
  sources.folder.file("root/model.py", "model");
  sources.folder.file("secret", "secret");
  sources.folder.file("root-secret/key", "secret");
  std::filesystem::create_symlink("../secret", sources.folder / "root/link.py");
  ASSERT_EQ(mkfifo((sources.folder / "root/pipe.py").c_str(), 0600), 0);
  ServerOptions options;
  options.token = test::kToken;
  const auto server = HttpServer::listen(options, sources).value();
  std::thread thread([&] { server->run(); });
  const auto get = [&](const std::string& target) {
    Wire wire(server->port());
    wire.send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " +
              test::kToken + "\r\n\r\n");
    return read_answer(wire);
  };
  EXPECT_EQ(get("/api/source?path=model.py").body, "model");
  const std::string root = (sources.folder / "root").string();
  for (const std::string& path :
       Texts{"../secret", "%2e%2e%2fsecret", "%2e%2e/secret", "%252e%252e/secret", "..%5csecret",
             "..\\secret", "/etc/passwd", "%2fetc%2fpasswd", root + "/model.py", "model.py%00",
             "link.py", "pipe.py", "../root-secret/key", "file:///etc/passwd"}) {
    const Answer answer = get("/api/source?path=" + path);
    EXPECT_TRUE(answer.status == 404 || answer.status == 400) << path << answer.head;
    EXPECT_THAT(answer.body, testing::Not(HasSubstr("\"secret\""))) << path;
  }
  for (const std::string& target :
       Texts{"/../secret", "/%2e%2e/secret", "/a/..%2fsecret", "/..\\secret", "/%00",
             "//etc/passwd", "http://localhost/", "localhost:1", "*"}) {
    EXPECT_EQ(get(target).status, 400) << target;
  }
  server->stop();
  thread.join();
}

TEST(HttpServer, AnswersGetAndHeadOnly) {
  RunningServer server;
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "BREW"}) {
    const Answer answer =
        server.raw(std::string(method) + " /x HTTP/1.1\r\n" + server.entry() + "\r\n");
    EXPECT_EQ(answer.status, 405) << method;
    EXPECT_TRUE(answer.has("Allow: GET, HEAD\r\n"));
  }
  Wire wire = server.connect();
  wire.send("HEAD /large HTTP/1.1\r\n" + server.entry() + "\r\nGET /next HTTP/1.1\r\n" +
            server.entry() + "\r\n");
  const Answer head = read_answer(wire, false);
  EXPECT_EQ(head.status, 200);
  EXPECT_TRUE(head.has("Content-Length: 8388608\r\n"));
  EXPECT_EQ(read_answer(wire).body, "/next") << "no body came before it";
}

TEST(HttpServer, RefusesWhatIsTooLarge) {
  RunningServer server;
  const std::string entry = server.entry();
  EXPECT_EQ(server.get("/" + std::string(9000, 'a')).status, 414);
  EXPECT_EQ(server.get("/" + std::string(20'000, 'a')).status, 431);
  EXPECT_EQ(server.get("/", entry + "X: " + std::string(20'000, 'a') + "\r\n").status, 431);
  std::string many;
  for (int count = 0; count < 5000; ++count) many += "X: y\r\n";
  EXPECT_EQ(server.get("/", entry + many).status, 431);
  EXPECT_EQ(server.get("/x", entry + "X: " + std::string(15'000, 'a') + "\r\n").status, 200);
  EXPECT_EQ(server.get("/x", entry + "Content-Length: 0\r\n").status, 200);
  EXPECT_EQ(server.get("/x", entry + "Content-Length: 1\r\n").status, 413);
  EXPECT_EQ(server.get("/x", entry + "Content-Length: 999999999999\r\n").status, 413);
  EXPECT_EQ(server.get("/x", entry + "Transfer-Encoding: chunked\r\n").status, 413);
  const Answer sent = server.raw("GET /x HTTP/1.1\r\n" + entry + "Content-Length: 1000000\r\n\r\n" +
                                 std::string(1'000'000, 'x'));
  EXPECT_EQ(sent.status, 413) << "the answer arrives although the body was not read";
}

TEST(HttpServer, RefusesWhatIsNotHttp) {
  RunningServer server;
  const std::string entry = server.entry();
  for (const std::string& bytes :
       Texts{"\r\n\r\n\r\n", "GET\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/2.0\r\n" + entry + "\r\n",
             "GET  / HTTP/1.1\r\n" + entry + "\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
             "GET / HTTP/1.1\r\nno colon\r\n\r\n", "GET / HTTP/1.1\r\nHost : x\r\n\r\n",
             std::string("\x16\x03\x01\x02\x00\x01\x00\x01", 8),
             "GET /x HTTP/1.1\r\n" + entry +
                 "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
             "GET /x HTTP/1.1\r\n" + entry + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
             "GET /x HTTP/1.1\r\n" + entry + "Content-Length: -1\r\n\r\n",
             "GET / HTTP/1.1\r\n" + entry + "X: a\x01z\r\n\r\n",
             "GET / HTTP/1.1\n" + entry + "\n\n", std::string(100, '\0')}) {
    Wire wire = server.connect();
    wire.send(bytes);
    const Answer answer = read_answer(wire);
    EXPECT_EQ(answer.status, 400) << bytes;
    EXPECT_TRUE(wire.closed_by_server());
  }
  EXPECT_EQ(server.echo.answered, 0);
}

TEST(HttpServer, AnswersRequestsThatComeAtOnceInOrder) {
  RunningServer server;
  Wire wire = server.connect();
  std::string requests;
  for (int number = 0; number < 200; ++number) {
    requests += "GET /" + std::to_string(number) + " HTTP/1.1\r\n" + server.entry() + "\r\n";
  }
  wire.send(requests);
  for (int number = 0; number < 200; ++number) {
    ASSERT_EQ(read_answer(wire).body, "/" + std::to_string(number));
  }
}

TEST(HttpServer, EndsAConnectionWithARefusal) {
  RunningServer server;
  Wire wire = server.connect();
  wire.send("GET /x HTTP/1.1\r\nHost: localhost\r\n\r\nGET /x HTTP/1.1\r\n" + server.entry() +
            "\r\n");
  EXPECT_EQ(read_answer(wire).status, 401);
  EXPECT_TRUE(wire.closed_by_server());
  EXPECT_EQ(wire.unread(), "") << "nothing after the refused request is answered";
}

TEST(HttpServer, ClosesWhenAsked) {
  RunningServer server;
  for (const std::string& start :
       Texts{"GET /x HTTP/1.0\r\n", "GET /x HTTP/1.1\r\nConnection: close\r\n"}) {
    Wire wire = server.connect();
    wire.send(start + server.entry() + "\r\n");
    EXPECT_EQ(read_answer(wire).body, "/x");
    EXPECT_TRUE(wire.closed_by_server());
  }
}

TEST(HttpServer, AnswersAnExceptionWith500) {
  RunningServer server;
  EXPECT_EQ(server.get("/throw").status, 500);
  EXPECT_EQ(server.get("/x").status, 200);
}

TEST(HttpServer, SendsLargeAnswersWhole) {
  RunningServer server;
  EXPECT_EQ(server.get("/large").body, *server.echo.large);
}

TEST(HttpServer, DropsWhoSendsARequestTooSlowly) {
  Limits limits;
  limits.request_time = milliseconds(150);
  RunningServer server(limits);
  const auto start = steady_clock::now();
  Wire silent = server.connect();
  Wire dripping = server.connect();
  std::thread drip([&] {
    while (dripping.send("G")) std::this_thread::sleep_for(milliseconds(10));
  });
  EXPECT_TRUE(silent.closed_by_server());
  EXPECT_TRUE(dripping.closed_by_server());
  EXPECT_GE(steady_clock::now() - start, limits.request_time);
  drip.join();
  EXPECT_EQ(server.get("/x").status, 200);
}

TEST(HttpServer, DropsWhoAsksNothingMore) {
  Limits limits;
  limits.idle_time = milliseconds(100);
  RunningServer server(limits);
  Wire wire = server.connect();
  wire.send("GET /x HTTP/1.1\r\n" + server.entry() + "\r\n");
  EXPECT_EQ(read_answer(wire).status, 200);
  EXPECT_TRUE(wire.closed_by_server());
}

TEST(HttpServer, DropsWhoDoesNotReadItsAnswer) {
  Limits limits;
  limits.answer_time = milliseconds(100);
  RunningServer server(limits);
  Wire wire = server.connect(4096);
  wire.send("GET /large HTTP/1.1\r\n" + server.entry() + "\r\n");
  // The server's hold on the answer is the test's second one.
  ASSERT_TRUE(test::eventually([&] { return server.echo.answered == 1; }));
  EXPECT_TRUE(test::eventually([&] {
    long holders = 0;
    server.on_io_thread([&] { holders = server.echo.large.use_count(); });
    return holders == 1;
  }));
}

TEST(HttpServer, ServesOthersWhileAThousandConnectionsAreIdle) {
  RunningServer server;
  std::vector<Wire> idle;
  for (int count = 0; count < 1000; ++count) {
    idle.push_back(server.connect());
    ASSERT_TRUE(idle.back().open());
    if (count % 2 == 0) idle.back().send("GET / HT");
  }
  const auto start = steady_clock::now();
  EXPECT_EQ(server.get("/x").body, "/x");
  EXPECT_LT(steady_clock::now() - start, std::chrono::seconds(2));
}

TEST(HttpServer, Answers503BeyondItsConnections) {
  Limits limits;
  limits.connections = 3;
  RunningServer server(limits);
  {
    std::vector<Wire> wires;
    for (int count = 0; count < 3; ++count) {
      wires.push_back(server.connect());
      wires.back().send("GET /x HTTP/1.1\r\n" + server.entry() + "\r\n");
      EXPECT_EQ(read_answer(wires.back()).status, 200);
    }
    EXPECT_EQ(server.get("/x").status, 503);
    EXPECT_EQ(server.get("/api/live", server.entry() + test::upgrade_lines()).status, 503);
    wires.front().send("GET /y HTTP/1.1\r\n" + server.entry() + "\r\n");
    EXPECT_EQ(read_answer(wires.front()).body, "/y");
  }
  EXPECT_TRUE(test::eventually([&] { return server.get("/x").status == 200; }));
}

TEST(HttpServer, SaysWhatToDoIfItsPortIsTaken) {
  RunningServer server;
  test::Echo echo;
  ServerOptions options;
  options.token = test::kToken;
  options.port = server->port();
  const auto second = HttpServer::listen(options, echo);
  ASSERT_FALSE(second.ok());
  EXPECT_THAT(second.error().message, HasSubstr("port " + std::to_string(server->port())));
  EXPECT_THAT(second.error().message, HasSubstr("--port"));
}

TEST(HttpServer, DoesNotListenWithoutATokenOrOnAnAddressOfOthers) {
  test::Echo echo;
  ServerOptions options;
  EXPECT_EQ(HttpServer::listen(options, echo).error().kind, ErrorKind::InvalidArgument);
  options.token = test::kToken;
  options.host = "192.0.2.1";
  EXPECT_THAT(HttpServer::listen(options, echo).error().message, HasSubstr("192.0.2.1"));
}

TEST(HttpServer, StandsBehindABasePath) {
  ServerOptions options;
  options.base_path = "/proxy/7/";
  options.allowed_hosts = {"hub.example"};
  RunningServer server({}, options);
  const std::string token = std::string("Authorization: Bearer ") + test::kToken + "\r\n";
  EXPECT_EQ(server.get("/proxy/7/api/x", "Host: hub.example\r\n" + token).body, "/api/x");
  EXPECT_EQ(server.get("/api/x").status, 404);
  EXPECT_EQ(server.get("/proxy/7/api/live", server.entry() + test::upgrade_lines()).status, 101);
}

TEST(HttpServer, StopsBeforeItRuns) {
  test::Echo echo;
  ServerOptions options;
  options.token = test::kToken;
  const auto server = HttpServer::listen(options, echo).value();
  server->stop();
  server->run();
}

TEST(HttpServer, StopsWhileConnectionsAreOpen) {
  RunningServer server;
  Wire waiting = server.connect();
  Wire sending = server.connect();
  sending.send("GET /lar");
  Wire reading = server.connect(4096);
  reading.send("GET /large HTTP/1.1\r\n" + server.entry() + "\r\n");
  ASSERT_TRUE(test::eventually([&] { return server.echo.answered == 1; }));
  server->call_after(std::chrono::hours(1), [] { ADD_FAILURE() << "too early"; });
  const auto start = steady_clock::now();
  server.stop();
  EXPECT_LT(steady_clock::now() - start, std::chrono::seconds(5));
}

TEST(HttpServer, CallsBackLaterInOrder) {
  RunningServer server;
  std::vector<int> order;
  std::promise<void> done;
  server->call_after(milliseconds(30), [&] {
    order.push_back(2);
    done.set_value();
  });
  server->call_after(milliseconds(5), [&] { order.push_back(1); });
  done.get_future().wait();
  EXPECT_THAT(order, testing::ElementsAre(1, 2));
}

TEST(HttpServer, WatchesADescriptorUntilToldNotTo) {
  RunningServer server;
  const int event = eventfd(0, EFD_SEMAPHORE | EFD_NONBLOCK | EFD_CLOEXEC);
  std::atomic<int> calls = 0;
  server.on_io_thread([&] {
    server->watch_readable(event, [&] {
      eventfd_t value = 0;
      eventfd_read(event, &value);  // takes one of several
      if (++calls == 5) server->stop_watching(event);
    });
  });
  eventfd_write(event, 3);
  EXPECT_TRUE(test::eventually([&] { return calls == 3; }));
  eventfd_write(event, 4);
  EXPECT_TRUE(test::eventually([&] { return calls == 5; }));
  server.on_io_thread([] {});
  server.stop();
  EXPECT_EQ(calls, 5);
  eventfd_t left = 0;
  EXPECT_EQ(eventfd_read(event, &left), 0) << "the descriptor is still open";
  close(event);
}

}  // namespace
}  // namespace sightline::server
