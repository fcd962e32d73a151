// What a replace may say: it is done, or the field that cannot be is named.
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/fix_exchange.hpp"
#include "support/fix_versions.hpp"

namespace damrak::testing::replace_test {

namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class FixReplace : public ::testing::TestWithParam<std::string> {
  protected:
    /// DisplayQty is the name of MaxFloor from FIX.5.0 on.
    [[nodiscard]] std::string shown(int quantity) const {
        return fmt::format("{}={}", GetParam() < "FIX.5" ? 111 : 1138, quantity);
    }
    /// Enters an order with these fields, replaces it with those, and gives what was reported then.
    [[nodiscard]] std::string replaced(std::string_view entered, std::string_view with) {
        ++count_;
        const std::string base = "55=TEST|54=1|38=100|40=2|44=9";
        alice_.send(fmt::format("35=D|11=a{}|{}|{}", count_, base, entered));
        EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr("39=0")));
        alice_.send(fmt::format("35=G|41=a{0}|11=b{0}|{1}|{2}", count_, base, with));
        const auto told = alice_.told();
        EXPECT_THAT(told, SizeIs(1));
        return told.empty() ? "" : told.front();
    }

    FixExchange exchange_;
    FixTrader alice_{exchange_, GetParam(), "ALICE"};
    FixTrader bob_{exchange_, GetParam(), "BOB"};
    int count_ = 0;
};

INSTANTIATE_TEST_SUITE_P(Versions, FixReplace, versions_of_reports(), version_name);

TEST_P(FixReplace, MayStateWhatItDoesNotChange) {
    for (const std::string& same : {std::string{"59=1"}, std::string{"18=6"}, shown(10), shown(0),
                                    std::string{"59=0"}, std::string{"59=6|126=20260303-10:00:00"}})
        EXPECT_THAT(replaced(same, same), HasSubstr("11=b")) << same;
    EXPECT_THAT(replaced("110=10", "110=10"), HasSubstr("41=a"));
}

TEST_P(FixReplace, MayLeaveItOut) {
    for (const std::string& entered : {std::string{"59=1"}, std::string{"18=6"}, shown(10)})
        EXPECT_THAT(replaced(entered, "21=1"), HasSubstr("41=a")) << entered;
}

TEST_P(FixReplace, NamesWhatItCannotChange) {
    struct Case {
        std::string entered;
        std::string with;
        std::string text;
    };
    const std::vector<Case> cases{
        {"59=0", "59=3", "TimeInForce 3: a replace cannot change it"},
        {"59=1", "59=4", "TimeInForce 4: a replace"},
        {"59=0", "59=6|126=20260303-10:00:00", "TimeInForce 6: a replace"},
        {"59=6|126=20260303-10:00:00", "59=6|126=20260303-10:00:01",
         "ExpireTime 20260303-10:00:01"},
        {"59=0", "18=6", "ExecInst 6: a replace"},
        {"18=6", "18=1", "ExecInst 1: a replace"},
        {"59=0", "18=G", "ExecInst G: here 6, M, P, R and a are"},
        {"59=0", shown(10), "10: a replace cannot change it"},
        {"59=0", shown(0), "0: a replace cannot change it"},
        {shown(10), shown(20), "20: a replace cannot change it"},
        {"59=0", "110=10", "MinQty 10: a replace"},
        {"59=0", "99=9", "StopPx 9: a replace"},
    };
    for (const Case& one : cases) {
        EXPECT_THAT(replaced(one.entered, one.with), AllOf(HasSubstr("9 "), HasSubstr(one.text)))
            << one.entered << " with " << one.with;
    }
}

TEST_P(FixReplace, OfAnotherKindTakesNothingFromTheBook) {
    alice_.send("35=D|11=a|55=TEST|54=1|38=100|40=2|44=9");
    bob_.send("35=D|11=s|55=TEST|54=2|38=100|40=2|44=10");
    static_cast<void>(alice_.told());
    static_cast<void>(bob_.told());
    alice_.send("35=G|41=a|11=b|55=TEST|54=1|38=100|40=2|44=10|18=6");
    EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr("9 39=0")));
    alice_.send("35=G|41=a|11=c|55=TEST|54=1|38=100|40=2|44=8|59=3");
    EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr("9 39=0")));
    EXPECT_THAT(bob_.told(), SizeIs(0));
    alice_.send("35=G|41=a|11=d|55=TEST|54=1|38=100|40=2|44=10");
    EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr("41=a"), HasSubstr("39=2")));
}

TEST_P(FixReplace, OfOneThatDoesNotInitiateDoesNotEither) {
    bob_.send("35=D|11=s|55=TEST|54=2|38=100|40=2|44=10");
    static_cast<void>(bob_.told());
    alice_.send("35=D|11=a|55=TEST|54=1|38=100|40=2|44=9|18=6");
    alice_.send("35=G|41=a|11=b|55=TEST|54=1|38=100|40=2|44=10");
    EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr("39=0 11=a"), HasSubstr("9 39=0")));
    EXPECT_THAT(bob_.told(), SizeIs(0));
}

TEST_P(FixReplace, OfATriggeredStopMayRepeatItsStopPrice) {
    alice_.send("35=D|11=a|55=TEST|54=1|38=10|40=4|44=10.2|99=10.1");
    bob_.send("35=D|11=s|55=TEST|54=2|38=1|40=2|44=10.1");
    bob_.send("35=D|11=t|55=TEST|54=1|38=1|40=2|44=10.2");
    static_cast<void>(alice_.told());
    alice_.send("35=G|41=a|11=b|55=TEST|54=1|38=10|40=4|44=9|99=10.2");
    EXPECT_THAT(alice_.told(), ElementsAre(AllOf(HasSubstr("9 39="), HasSubstr("StopPx 10.2"))));
    alice_.send("35=G|41=a|11=c|55=TEST|54=1|38=10|40=4|44=9|99=10.10");
    EXPECT_THAT(alice_.told(), ElementsAre(HasSubstr("41=a")));
}

}  // namespace

}  // namespace damrak::testing::replace_test
