// The token in a file: it is made once, kept, for its owner only, and nothing but it is admitted.
#include <damrak/http/bearer_token.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/scratch_folder.hpp"

namespace damrak::http::bearer_token_test {
namespace {

using std::filesystem::perms;
using ::testing::HasSubstr;

class BearerTokenFile : public ::testing::Test {
  protected:
    [[nodiscard]] std::string content() const {
        std::ifstream file{path_};
        return {std::istreambuf_iterator<char>{file}, {}};
    }
    void write(const std::string& text) const {
        std::ofstream{path_} << text;
        std::filesystem::permissions(path_, perms::owner_read | perms::owner_write);
    }

    testing::ScratchFolder folder_;
    std::filesystem::path path_ = folder_ / "token";
};

TEST_F(BearerTokenFile, IsMadeOnceForItsOwnerOnly) {
    ASSERT_TRUE(BearerToken::open(path_));
    const std::string first = content();
    EXPECT_THAT(first, ::testing::MatchesRegex("[0-9a-f]+\n"));
    EXPECT_EQ(first.size(), 65U);
    EXPECT_EQ(std::filesystem::status(path_).permissions(), perms::owner_read | perms::owner_write);
    ASSERT_TRUE(BearerToken::open(path_));
    EXPECT_EQ(content(), first);
    std::filesystem::remove(path_);
    ASSERT_TRUE(BearerToken::open(path_));
    EXPECT_NE(content(), first);
    EXPECT_FALSE(std::filesystem::exists(path_.string() + ".new"));
}

// What a kill leaves before the token has its name.
TEST_F(BearerTokenFile, IsMadeAnewAfterAKillBeforeItWasWhole) {
    std::ofstream{path_.string() + ".new"} << "0123";
    ASSERT_TRUE(BearerToken::open(path_));
    EXPECT_EQ(content().size(), 65U);
}

TEST_F(BearerTokenFile, AdmitsTheTokenAndNothingElse) {
    const std::string token = "abcdefghijklmnopqrstuvwxyz-0123456789";
    write(token + "\n");
    const auto opened = BearerToken::open(path_);
    ASSERT_TRUE(opened) << opened.error();
    for (const char* const scheme : {"Bearer ", "bearer ", "BEARER  "})
        EXPECT_TRUE(opened->admits(scheme + token)) << scheme;
    for (std::size_t length = 0; length < token.size(); ++length)
        EXPECT_FALSE(opened->admits("Bearer " + token.substr(0, length))) << length;
    for (std::size_t i = 0; i < token.size(); ++i) {
        std::string wrong = token;
        wrong[i] = static_cast<char>(wrong[i] ^ 1);
        EXPECT_FALSE(opened->admits("Bearer " + wrong)) << i;
    }
    for (const std::string& other :
         {std::string{}, std::string{"Bearer"}, std::string{"Bearer "}, token, "Basic " + token,
          "Bearer" + token, "Bearer " + token + "x", "Bearer " + token + " ", " Bearer " + token,
          "Bearer\t" + token, "Bearer " + token + "\n"})
        EXPECT_FALSE(opened->admits(other)) << other;
}

TEST_F(BearerTokenFile, RefusesAFileThatIsNotSafe) {
    const std::string token(40, 'a');
    for (const perms of_others : {perms::group_read, perms::others_read, perms::group_write,
                                  perms::others_write, perms::others_exec}) {
        write(token + "\n");
        std::filesystem::permissions(path_, of_others, std::filesystem::perm_options::add);
        const auto refused = BearerToken::open(path_);
        ASSERT_FALSE(refused);
        EXPECT_THAT(refused.error(), HasSubstr("chmod 600"));
        EXPECT_THAT(refused.error(), ::testing::Not(HasSubstr(token)));
    }
    for (const std::string& text :
         {std::string{}, std::string{"\n"}, std::string(31, 'a'), std::string(257, 'a'),
          token + "\n\n", token + " " + token, token + "\"", token + std::string(1, '\0')}) {
        write(text);
        const auto refused = BearerToken::open(path_);
        ASSERT_FALSE(refused) << text;
        EXPECT_THAT(refused.error(), HasSubstr("32 to 256"));
    }
    write(std::string(256, 'a') + "\n");
    EXPECT_TRUE(BearerToken::open(path_));
}

TEST_F(BearerTokenFile, RefusesWhatIsNoFile) {
    std::filesystem::create_directory(path_);
    EXPECT_FALSE(BearerToken::open(path_));
    std::filesystem::remove(path_);
    std::filesystem::create_symlink(folder_ / "elsewhere", path_);
    EXPECT_FALSE(BearerToken::open(path_));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "elsewhere"));
    EXPECT_FALSE(BearerToken::open(folder_ / "nowhere" / "token"));
}

}  // namespace
}  // namespace damrak::http::bearer_token_test
