#include "core/record/module_table.h"

#include <gtest/gtest.h>

#include <map>

namespace sightline::record {
namespace {

ModuleTable::Entry entry(const void* address, model::ModuleId parent, const std::string& name,
                         const std::string& type, std::uint64_t parameter_bytes = 0) {
  ModuleTable::Entry made;
  made.address = address;
  made.parent = parent;
  made.name = name;
  made.type = type;
  made.parameter_bytes = parameter_bytes;
  return made;
}

std::map<model::ModuleId, std::string> paths(ModuleTable& table) {
  std::map<model::ModuleId, std::string> found;
  for (const model::Module& module : table.take_changed()) found[module.id] = module.path;
  return found;
}

const int kA = 0;
const int kB = 0;
const int kC = 0;
const int kD = 0;

TEST(ModuleTable, AddsUpTheGradientsOfAModule) {
  ModuleTable table;
  table.add(entry(&kA, 0, "", "Net", 12));
  ASSERT_EQ(table.take_changed().size(), 1u);
  table.add_gradient(&kA, 4);
  table.add_gradient(&kA, 8);
  table.add_gradient(&kB, 16);  // a module that nobody knows
  const std::vector<model::Module> changed = table.take_changed();
  ASSERT_EQ(changed.size(), 1u);
  EXPECT_EQ(changed[0].gradient_bytes, 12u);
}

TEST(ModuleTable, NamesTheFirstRootWithParametersByNothingAndOthersByTheirClass) {
  ModuleTable table;
  const model::ModuleId loss = table.add(entry(&kA, 0, "", "Loss"));
  const model::ModuleId net = table.add(entry(&kB, 0, "", "Net"));
  const model::ModuleId layer = table.add(entry(&kC, net, "layer", "Linear", 8));
  const model::ModuleId critic = table.add(entry(&kD, 0, "", "Net", 8));
  const std::map<model::ModuleId, std::string> expected = {
      {loss, "Loss"}, {net, ""}, {layer, "layer"}, {critic, "Net"}};
  EXPECT_EQ(paths(table), expected);
  EXPECT_TRUE(table.is_model(net));
  EXPECT_FALSE(table.is_model(critic));
}

TEST(ModuleTable, PutsARootBelowTheModuleThatTurnsOutToHoldIt) {
  ModuleTable table;
  const model::ModuleId block = table.add(entry(&kA, 0, "", "Block", 8));
  const model::ModuleId net = table.add(entry(&kB, 0, "", "Net"));
  table.set_parent(block, net, "block");
  table.set_parent(net, block, "loop");  // a circle: refused
  const std::map<model::ModuleId, std::string> expected = {{block, "block"}, {net, ""}};
  EXPECT_EQ(paths(table), expected);
}

TEST(ModuleTable, GivesTheIdOfADeadModuleToOneLikeIt) {
  ModuleTable table;
  const model::ModuleId first = table.add(entry(&kA, 0, "", "Loss"));
  const std::uint64_t generation = table.generation();
  table.forget(&kA);
  EXPECT_NE(table.generation(), generation);
  EXPECT_EQ(table.find(&kA), model::kNone);
  EXPECT_NE(table.add(entry(&kB, 0, "", "Other")), first);
  EXPECT_EQ(table.add(entry(&kC, 0, "", "Loss")), first);
  EXPECT_EQ(table.address(first), &kC);
}

}  // namespace
}  // namespace sightline::record
