// Market files whose groups are of kinds of the caller.
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/market_runs/market_file.hpp>

namespace damrak::market_runs::own_kinds_test {
namespace {

using ::testing::HasSubstr;

TEST(OwnKinds, AGroupMayBeOfAKindOfTheCaller) {
    class Idle final : public market_kernel::Participant {};
    participants::Kind own{};
    own.name = "mine";
    own.check = [](const participants::ParameterValues&) { return std::string{}; };
    own.fits = [](const participants::ParameterValues&, const participants::Assignment&) {
        return std::string{};
    };
    own.make = [](const participants::ParameterValues&, const participants::Assignment&) {
        return std::make_unique<Idle>();
    };
    const std::string text =
        "[[instrument]]\nsymbol = \"AAA\"\n[[participants]]\nkind = \"mine\"\n";
    const participants::Kind* const kinds[]{&own};
    const auto file = parse_market_file(text, "own.toml", nullptr, kinds);
    ASSERT_TRUE(file) << file.error();
    EXPECT_EQ(file->groups[0].kind, &own);
    EXPECT_NE(dynamic_cast<Idle*>(make_setup(*file, 1).seats[0].participant.get()), nullptr);
    EXPECT_THAT(parse_market_file(text, "own.toml").error(), HasSubstr("there is no kind 'mine'"));
}

}  // namespace
}  // namespace damrak::market_runs::own_kinds_test
