#include "server/query.h"

#include <gtest/gtest.h>

namespace sightline::server {
namespace {

Request asking(std::map<std::string, std::string> query) {
  return {"GET", "/", std::move(query), ""};
}

TEST(Query, HasANumberOrTheDefaultOrNothing) {
  EXPECT_EQ(number_of(asking({{"run", "3"}}), "run", 7), 3U);
  EXPECT_EQ(number_of(asking({}), "run", 7), 7U);
  for (const char* wrong : {"", "x", "1x", "-1", " 1", "99999999999999999999"}) {
    EXPECT_EQ(number_of(asking({{"run", wrong}}), "run", 7), std::nullopt) << wrong;
  }
}

TEST(Query, HasNumbersWithCommasBetweenThem) {
  EXPECT_EQ(numbers_of(asking({{"ids", "3,1,20"}}), "ids"), (std::vector<std::uint64_t>{3, 1, 20}));
  EXPECT_EQ(numbers_of(asking({}), "ids"), std::vector<std::uint64_t>{});
  for (const char* wrong : {"x", "1,,2", ",1", "1;2"}) {
    EXPECT_EQ(numbers_of(asking({{"ids", wrong}}), "ids"), std::nullopt) << wrong;
  }
}

}  // namespace
}  // namespace sightline::server
