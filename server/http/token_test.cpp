#include "server/http/token.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <set>
#include <thread>
#include <vector>

#include "core/base/file_text.h"
#include "core/base/test_folder.h"

namespace sightline::server {
namespace {

unsigned mode_of(const std::filesystem::path& path) {
  struct stat facts {};
  return lstat(path.c_str(), &facts) == 0 ? facts.st_mode & 07777 : 0;
}

Token token_in(const std::filesystem::path& folder) { return kept_token(folder).value(); }

std::size_t files_in(const std::filesystem::path& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

TEST(Token, HasAHundredAndTwentyEightBitsAndIsNeverTheSame) {
  std::set<std::string> seen;
  for (int count = 0; count < 100; ++count) seen.insert(fresh_token().value());
  EXPECT_EQ(seen.size(), 100U);
  EXPECT_EQ(seen.begin()->size(), 32U);
}

TEST(Token, IsKeptWhereOnlyTheUserCanReadIt) {
  const TestFolder home;
  const Token first = token_in(home / "state/sightline");
  EXPECT_TRUE(first.kept);
  EXPECT_EQ(token_in(home / "state/sightline").text, first.text);
  EXPECT_EQ(file_text(home / "state/sightline/token"), first.text + "\n");
  EXPECT_EQ(mode_of(home / "state/sightline/token"), 0600U);
  EXPECT_EQ(mode_of(home / "state/sightline"), 0700U);
  EXPECT_EQ(files_in(home / "state/sightline"), 1U) << "nothing is left beside it";
}

TEST(Token, ThatOthersCouldHaveReadIsReplaced) {
  const TestFolder home;
  const std::string old = token_in(home.path()).text;
  std::filesystem::permissions(home / "token", std::filesystem::perms(0640));
  const Token fresh = token_in(home.path());
  EXPECT_TRUE(fresh.kept);
  EXPECT_NE(fresh.text, old);
  EXPECT_EQ(mode_of(home / "token"), 0600U);
  EXPECT_EQ(token_in(home.path()).text, fresh.text);
}

TEST(Token, ThatIsNoneIsReplaced) {
  for (const std::string& content :
       {std::string(), std::string("short"), std::string(32, 'g'), std::string(33, 'a'),
        std::string(32, 'A'), std::string(32, 'a') + "\n\n", std::string(31, 'a') + '\0'}) {
    const TestFolder home;
    home.file("token", content);
    std::filesystem::permissions(home / "token", std::filesystem::perms(0600));
    const Token token = token_in(home.path());
    EXPECT_TRUE(token.kept);
    EXPECT_EQ(file_text(home / "token"), token.text + "\n");
  }
}

TEST(Token, OfAnotherUserIsReplaced) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  const TestFolder home;
  const std::string old = token_in(home.path()).text;
  ASSERT_EQ(chown((home / "token").c_str(), 12345, 12345), 0);
  EXPECT_NE(token_in(home.path()).text, old);
}

TEST(Token, IsNotReadThroughALink) {
  const TestFolder home;
  const std::filesystem::path target = home.file("elsewhere", std::string(32, 'a'));
  std::filesystem::permissions(target, std::filesystem::perms(0600));
  std::filesystem::create_symlink(target, home / "token");
  const Token token = token_in(home.path());
  EXPECT_NE(token.text, std::string(32, 'a'));
  EXPECT_EQ(file_text(target), std::string(32, 'a')) << "what the link led to is untouched";
  EXPECT_FALSE(std::filesystem::is_symlink(home / "token"));
}

TEST(Token, IsOfThisProcessIfItCannotBeKept) {
  const TestFolder home;
  home.file("file", "");
  for (const std::filesystem::path& folder :
       {home / "file/sightline", std::filesystem::path("/proc/sightline"),
        std::filesystem::path()}) {
    const Token token = token_in(folder);
    EXPECT_FALSE(token.kept);
    EXPECT_EQ(token.text.size(), 32U);
  }
}

TEST(Token, InPlaceOfWhichAFolderStandsIsOfThisProcess) {
  const TestFolder home;
  home.file("token/file", "");
  EXPECT_FALSE(token_in(home.path()).kept);
  EXPECT_EQ(files_in(home.path()), 1U);
}

TEST(Token, IsTheSameForServersThatStartAtOnce) {
  const TestFolder home;
  std::vector<std::string> tokens(8);
  std::vector<std::thread> threads;
  for (std::string& token : tokens) {
    threads.emplace_back([&home, &token] { token = token_in(home / "sightline").text; });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(std::set<std::string>(tokens.begin(), tokens.end()).size(), 1U);
  EXPECT_EQ(files_in(home / "sightline"), 1U);
}

}  // namespace
}  // namespace sightline::server
