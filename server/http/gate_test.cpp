#include "server/http/gate.h"

#include <gtest/gtest.h>

#include "server/http/answer.h"

namespace sightline::server {
namespace {

Gate gate(const std::string& base = "") {
  return {{"secret", "sightline_8000", {"localhost"}, false}, base};
}

unsigned status_of(const Verdict& verdict) {
  return verdict.admitted() != nullptr ? 200 : std::get<Response>(verdict.outcome).status;
}

std::string header_of(const Verdict& verdict, const std::string& name) {
  for (const auto& [field, value] : std::get<Response>(verdict.outcome).headers) {
    if (field == name) return value;
  }
  return "";
}

RequestHead head(std::string_view target) {
  return {"GET", target, {{"Host", "localhost:1"}, {"Authorization", "Bearer secret"}}, false};
}

TEST(Gate, AdmitsARequestAsItWasMeant) {
  const Verdict verdict = judge(gate(), head("/api/source?path=a%2Fb"));
  ASSERT_NE(verdict.admitted(), nullptr);
  EXPECT_EQ(verdict.admitted()->method, "GET");
  EXPECT_EQ(verdict.admitted()->path, "/api/source");
  EXPECT_EQ(verdict.admitted()->query.at("path"), "a/b");
  EXPECT_EQ(verdict.admitted()->authority, "localhost:1");
}

TEST(Gate, AsksForTheHostBeforeAllElse) {
  RequestHead request = head("/../x");
  request.fields[0].second = "evil.example";
  const Verdict verdict = judge(gate(), request);
  EXPECT_EQ(status_of(verdict), 403U);
  EXPECT_EQ(verdict.authority, "") << "must not reach the content-security policy";
}

TEST(Gate, WantsTheTokenOnAddressesThatDoNotExist) {
  for (const char* target : {"/", "/api/live", "/nowhere", "/assets/app.js", "/outside"}) {
    RequestHead request = head(target);
    request.fields.pop_back();
    EXPECT_EQ(status_of(judge(gate(), request)), 401U) << target;
    EXPECT_EQ(status_of(judge(gate("/base"), request)), 401U) << target;
    request.method = "POST";
    EXPECT_EQ(status_of(judge(gate(), request)), 401U) << target;
  }
}

TEST(Gate, AnswersOnlyGetAndHead) {
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "CONNECT", "TRACE", "get", "X"}) {
    RequestHead request = head("/");
    request.method = method;
    const Verdict verdict = judge(gate(), request);
    EXPECT_EQ(status_of(verdict), 405U) << method;
    EXPECT_EQ(header_of(verdict, "Allow"), "GET, HEAD");
  }
  RequestHead request = head("/");
  request.method = "HEAD";
  EXPECT_EQ(status_of(judge(gate(), request)), 200U);
}

TEST(Gate, RefusesBodiesBadTargetsAndOtherPages) {
  RequestHead request = head("/");
  request.has_body = true;
  EXPECT_EQ(status_of(judge(gate(), request)), 413U);
  EXPECT_EQ(status_of(judge(gate(), head("/a/%2e%2e/b"))), 400U);
  EXPECT_EQ(status_of(judge(gate(), head("http://localhost:1/"))), 400U);
  const std::string long_target = "/" + std::string(9000, 'a');
  EXPECT_EQ(status_of(judge(gate(), head(long_target))), 414U);
  request = head("/api/session");
  request.fields.emplace_back("Origin", "http://evil.example");
  EXPECT_EQ(status_of(judge(gate(), request)), 403U);
  request = head("/api/session");
  request.fields.emplace_back("Sec-Fetch-Site", "same-site");
  EXPECT_EQ(status_of(judge(gate(), request)), 403U);
  request.target = "/";
  EXPECT_EQ(status_of(judge(gate(), request)), 200U) << "links to the page work";
}

TEST(Gate, ExchangesTheTokenForACookie) {
  RequestHead request{"GET", "/?token=secret", {{"Host", "localhost"}}, false};
  const Verdict verdict = judge(gate(), request);
  EXPECT_EQ(status_of(verdict), 303U);
  EXPECT_EQ(header_of(verdict, "Location"), "./");
  EXPECT_EQ(header_of(verdict, "Set-Cookie"),
            "sightline_8000=secret; Path=/; HttpOnly; SameSite=Strict");
  request.target = "/?token=wrong";
  EXPECT_EQ(status_of(judge(gate(), request)), 401U);
  request.target = "/api/session?token=secret";
  EXPECT_EQ(status_of(judge(gate(), request)), 200U) << "only the page makes cookies";
}

TEST(Gate, TakesOffTheBasePath) {
  EXPECT_EQ(judge(gate("/b"), head("/b/api")).admitted()->path, "/api");
  EXPECT_EQ(status_of(judge(gate("/b"), head("/api"))), 404U);
  const Verdict without_slash = judge(gate("/b"), head("/b"));
  EXPECT_EQ(status_of(without_slash), 308U);
  EXPECT_EQ(header_of(without_slash, "Location"), "/b/");
  const Verdict with_token = judge(gate("/b"), head("/b?token=secret"));
  EXPECT_EQ(status_of(with_token), 303U);
  EXPECT_EQ(header_of(with_token, "Location"), "/b/");
}

TEST(Answer, HasAPolicyThatNamesTheServerItself) {
  const auto headers = protective_headers("localhost:1");
  EXPECT_EQ(headers[0].second,
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
            "font-src 'self'; connect-src 'self' ws://localhost:1 wss://localhost:1; "
            "base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
  EXPECT_EQ(protective_headers("")[0].second.find("ws:"), std::string::npos);
}

TEST(Answer, OfAnErrorIsJsonWhateverItsText) {
  const Response response = error_answer(404, "not_found", "a \"b\"\n\xff");
  EXPECT_EQ(response.status, 404U);
  EXPECT_EQ(*response.body,
            "{\"error\":{\"code\":\"not_found\",\"text\":\"a \\\"b\\\"\\n\xEF\xBF\xBD\"}}");
}

}  // namespace
}  // namespace sightline::server
