#include "core/supervise/plugin/loaded_plugin.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace sightline::supervise {
namespace {

using Describe = const sightline_plugin_description* (*)();

Error refusal(std::string message) { return {ErrorKind::InvalidArgument, std::move(message)}; }

std::vector<std::string> strings_of(const char* const* list) {
  std::vector<std::string> strings;
  for (; list != nullptr && *list != nullptr; ++list) strings.emplace_back(*list);
  return strings;
}

}  // namespace

Result<std::unique_ptr<LoadedPlugin>> LoadedPlugin::load(const std::string& path,
                                                         const std::string& options) {
  std::unique_ptr<LoadedPlugin> plugin(new LoadedPlugin);
  if (Result<void> read = plugin->read(path); !read) return read.error();
  plugin->host_ = {
      SIGHTLINE_PLUGIN_VERSION, plugin.get(),
      [](void* handle, const char* topic, const sightline_message* about, double value) {
        return static_cast<LoadedPlugin*>(handle)->publish(topic, *about, value);
      }};
  plugin->self_ = plugin->description_->create(&plugin->host_, options.c_str());
  if (plugin->self_ == nullptr) {
    return refusal("the plug-in '" + plugin->name_ + "' does not take the options '" + options +
                   "'");
  }
  return plugin;
}

Result<void> LoadedPlugin::read(const std::string& path) {
  Result<SharedLibrary> library = SharedLibrary::open(path);
  if (!library) return library.error();
  library_ = std::move(library).value();
  const auto describe = reinterpret_cast<Describe>(library_.symbol("sightline_plugin"));
  if (describe == nullptr) {
    return refusal(path + " is no plug-in: it has no function sightline_plugin()");
  }
  description_ = describe();
  if (description_ == nullptr || description_->version == 0 ||
      description_->version > SIGHTLINE_PLUGIN_VERSION) {
    return refusal("the plug-in " + path +
                   " was made for another version of sightline: this one has " +
                   std::to_string(SIGHTLINE_PLUGIN_VERSION));
  }
  topics_ = strings_of(description_->topics);
  publications_ = strings_of(description_->publications);
  const bool whole = description_->name != nullptr && !topics_.empty() &&
                     description_->create != nullptr && description_->receive != nullptr &&
                     description_->destroy != nullptr;
  if (!whole) return refusal("the plug-in " + path + " lacks a name, topics or functions");
  name_ = description_->name;
  return {};
}

LoadedPlugin::~LoadedPlugin() {
  detach();
  if (self_ != nullptr) description_->destroy(self_);
}

Result<void> LoadedPlugin::attach(Bus& bus) {
  if (bus_ != nullptr) return refusal("the plug-in '" + name_ + "' is subscribed already");
  for (const std::string& topic : publications_) {
    if (Result<void> declared = bus.declare(topic, Scope::Module); !declared) return declared;
  }
  Subscription subscription;
  subscription.name = name_;
  subscription.topics = topics_;
  subscription.tag = std::nullopt;
  if (description_->tag != nullptr) subscription.tag = description_->tag;
  subscription.every = std::max<std::uint64_t>(description_->every, 1);
  auto made = bus.listen(std::move(subscription), [this](Messages messages) {
    for (const Message* message : messages) receive(*message);
  });
  if (!made) return made.error();
  bus_ = &bus;
  subscription_ = made.value();
  return {};
}

void LoadedPlugin::detach() {
  if (bus_ != nullptr) bus_->unsubscribe(subscription_);
  bus_ = nullptr;
  const std::lock_guard last(receiving_);
}

void LoadedPlugin::receive(const Message& message) {
  sightline_message told = {};
  told.topic = message.topic.c_str();
  told.module = message.module.c_str();
  told.tensor = message.tensor.c_str();
  told.tag = message.tag.c_str();
  told.step = message.step;
  told.epoch = message.epoch;
  if (const auto* number = std::get_if<double>(&message.payload)) {
    told.payload = SIGHTLINE_NUMBER;
    told.number = *number;
  } else if (const auto* tensor = std::get_if<Tensor>(&message.payload)) {
    const TensorView* view = tensor->numbers();
    if (view == nullptr) return;
    told.payload = SIGHTLINE_TENSOR;
    told.values = {view->data, static_cast<std::int32_t>(view->type),
                   static_cast<std::int32_t>(view->sizes.size()), view->sizes.data(),
                   view->strides.data()};
  }
  const std::lock_guard alone(receiving_);
  if (description_->receive(self_, &told) != 0) {
    throw std::runtime_error("the plug-in says that it has failed");
  }
}

int LoadedPlugin::publish(const char* topic, const sightline_message& about, double value) {
  const bool known = topic != nullptr && std::find(publications_.begin(), publications_.end(),
                                                   topic) != publications_.end();
  if (!known || bus_ == nullptr) return 1;
  Message message;
  message.topic = topic;
  message.module = about.module;
  message.tensor = about.tensor;
  message.tag = about.tag;
  message.step = about.step;
  message.epoch = about.epoch;
  message.payload = value;
  bus_->publish(message);
  return 0;
}

}  // namespace sightline::supervise
