#include "cli/serving.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "cli/browser.h"
#include "cli/complaint.h"
#include "server/http/token.h"
#include "worker/interrupts.h"

namespace sightline::cli {
namespace {

std::string address_of(const ServingOptions& options, std::uint16_t port,
                       const std::string& token) {
  const bool everywhere = options.host == "0.0.0.0" || options.host == "::";
  const std::string host = everywhere                                    ? "localhost"
                           : options.host.find(':') != std::string::npos ? "[" + options.host + "]"
                                                                         : options.host;
  return fmt::format("http://{}:{}{}/?token={}", host, port, options.base_path, token);
}

}  // namespace

void describe_serving(CLI::App& app, ServingOptions& options) {
  app.add_option("--port", options.port, "the port to listen on (any that is free)")
      ->type_name("PORT");
  app.add_option("--host", options.host,
                 "the address to listen on (127.0.0.1: only this machine can connect)")
      ->type_name("ADDRESS");
  app.add_option("--allow-host", options.allowed_hosts,
                 "a name under which a proxy shows the page; may be repeated")
      ->type_name("NAME")
      ->expected(1)
      ->take_all();
  app.add_option("--base-path", options.base_path,
                 "what a proxy puts before all addresses and does not take away, e.g. /profile")
      ->type_name("PATH");
  app.add_flag("--no-browser", options.no_browser, "only print the address");
}

int serve(const ServingOptions& options, const Served& served) {
  const Result<server::Token> token = server::kept_token(server::state_folder());
  if (!token) return complain(token.error());
  server::ServerOptions listening;
  listening.host = options.host;
  listening.port = options.port;
  listening.token = token->text;
  listening.allowed_hosts = options.allowed_hosts;
  listening.base_path = options.base_path;
  auto started = server::HttpServer::listen(listening, served.service);
  if (!started) return complain(started.error());
  server::HttpServer& server = *started.value();

  const worker::Interrupts interrupts;
  server.watch_readable(interrupts.descriptor(), [&] { server.stop(); });
  served.begin(server);
  const std::string address = address_of(options, server.port(), token->text);
  std::printf("%s\n\n  %s\n\nCtrl-C ends it.\n", served.title.c_str(), address.c_str());
  std::fflush(stdout);
  if (!options.no_browser) open_browser(address);
  server.run();
  served.end();
  return kExitSuccess;
}

}  // namespace sightline::cli
