#include "cli/input_tensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sightline::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(InputTensor, IsAShapeOfFloatsUnlessSaidOtherwise) {
  const auto input = parse_input("2x3x8x8");
  ASSERT_TRUE(input.ok()) << input.error().message;
  EXPECT_THAT(input->shape, ElementsAre(2, 3, 8, 8));
  EXPECT_EQ(input->dtype, "float32");
  EXPECT_EQ(input->below, 0);
  EXPECT_EQ(input->name, "");
}

TEST(InputTensor, HasWholeNumbersThatEveryTableHolds) {
  EXPECT_EQ(parse_input("7:int64")->below, 2);
  EXPECT_EQ(parse_input("7:uint8")->below, 256);
  EXPECT_EQ(parse_input("7:bool")->below, 2);
}

TEST(InputTensor, MayHaveANameAndABound) {
  const auto input = parse_input("input_ids=1x128:int64:30522");
  ASSERT_TRUE(input.ok()) << input.error().message;
  EXPECT_EQ(input->name, "input_ids");
  EXPECT_THAT(input->shape, ElementsAre(1, 128));
  EXPECT_EQ(input->below, 30522);
}

TEST(InputTensor, TakesTheBatchSizeInPlaceOfItsFirstNumber) {
  const auto inputs = parse_inputs({"1x3:int64", "1x4"}, 16);
  ASSERT_TRUE(inputs.ok());
  EXPECT_THAT(inputs.value()[0].shape, ElementsAre(16, 3));
  EXPECT_THAT(inputs.value()[1].shape, ElementsAre(16, 4));
}

TEST(InputTensor, SaysWhatIsWrong) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "it has no shape"},
      {"=1x2", "no name before the ="},
      {"1x0", "'0' is no size of a dimension"},
      {"1xx2", "'' is no size of a dimension"},
      {"1x", "its last dimension has no size"},
      {"3,224", "'3,224' is no size of a dimension"},
      {"-1x3", "'-1' is no size of a dimension"},
      {"99999999999999999999", "is no size of a dimension"},
      {"1x2:float31", "there is no data type 'float31'; there are float32, float64,"},
      {"1x2:float32:9", "data type of whole numbers"},
      {"1x2:int64:0", "data type of whole numbers"},
      {"1x2:int64:two", "data type of whole numbers"},
  };
  for (const auto& [typed, message] : cases) {
    const auto input = parse_input(typed);
    ASSERT_FALSE(input.ok()) << typed;
    EXPECT_EQ(input.error().kind, ErrorKind::InvalidArgument);
    EXPECT_THAT(input.error().message, HasSubstr(message));
  }
}

}  // namespace
}  // namespace sightline::cli
