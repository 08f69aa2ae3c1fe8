#include "server/http/target.h"

#include <gtest/gtest.h>

#include <vector>

namespace sightline::server {
namespace {

using Query = std::map<std::string, std::string>;

TEST(Target, IsDecodedOnce) {
  const auto target = parse_target("/a%20b/%252e%252e/c%C3%A9");
  ASSERT_TRUE(target.ok());
  EXPECT_EQ(target->path, "/a b/%2e%2e/c\xC3\xA9");
}

TEST(Target, HasAQueryOfDecodedPairs) {
  const auto target = parse_target("/api/source?path=nets%2Fa+b.py&run=2&run=3&&flag&x=1=2&=y");
  ASSERT_TRUE(target.ok());
  EXPECT_EQ(target->path, "/api/source");
  EXPECT_EQ(target->query,
            (Query{{"path", "nets/a b.py"}, {"run", "2"}, {"flag", ""}, {"x", "1=2"}, {"", "y"}}));
}

TEST(Target, KeepsTheLastSlash) {
  EXPECT_EQ(parse_target("/")->path, "/");
  EXPECT_EQ(parse_target("/a/")->path, "/a/");
  EXPECT_EQ(parse_target("/?")->path, "/");
}

TEST(Target, IsRefusedIfItMeansNothingOrTooMuch) {
  for (const std::string& text : std::vector<std::string>{"",
                                                          "*",
                                                          "a",
                                                          "http://127.0.0.1/",
                                                          "127.0.0.1:80",
                                                          "/..",
                                                          "/../etc/passwd",
                                                          "/a/../b",
                                                          "/a/..",
                                                          "/.",
                                                          "/./a",
                                                          "/%2e%2e/a",
                                                          "/%2E%2e",
                                                          "/.%2e/a",
                                                          "/a%2fb",
                                                          "/a%2Fb",
                                                          "/a\\b",
                                                          "/a%5cb",
                                                          "/..%5c",
                                                          "/%00",
                                                          "/a%00.js",
                                                          "/a%0a",
                                                          "/a%7f",
                                                          std::string("/\0", 2),
                                                          "/a b\n",
                                                          "/\x01",
                                                          "//",
                                                          "//evil.example/",
                                                          "/a//b",
                                                          "/%",
                                                          "/%1",
                                                          "/%zz",
                                                          "/%2",
                                                          "/a?x=%",
                                                          "/a?x=%00",
                                                          "/a?%0d%0a=1",
                                                          "/\xff",
                                                          "/%ff",
                                                          "/%c0%af",
                                                          "/%c0%ae%c0%ae",
                                                          "/%ed%a0%80",
                                                          "/%f4%90%80%80",
                                                          "/a?x=%ff",
                                                          "/%c2%85",
                                                          "/a#b",
                                                          "/a?b#c",
                                                          "/" + std::string(kLongestTarget, 'a')}) {
    const auto target = parse_target(text);
    ASSERT_FALSE(target.ok()) << text;
    EXPECT_EQ(target.error().kind, ErrorKind::InvalidArgument);
  }
}

TEST(Target, OfTheGreatestLengthIsTaken) {
  EXPECT_TRUE(parse_target("/" + std::string(kLongestTarget - 1, 'a')).ok());
}

TEST(Target, EndingInAnEncodedByteIsTaken) {
  EXPECT_EQ(parse_target("/%41")->path, "/A");
  EXPECT_EQ(parse_target("/?a=%41")->query.at("a"), "A");
}

TEST(BasePath, IsTakenOffByWholeParts) {
  EXPECT_EQ(below_base("", "/a"), "/a");
  EXPECT_EQ(below_base("/", "/a"), "/a");
  EXPECT_EQ(below_base("/base", "/base/a"), "/a");
  EXPECT_EQ(below_base("/base/", "/base/a/"), "/a/");
  EXPECT_EQ(below_base("/base", "/base"), "/");
  EXPECT_EQ(below_base("/base/", "/base"), "/");
  EXPECT_EQ(below_base("/base", "/base-secret/a"), "");
  EXPECT_EQ(below_base("/base", "/"), "");
  EXPECT_EQ(below_base("/base", "/Base/a"), "");
}

}  // namespace
}  // namespace sightline::server
