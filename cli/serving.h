// What verbs have in common that start a server: its options, its address, its end.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "server/http/http_server.h"

namespace sightline::cli {

struct ServingOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;
  std::vector<std::string> allowed_hosts;
  std::string base_path;
  bool no_browser = false;
};

void describe_serving(CLI::App& app, ServingOptions& options);

// Serves until Ctrl-C. `ready` is called when the port is taken, before anybody is served; `title`
// is the line above the address. Returns the exit code.
int serve(const ServingOptions& options, const std::string& title, server::Service& service,
          const std::function<void(server::HttpServer&)>& ready);

}  // namespace sightline::cli
