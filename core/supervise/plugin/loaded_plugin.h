// A plug-in (plugin.h) that was loaded, and its place on a bus. A plug-in that breaks what it
// promises can do what any code in the process can; what it says of itself is checked.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/base/export.h"
#include "core/base/result.h"
#include "core/base/shared_library.h"
#include "core/supervise/bus/bus.h"
#include "core/supervise/plugin/plugin.h"

namespace sightline::supervise {

class LoadedPlugin {
 public:
  // Fails if there is no such library, if it is no plug-in of a version that is known, or if it
  // refuses the options.
  SIGHTLINE_API static Result<std::unique_ptr<LoadedPlugin>> load(const std::string& path,
                                                                  const std::string& options);
  SIGHTLINE_API ~LoadedPlugin();
  LoadedPlugin(const LoadedPlugin&) = delete;
  LoadedPlugin& operator=(const LoadedPlugin&) = delete;

  const std::string& name() const { return name_; }
  const std::vector<std::string>& topics() const { return topics_; }
  const std::vector<std::string>& publications() const { return publications_; }

  // Declares what it publishes and subscribes it. The bus has to live until detach(). Fails if it
  // is on a bus, or if the bus does not know a topic.
  SIGHTLINE_API Result<void> attach(Bus& bus);
  SIGHTLINE_API void detach();

 private:
  LoadedPlugin() = default;

  Result<void> read(const std::string& path);
  void receive(const Message& message);
  int publish(const char* topic, const sightline_message& about, double value);

  SharedLibrary library_;
  const sightline_plugin_description* description_ = nullptr;
  void* self_ = nullptr;
  sightline_host host_ = {};
  std::string name_;
  std::vector<std::string> topics_;
  std::vector<std::string> publications_;
  Bus* bus_ = nullptr;
  Bus::SubscriptionId subscription_ = 0;
  std::recursive_mutex receiving_;  // it may publish what it is subscribed to
};

}  // namespace sightline::supervise
