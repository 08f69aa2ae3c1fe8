#include "server/edit/batch_size_default.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <random>

#include "core/base/file_text.h"
#include "core/base/test_folder.h"
#include "server/edit/source_edit.h"

namespace sightline::server {
namespace {

using testing::HasSubstr;

class BatchSizeDefaultTest : public testing::Test {
 protected:
  Result<BatchSizeDefault> find(const std::string& entry) {
    folder_.file("entry.py", entry);
    return find_batch_size_default(folder_ / "entry.py", folder_.path());
  }

  // The file after the default was set to 77.
  std::string edited(const std::string& entry, const std::string& file = "entry.py") {
    const Result<BatchSizeDefault> found = find(entry);
    if (!found) return "error: " + found.error().message;
    EXPECT_EQ(found->file, folder_ / file);
    EXPECT_EQ(found->source.substr(found->begin, found->end - found->begin), found->written);
    const Result<void> applied =
        apply({found->file, found->source, found->begin, found->end, "77"});
    EXPECT_TRUE(applied.ok());
    return file_text(folder_ / file).value_or("gone");
  }

  std::string refusal(const std::string& entry) {
    const Result<BatchSizeDefault> found = find(entry);
    return found ? "found " + found->written : found.error().message;
  }

  TestFolder folder_;
};

TEST_F(BatchSizeDefaultTest, EveryLayoutOfASignature) {
  const std::pair<const char*, const char*> layouts[] = {
      {"def sightline_input_provider(batch_size=32):\n  pass\n",
       "def sightline_input_provider(batch_size=77):\n  pass\n"},
      {"def skyline_input_provider(batch_size: int = 32) -> tuple[int, ...]:\n",
       "def skyline_input_provider(batch_size: int = 77) -> tuple[int, ...]:\n"},
      {"def deepview_input_provider(\n    batch_size=32,  # per worker, not 64\n):\n",
       "def deepview_input_provider(\n    batch_size=77,  # per worker, not 64\n):\n"},
      {"def sightline_input_provider(*, seed=1, batch_size=32, **more):\n",
       "def sightline_input_provider(*, seed=1, batch_size=77, **more):\n"},
      {"def sightline_input_provider(size=(3, 32), batch_size: \"int, = 5\" = 0x20, *rest):\n",
       "def sightline_input_provider(size=(3, 32), batch_size: \"int, = 5\" = 77, *rest):\n"},
      {"def sightline_input_provider(batch_size=1 << 5):\n",
       "def sightline_input_provider(batch_size=77):\n"},
      {"def sightline_input_provider(batch_size=32 * 2, x=dict(a=1)):\n",
       "def sightline_input_provider(batch_size=77, x=dict(a=1)):\n"},
      {"def sightline_input_provider(\n        batch_size=(32  # here\n        * 2)):\n",
       "def sightline_input_provider(\n        batch_size=77):\n"},
      {"def \\\n  sightline_input_provider(batch_size \\\n = 1_024):\n",
       "def \\\n  sightline_input_provider(batch_size \\\n = 77):\n"},
      {"@decorated(batch_size=3)\ndef sightline_input_provider(batch_size=32): return 1\n",
       "@decorated(batch_size=3)\ndef sightline_input_provider(batch_size=77): return 1\n"},
      {"'''def sightline_input_provider(batch_size=1):\n'''\ndef "
       "sightline_input_provider(batch_size=2**5):\n",
       "'''def sightline_input_provider(batch_size=1):\n'''\ndef "
       "sightline_input_provider(batch_size=77):\n"},
      {"\xEF\xBB\xBF# gr\xC3\xBC\xC3\x9F dich\r\ndef "
       "sightline_input_provider(batch_size=32):\r\n\tx\r\n",
       "\xEF\xBB\xBF# gr\xC3\xBC\xC3\x9F dich\r\ndef "
       "sightline_input_provider(batch_size=77):\r\n\tx\r\n"},
      {"# -*- coding: latin-1 -*-\nNAME = '\xFC'\ndef sightline_input_provider(batch_size=32):\n",
       "# -*- coding: latin-1 -*-\nNAME = '\xFC'\ndef sightline_input_provider(batch_size=77):\n"},
      {"BATCH = 32  # fits\ndef sightline_input_provider(batch_size=BATCH):\n",
       "BATCH = 77  # fits\ndef sightline_input_provider(batch_size=BATCH):\n"},
      {"BATCH: Final[int] = 8 * 4\nLAST = BATCH\ndef sightline_input_provider(batch_size=LAST):\n",
       "BATCH: Final[int] = 77\nLAST = BATCH\ndef sightline_input_provider(batch_size=LAST):\n"},
      {"def sightline_input_provider(batch_size=1):\n  x\ndef "
       "sightline_input_provider(batch_size=2):\n",
       "def sightline_input_provider(batch_size=1):\n  x\ndef "
       "sightline_input_provider(batch_size=77):\n"},
      {"def sightline_input_provider(batch_size=32)",
       "def sightline_input_provider(batch_size=77)"},
  };
  for (const auto& [before, after] : layouts) EXPECT_EQ(edited(before), after);
}

TEST_F(BatchSizeDefaultTest, AConstantOfAnotherFileIsChangedThere) {
  folder_.file("config.py", "import os\nBATCH_SIZE = 16  # two nodes\n");
  folder_.file("nets/__init__.py", "");
  folder_.file("nets/sizes.py", "from ..config import BATCH_SIZE as SIZE\nOWN = 4\n");
  const std::string provider = "def sightline_input_provider(batch_size=";
  EXPECT_EQ(edited("from config import BATCH_SIZE\n" + provider + "BATCH_SIZE):\n", "config.py"),
            "import os\nBATCH_SIZE = 77  # two nodes\n");
  EXPECT_EQ(edited("from config import (\n    A, BATCH_SIZE as B,\n)\n" + provider + "B):\n",
                   "config.py"),
            "import os\nBATCH_SIZE = 77  # two nodes\n");
  EXPECT_EQ(edited("import config as c\n" + provider + "c.BATCH_SIZE):\n", "config.py"),
            "import os\nBATCH_SIZE = 77  # two nodes\n");
  EXPECT_EQ(edited("import nets.sizes\n" + provider + "nets.sizes.OWN):\n", "nets/sizes.py"),
            "from ..config import BATCH_SIZE as SIZE\nOWN = 77\n");
  EXPECT_EQ(edited("from nets import sizes\n" + provider + "sizes.OWN):\n", "nets/sizes.py"),
            "from ..config import BATCH_SIZE as SIZE\nOWN = 77\n");
}

TEST_F(BatchSizeDefaultTest, AProviderOfAnotherFileIsChangedThere) {
  folder_.file("inputs.py", "def provider(batch_size=16): pass\n");
  EXPECT_EQ(edited("from inputs import provider as skyline_input_provider\n", "inputs.py"),
            "def provider(batch_size=77): pass\n");
}

TEST_F(BatchSizeDefaultTest, WhatCannotBeChangedIsExplained) {
  EXPECT_EQ(
      refusal(
          "import os\n\ndef sightline_input_provider(\n    batch_size=int(os.environ['B'])):\n"),
      "entry.py:4: the batch size is computed when the program runs (int(os.environ['B'])). "
      "Write a number there, and it can be changed from here");
  EXPECT_THAT(refusal("def sightline_input_provider(batch_size=B * 2):\n"),
              HasSubstr("computed when the program runs (B * 2)"));
  EXPECT_THAT(refusal("def sightline_input_provider(batch_size):\n"),
              HasSubstr("entry.py:1: sightline_input_provider has no default"));
  EXPECT_THAT(refusal("B = 1\nB = 2\ndef sightline_input_provider(batch_size=B):\n"),
              HasSubstr("entry.py:2: B is set in more than one place"));
  EXPECT_THAT(refusal("if cuda:\n    B = 64\ndef sightline_input_provider(batch_size=B):\n"),
              HasSubstr("depends on how the program runs"));
  EXPECT_THAT(refusal("A, B = 1, 2\ndef sightline_input_provider(batch_size=B):\n"),
              HasSubstr("depends on how the program runs"));
  EXPECT_THAT(refusal("A = B\nB = A\ndef sightline_input_provider(batch_size=A):\n"),
              HasSubstr("in a circle"));
  EXPECT_THAT(refusal("from torch import B\ndef sightline_input_provider(batch_size=B):\n"),
              HasSubstr("takes the batch size from torch, which is no file of this project"));
  EXPECT_THAT(refusal("sightline_input_provider = partial(other, 3)\n"),
              HasSubstr("is not defined by a def"));
  EXPECT_THAT(refusal("from elsewhere import *\n"), HasSubstr("by hand"));
  EXPECT_THAT(refusal("x = 32\ndef sightline_input_provider(batch_size=x if y else 2):\n"),
              HasSubstr("computed"));
}

TEST_F(BatchSizeDefaultTest, AFileOutsideOfTheProjectIsNeverTouched) {
  const TestFolder elsewhere;
  elsewhere.file("config.py", "B = 4\n");
  std::filesystem::create_symlink(elsewhere / "config.py", folder_ / "config.py");
  EXPECT_THAT(refusal("from config import B\ndef sightline_input_provider(batch_size=B):\n"),
              HasSubstr("no file of this project"));
}

TEST_F(BatchSizeDefaultTest, NothingElseEverChanges) {
  // Programs put together at random: the value that is found is the one that was put in.
  std::mt19937 random(7);
  std::string programs;
  const auto one_of = [&](std::initializer_list<const char*> texts) {
    return std::string(*(texts.begin() + random() % texts.size()));
  };
  const auto noise = [&] {
    return one_of(
        {"", "", "# batch_size=1, (\n", "x = 'batch_size=(5'\n", "import math\n",
         "class A:\n    B = 3\n    def sightline_input_provider(self, batch_size=9): ...\n",
         "def other(batch_size=4):\n    BATCH = 2\n    return [\n1,\n]\n",
         "text = \"\"\"\ndef sightline_input_provider(batch_size=8):\n\"\"\"\n",
         "if True:\n    y = {1: (2, 3)}\n", "f = f\"{x['a']!r:>{3}}\"\n",
         "z = lambda a, b=3: a\n"});
  };
  for (int round = 0; round < 2000; ++round) {
    const std::string value =
        one_of({"32", "0b101", "(16)", "4*8", "1<<5", "-(-7)", "2 ** 3 ** 1"});
    const std::string gap = one_of({"", " ", "  # (, =\n    ", "\\\n "});
    const std::string space = gap.find('#') != std::string::npos ? "\n   " : "";
    const std::string head =
        noise() + noise() + noise() + one_of({"", "async "}) + "def sightline_input_provider(" +
        one_of({"", "a=(1, 2), ", "*, k={'x': 1}, ", "a: dict[str, int] = None,\n    "}) +
        "batch_size" + space + one_of({"", ": int", ": 'a=b, c'", ": Annotated[int, (1, 2)]"}) +
        gap + "=" + gap;
    const std::string tail = gap + one_of({"", ",", ", other=3", ", *, last=[1]"}) +
                             one_of({")", ") -> None"}) + ":\n    return batch_size\n" + noise();
    const std::string before = head + value + tail;
    const std::string after = edited(before);
    EXPECT_EQ(after, head + "77" + tail) << before;
    if (HasFailure()) break;
    programs += before + '\0' + after + '\0';
  }
  // What Python could read it still can.
  folder_.file("programs", programs);
  folder_.file("parse.py", R"(
import ast, sys
def parses(text):
    try:
        return ast.parse(text) is not None
    except SyntaxError:
        return False
texts = open(sys.argv[1], newline="").read().split("\0")[:-1]
assert sum(map(parses, texts)) > len(texts) / 2
for before, after in zip(texts[::2], texts[1::2], strict=True):
    assert parses(before) == parses(after), after
)");
  const std::string command =
      "python3 " + (folder_ / "parse.py").string() + " " + (folder_ / "programs").string();
  EXPECT_EQ(std::system(command.c_str()), 0);
}

TEST(SourceEdit, KeepsModeAndLinksAndSeesOthersChanges) {
  const TestFolder folder;
  const std::filesystem::path file = folder.file("a.py", "x = 1\n");
  chmod(file.c_str(), 0640);
  std::filesystem::create_symlink("a.py", folder / "link.py");
  ASSERT_TRUE(apply({folder / "link.py", "x = 1\n", 4, 5, "23"}).ok());
  EXPECT_EQ(file_text(file), "x = 23\n");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.py"));
  struct stat facts {};
  stat(file.c_str(), &facts);
  EXPECT_EQ(facts.st_mode & 07777, 0640U);

  const Result<void> late = apply({file, "x = 1\n", 4, 5, "5"});
  ASSERT_FALSE(late.ok());
  EXPECT_THAT(late.error().message, HasSubstr("changed by somebody else"));
  EXPECT_EQ(file_text(file), "x = 23\n");

  chmod(file.c_str(), 0440);
  const Result<void> forbidden = apply({file, "x = 23\n", 4, 6, "5"});
  ASSERT_FALSE(forbidden.ok());
  EXPECT_EQ(forbidden.error().message, "a.py is read-only");
  EXPECT_FALSE(apply({folder / "gone.py", "", 0, 0, "5"}).ok());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 2);
}

}  // namespace
}  // namespace sightline::server
