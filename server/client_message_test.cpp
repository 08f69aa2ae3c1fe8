#include "server/client_message.h"

#include <gtest/gtest.h>

#include "server/messages.h"

namespace sightline::server {
namespace {

using Kind = ClientMessage::Kind;

TEST(ClientMessage, IsUnderstood) {
  const ClientMessage hello = parse_client_message(R"({"type": "hello", "protocol": 1})");
  EXPECT_EQ(hello.kind, Kind::Hello);
  EXPECT_EQ(hello.number, 1);
  const ClientMessage set = parse_client_message(R"({"type": "set_batch_size", "batch_size": 64})");
  EXPECT_EQ(set.kind, Kind::SetBatchSize);
  EXPECT_EQ(set.number, 64);
  EXPECT_EQ(set.expected, std::nullopt);
  EXPECT_EQ(parse_client_message(R"({"type": "set_batch_size", "batch_size": 64, "expected": 32})")
                .expected,
            32);
  EXPECT_EQ(parse_client_message(R"({"type": "undo_batch_size"})").kind, Kind::UndoBatchSize);
  EXPECT_EQ(parse_client_message(R"({"type": "analyse"})").kind, Kind::Analyse);
  EXPECT_EQ(parse_client_message(R"({"type": "cancel", "more": []})").kind, Kind::Cancel);
  EXPECT_EQ(parse_client_message(R"({"type": "dance"})").kind, Kind::Unknown);
}

TEST(ClientMessage, IsNotUnderstoodWhateverElseItIs) {
  for (const char* text :
       {"", "{", "null", "7", "[]", "{}", R"({"type": 1})", R"({"type": null})",
        R"({"type": "hello"})", R"({"type": "hello", "protocol": "1"})",
        R"({"type": "hello", "protocol": 1.5})", R"({"type": "set_batch_size"})",
        R"({"type": "set_batch_size", "batch_size": "64"})",
        R"({"type": "set_batch_size", "batch_size": 64, "expected": null})",
        R"({"type": "set_batch_size", "expected": 32})", "\xff\xfe", "\"hello\""}) {
    EXPECT_EQ(parse_client_message(text).kind, Kind::NotUnderstood) << text;
  }
}

TEST(ProtocolProblem, NamesTheSideToUpgrade) {
  EXPECT_EQ(protocol_problem(kProtocol), "");
  EXPECT_NE(protocol_problem(kProtocol + 1).find("upgrade the server"), std::string::npos);
  EXPECT_NE(protocol_problem(kProtocol - 1).find("reload the page"), std::string::npos);
}

}  // namespace
}  // namespace sightline::server
