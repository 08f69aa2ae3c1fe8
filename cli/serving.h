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

struct Served {
  std::string title;  // the line above the address
  server::Service& service;
  // Called when the port is taken, before anybody is served; and when nobody is served any more,
  // before the server goes.
  std::function<void(server::HttpServer&)> begin = [](server::HttpServer&) {};
  std::function<void()> end = [] {};
};

// Serves until Ctrl-C. Returns the exit code.
int serve(const ServingOptions& options, const Served& served);

}  // namespace sightline::cli
