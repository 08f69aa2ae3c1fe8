#include "core/profile/report/table.h"

#include <gtest/gtest.h>

namespace sightline::profile {
namespace {

Table sample() {
  Table table({{"file", Align::Path}, {"self"}, {"calls"}});
  table.add({{"model.py:12"}, {"1.00 ms"}, {"7"}});
  table.note({"x = f(x)"});
  table.add({{"猫.py:3"}, {"12.0 µs"}, {"1,000"}});
  return table;
}

TEST(Table, AlignsByDisplayWidth) {
  EXPECT_EQ(sample().render(80, Paint(false)),
            "  file            self  calls\n"
            "  model.py:12  1.00 ms      7\n"
            "      x = f(x)\n"
            "  猫.py:3      12.0 µs  1,000\n");
}

TEST(Table, ShortensTheFirstColumnAndThenLeavesOutTheLast) {
  Table table({{"file", Align::Path}, {"self"}, {"calls"}});
  table.add({{"a/very/long/path/to/some/model.py:12"}, {"1.00 ms"}, {"7"}});
  EXPECT_EQ(table.render(40, Paint(false)),
            "  file                       self  calls\n"
            "  …h/to/some/model.py:12  1.00 ms      7\n");
  EXPECT_EQ(table.render(32, Paint(false)),
            "  file                      self\n"
            "  …/to/some/model.py:12  1.00 ms\n");
}

TEST(Table, LeavesOutSpareColumnsFirst) {
  Table table({{"file", Align::Path},
               {"shape", Align::Left, true},
               {"self"},
               {"bytes", Align::Right, true}});
  table.add({{"a/long/path/to/model.py:12"}, {"2x10"}, {"1.00 ms"}, {"7 B"}});
  EXPECT_EQ(table.render(60, Paint(false)),
            "  file                        shape     self  bytes\n"
            "  a/long/path/to/model.py:12  2x10   1.00 ms    7 B\n");
  EXPECT_EQ(table.render(40, Paint(false)),
            "  file                    shape     self\n"
            "  …g/path/to/model.py:12  2x10   1.00 ms\n");
  EXPECT_EQ(table.render(32, Paint(false)),
            "  file                      self\n"
            "  …/path/to/model.py:12  1.00 ms\n");
}

TEST(Table, ColoursWithoutMovingAnything) {
  Table table({{"name", Align::Left}, {"n"}});
  table.add({{"a", Style::Strong}, {"1", Style::Hot}});
  EXPECT_EQ(table.render(80, Paint(true)),
            "  \x1b[2mname\x1b[0m  \x1b[2mn\x1b[0m\n"
            "  \x1b[1ma   \x1b[0m  \x1b[1;31m1\x1b[0m\n");
}

}  // namespace
}  // namespace sightline::profile
