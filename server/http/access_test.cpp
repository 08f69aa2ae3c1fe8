#include "server/http/access.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/http/authority.h"

namespace sightline::server {
namespace {

AccessRules rules_for(bool loopback, const std::string& address,
                      const std::vector<std::string>& allowed = {}) {
  AccessRequest request;
  request.token = "secret";
  request.port = 8000;
  request.bound_address = address;
  request.loopback = loopback;
  request.machine_name = "Box.lab.example";
  request.allowed_hosts = allowed;
  return make_access_rules(request).value();
}

bool host_allowed(const AccessRules& rules, std::string_view host) {
  return !allowed_host(rules, {{"Host", host}}).empty();
}

TEST(Authority, IsBroughtIntoOneForm) {
  EXPECT_EQ(parse_authority("LocalHost.:80")->host, "localhost");
  EXPECT_EQ(parse_authority("LocalHost.:80")->port, 80);
  EXPECT_EQ(parse_authority("[0:0:0:0:0:0:0:1]")->host, "::1");
  EXPECT_EQ(parse_authority("[::FFFF:127.0.0.1]:1")->host, "127.0.0.1");
  EXPECT_TRUE(parse_authority("127.0.0.1")->is_address);
  EXPECT_FALSE(parse_authority("127.1")->is_address);
  EXPECT_FALSE(parse_authority("2130706433")->is_address);
  EXPECT_FALSE(parse_authority("a")->port.has_value());
}

TEST(Authority, IsNothingElse) {
  for (const std::string text :
       {"",           ":80",      "a:",          "a:0",   "a:65536",  "a:-1",   "a:+1",
        "a:8x",       "a:1:2",    "a@b",         "a:b@c", "a b",      "a/b",    "a?b",
        "a#b",        "a\\b",     "a;b",         "a'b",   "a%b",      ".",      "..",
        "a..b",       ".a",       "[::1",        "::1",   "[]",       "[::1]x", "[::1]:",
        "[::1%25lo]", "[::1%lo]", "[127.0.0.1]", "[a]",   "\xC3\xA4", "a,b",    "*"}) {
    EXPECT_FALSE(parse_authority(text).has_value()) << text;
  }
  EXPECT_FALSE(parse_authority(std::string(254, 'a')).has_value());
  EXPECT_FALSE(parse_authority(std::string("a\0b", 3)).has_value());
  EXPECT_FALSE(parse_authority(std::string("[::1\0x]", 7)).has_value());
}

TEST(Host, OnTheLoopbackIsTheLoopbackWithAnyPort) {
  const AccessRules rules = rules_for(true, "127.0.0.1");
  for (const char* host :
       {"localhost", "LOCALHOST:9", "localhost.", "127.0.0.1", "127.0.0.1:65535", "127.0.0.1.",
        "[::1]", "[::1]:80", "[0:0:0:0:0:0:0:1]:80", "[::ffff:127.0.0.1]"}) {
    EXPECT_TRUE(host_allowed(rules, host)) << host;
  }
  for (const char* host :
       {"", "evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "evil.localhost",
        "user@localhost", "localhost@evil.example", "0.0.0.0", "127.0.0.2", "192.168.0.1", "[::]",
        "localhost..", "127.1", "2130706433", "0x7f.0.0.1", "box.lab.example", "localhost:http",
        "localhost, evil.example", "localhost evil.example"}) {
    EXPECT_FALSE(host_allowed(rules, host)) << host;
  }
}

TEST(Host, ElsewhereIsAnyAddressOrTheMachinesName) {
  const AccessRules rules = rules_for(false, "0.0.0.0");
  for (const char* host :
       {"localhost", "192.168.0.1:80", "[fe80::1]", "box.lab.example", "BOX:8000", "10.0.0.7"}) {
    EXPECT_TRUE(host_allowed(rules, host)) << host;
  }
  for (const char* host : {"evil.example", "lab.example", "192.168.0.1.evil.example"}) {
    EXPECT_FALSE(host_allowed(rules, host)) << host;
  }
}

TEST(Host, MayBeTheAddressThatWasBound) {
  EXPECT_TRUE(host_allowed(rules_for(true, "127.0.0.9"), "127.0.0.9:1"));
  EXPECT_TRUE(host_allowed(rules_for(false, "fe80::2"), "[fe80::2]:1"));
}

TEST(Host, MayBeOneThatTheUserAllowed) {
  const AccessRules rules = rules_for(true, "127.0.0.1", {"Hub.Example", "[fd00::1]:7", "fd00::2"});
  EXPECT_TRUE(host_allowed(rules, "hub.example:443"));
  EXPECT_TRUE(host_allowed(rules, "[fd00::1]"));
  EXPECT_TRUE(host_allowed(rules, "[fd00::2]"));
  EXPECT_FALSE(host_allowed(rules, "sub.hub.example"));
}

TEST(Host, IsThereOnce) {
  const AccessRules rules = rules_for(true, "127.0.0.1");
  EXPECT_EQ(allowed_host(rules, {{"hOST", " localhost:1 "}}), "localhost:1");
  EXPECT_EQ(allowed_host(rules, {}), "");
  EXPECT_EQ(allowed_host(rules, {{"Host", "localhost"}, {"host", "localhost"}}), "");
}

TEST(Rules, RefuseWhatCannotBeMeant) {
  AccessRequest request;
  EXPECT_FALSE(make_access_rules(request).ok()) << "no token";
  request.token = "a;b";
  EXPECT_FALSE(make_access_rules(request).ok());
  request.token = "ab-_9";
  EXPECT_TRUE(make_access_rules(request).ok());
  request.allowed_hosts = {"http://hub.example/"};
  const auto rules = make_access_rules(request);
  ASSERT_FALSE(rules.ok());
  EXPECT_THAT(rules.error().message, testing::HasSubstr("http://hub.example/"));
}

TEST(Origin, IsTheHostOrAbsent) {
  const std::string host = "127.0.0.1:8000";
  EXPECT_TRUE(origin_matches({}, host));
  for (const char* origin : {"http://127.0.0.1:8000", "https://127.0.0.1:8000",
                             "HTTP://127.0.0.1:8000", "http://[::ffff:127.0.0.1]:8000"}) {
    EXPECT_TRUE(origin_matches({{"Origin", origin}}, host)) << origin;
  }
  for (const char* origin :
       {"null", "", "http://127.0.0.1", "http://127.0.0.1:8001", "http://localhost:8000",
        "ws://127.0.0.1:8000", "file://", "ftp://127.0.0.1:8000", "http://evil.example",
        "http://127.0.0.1:8000.evil.example", "http://127.0.0.1:8000@evil.example",
        "http://a@127.0.0.1:8000", "http://127.0.0.1:8000/", "127.0.0.1:8000",
        "http://127.0.0.1:8000 http://evil.example"}) {
    EXPECT_FALSE(origin_matches({{"origin", origin}}, host)) << origin;
  }
  EXPECT_FALSE(origin_matches(
      {{"Origin", "http://127.0.0.1:8000"}, {"Origin", "http://127.0.0.1:8000"}}, host));
}

TEST(Origin, MayLeaveOutTheUsualPort) {
  EXPECT_TRUE(origin_matches({{"Origin", "http://hub.example"}}, "hub.example:80"));
  EXPECT_TRUE(origin_matches({{"Origin", "https://Hub.example:443"}}, "hub.example"));
  EXPECT_FALSE(origin_matches({{"Origin", "https://hub.example"}}, "hub.example:80"));
}

TEST(FetchSite, IsThePageItselfOrTheUser) {
  for (const char* site : {"same-origin", "none"}) {
    EXPECT_TRUE(fetch_site_allowed({{"Sec-Fetch-Site", site}}, false)) << site;
  }
  for (const char* site : {"cross-site", "same-site", "", "Cross-Site", "new-word"}) {
    EXPECT_FALSE(fetch_site_allowed({{"sec-fetch-site", site}}, false)) << site;
    EXPECT_TRUE(fetch_site_allowed({{"sec-fetch-site", site}}, true)) << site;
  }
  EXPECT_TRUE(fetch_site_allowed({}, false));
}

TEST(Token, IsFoundInTheThreePlaces) {
  const AccessRules rules = rules_for(true, "127.0.0.1");
  EXPECT_TRUE(has_token(rules, {{"token", "secret"}}, {}));
  EXPECT_TRUE(has_token(rules, {}, {{"cookie", "a=b; sightline_8000=secret;c=d"}}));
  EXPECT_TRUE(has_token(rules, {}, {{"Authorization", "bearer  secret"}}));
  EXPECT_TRUE(has_token(rules, {{"token", "old"}}, {{"Cookie", "sightline_8000=secret"}}));
}

TEST(Token, IsFoundNowhereElse) {
  const AccessRules rules = rules_for(true, "127.0.0.1");
  EXPECT_FALSE(has_token(rules, {}, {}));
  EXPECT_FALSE(has_token(rules, {{"token", ""}}, {}));
  EXPECT_FALSE(has_token(rules, {{"token", "secre"}}, {}));
  EXPECT_FALSE(has_token(rules, {{"token", "secretsecret"}}, {}));
  EXPECT_FALSE(has_token(rules, {{"Token", "secret"}}, {}));
  EXPECT_FALSE(has_token(rules, {}, {{"Cookie", "sightline_8001=secret"}}));
  EXPECT_FALSE(has_token(rules, {}, {{"Cookie", "xsightline_8000=secret; sightline_8000"}}));
  EXPECT_FALSE(has_token(rules, {}, {{"Cookie", "sightline_8000="}}));
  EXPECT_FALSE(has_token(rules, {}, {{"Cookie", "a=\"; sightline_8000=secret\""}}));
  EXPECT_FALSE(has_token(rules, {}, {{"Authorization", "Basic secret"}}));
  EXPECT_FALSE(has_token(rules, {}, {{"Authorization", "secret"}}));
  EXPECT_FALSE(has_token(rules, {}, {{"X-Token", "secret"}}));
}

TEST(Texts, AreComparedWholly) {
  EXPECT_TRUE(equal_in_constant_time("", ""));
  EXPECT_TRUE(equal_in_constant_time("abc", "abc"));
  EXPECT_FALSE(equal_in_constant_time("abc", "abd"));
  EXPECT_FALSE(equal_in_constant_time("abc", "abcabc"));
  EXPECT_FALSE(equal_in_constant_time("abcabc", "abc"));
  EXPECT_FALSE(equal_in_constant_time("a", ""));
  EXPECT_FALSE(equal_in_constant_time("", "a"));
}

}  // namespace
}  // namespace sightline::server
