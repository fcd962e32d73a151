// MassQuote and QuoteCancel by FIX: one acknowledgement for all entries, and reports of what the
// quotes traded.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/commands.hpp"
#include "support/fix_exchange.hpp"
#include "support/fix_versions.hpp"

namespace damrak::testing::quotes_test {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class FixQuotes : public ::testing::TestWithParam<std::string> {
  protected:
    /// The answer of carol's session, in full.
    std::string answer_to(const std::string& fields) {
        carol_.send(fields);
        const std::vector<std::string> told = carol_.told();
        EXPECT_THAT(told, SizeIs(1));
        return carol_.last();
    }

    /// The code for what has none.
    [[nodiscard]] static std::string other() { return GetParam() == "FIX.4.2" ? "9" : "99"; }

    FixExchange exchange_;
    FixTrader carol_{exchange_, GetParam(), "CAROL"};
    FixTrader dave_{exchange_, "FIX.4.4", "DAVE"};
};

const std::string k_both =
    "35=i|117=q1|296=1|302=s|304=2|295=2|299=a|55=TEST|132=9.00|133=11.00|134=10|135=20|"
    "299=b|55=AAPL|132=5|133=6.01|134=7|135=8";

INSTANTIATE_TEST_SUITE_P(Versions, FixQuotes, versions_from_42(), version_name);

TEST_P(FixQuotes, AreAnsweredTogether) {
    EXPECT_THAT(answer_to(k_both), HasSubstr("|117=q1|297=0|"));
    dave_.send("35=D|11=d1|55=AAPL|54=1|38=3|40=2|44=6.01");
    EXPECT_THAT(carol_.told(), ElementsAre(HasSubstr("11=q1 55=AAPL 54=2 38=8")));
    EXPECT_THAT(dave_.told(), SizeIs(2));
}

TEST_P(FixQuotes, ReplaceThoseOfTheLastMessage) {
    answer_to(k_both);
    EXPECT_THAT(answer_to("35=i|117=q2|296=1|302=s|304=1|295=1|299=a|55=TEST|132=9.50|134=10"),
                HasSubstr("|117=q2|297=0|"));
    dave_.send("35=D|11=d1|55=TEST|54=1|38=3|40=2|44=11|59=3");
    EXPECT_THAT(carol_.told(), IsEmpty());
    dave_.send("35=D|11=d2|55=TEST|54=2|38=3|40=2|44=9.50");
    EXPECT_THAT(carol_.told(), ElementsAre(HasSubstr("11=q2")));
}

TEST_P(FixQuotes, TellWhichEntriesAreRefused) {
    const std::string answer = answer_to(
        "35=i|117=q1|293=5|294=6|296=2|302=s|304=2|295=2|299=a|55=TEST|132=9|133=10|"
        "299=b|55=NONE|132=9|302=t|304=2|295=2|299=c|55=AAPL|132=9|133=8|"
        "299=d|55=AAPL|132=9.005");
    EXPECT_THAT(answer, HasSubstr("|117=q1|297=0|58="));
    EXPECT_THAT(answer, HasSubstr("|296=2|302=s|304=2|295=1|299=b|368=1|302=t|304=2|295=2|299=c|"
                                  "368=7|299=d|368=8|"));
    dave_.send("35=D|11=d1|55=TEST|54=1|38=30|40=2|44=10");
    EXPECT_THAT(carol_.told(), ElementsAre(HasSubstr("38=6")));
}

TEST_P(FixQuotes, AreRejectedIfAllEntriesAre) {
    EXPECT_THAT(answer_to("35=i|117=q1|296=1|302=s|304=1|295=1|299=a|55=TEST|132=9|133=8|134=1|"
                          "135=1"),
                HasSubstr("|297=5|300=7|"));
    EXPECT_THAT(answer_to("35=i|117=q2|296=1|302=s|304=1|295=1|299=a|55=NONE|132=9|134=1"),
                HasSubstr("|297=5|300=1|"));
    EXPECT_THAT(answer_to("35=i|117=a-name-that-is-far-too-long|296=1|302=s|304=1|295=1|299=a|"
                          "55=TEST|132=9|134=1"),
                HasSubstr("|297=5|300=" + other() + "|58=QuoteID has at most 20 characters|"));
    std::string many = "35=i|117=q3|296=1|302=s|304=51|295=51";
    for (int i = 0; i < 51; ++i) many += "|299=" + std::to_string(i) + "|55=TEST|132=9|134=1";
    EXPECT_THAT(answer_to(many), HasSubstr("|297=5|300=3|58=a message has at most 50 quotes|"));
}

TEST_P(FixQuotes, TellWhichFieldIsWrong) {
    const auto refusal_of = [&](const std::string& fields) {
        return answer_to("35=i|117=q|296=1|302=s|304=1|295=1|299=a|55=TEST|" + fields);
    };
    const std::string size = "|297=5|300=" + other() + "|58=entry a: ";
    EXPECT_THAT(refusal_of("132=9"), HasSubstr(size + "BidSize (134) is missing|"));
    EXPECT_THAT(refusal_of("132=9"), HasSubstr("|368=9|")) << "which has no other";
    EXPECT_THAT(refusal_of("133=9|134=1"), HasSubstr(size + "OfferSize (135) is missing|"));
    EXPECT_THAT(refusal_of("132=9|134=1.5"), HasSubstr(size + "BidSize 1.5: a whole number is"));
    EXPECT_THAT(refusal_of("132=9|134=9223372036854775808"), HasSubstr("8: it is out of range|"));
    EXPECT_THAT(
        refusal_of("132=9.12345|134=1"),
        HasSubstr("|297=5|300=8|58=entry a: BidPx 9.12345: a price has at most 4 decimals|"));
    EXPECT_THAT(refusal_of("133=9223372036854775808|135=1"),
                HasSubstr("|300=8|58=entry a: OfferPx 9223372036854775808: it is out of range|"));
}

TEST_P(FixQuotes, ThatKeepTheirPlaceKeepTheirName) {
    answer_to(k_both);
    answer_to("35=i|117=q2|296=1|302=s|304=1|295=1|299=a|55=TEST|132=9.50|133=11|134=10|135=20");
    dave_.send("35=D|11=d1|55=TEST|54=1|38=3|40=2|44=11");
    EXPECT_THAT(carol_.told(), ElementsAre(HasSubstr("11=q1 55=TEST 54=2")));
    dave_.send("35=D|11=d2|55=TEST|54=2|38=3|40=2|44=9.50");
    EXPECT_THAT(carol_.told(), ElementsAre(HasSubstr("11=q2 55=TEST 54=1")));
}

TEST_P(FixQuotes, AreCancelledForSymbols) {
    answer_to(k_both);
    EXPECT_THAT(answer_to("35=Z|117=z1|298=1|295=1|55=TEST"), HasSubstr("|117=z1|297=1|"));
    dave_.send("35=D|11=d1|55=TEST|54=1|38=3|40=2|44=11|59=3");
    EXPECT_THAT(carol_.told(), IsEmpty());
    dave_.send("35=D|11=d2|55=AAPL|54=1|38=3|40=2|44=6.01|59=3");
    EXPECT_THAT(carol_.told(), SizeIs(1));
    EXPECT_THAT(answer_to("35=Z|117=z2|298=1|295=1|55=TEST"), HasSubstr("|117=z2|297=1|"));
}

TEST_P(FixQuotes, AreCancelledAll) {
    EXPECT_THAT(answer_to("35=Z|117=z0|298=4"), HasSubstr("|117=z0|297=4|"));
    answer_to(k_both);
    EXPECT_THAT(answer_to("35=Z|117=z1|298=4"), HasSubstr("|117=z1|297=4|"));
    dave_.send("35=D|11=d1|55=AAPL|54=1|38=3|40=2|44=6.01|59=3");
    EXPECT_THAT(carol_.told(), IsEmpty());
    EXPECT_THAT(answer_to("35=Z|117=z2|298=2"), HasSubstr("|297=5|300=" + other() + "|"));
}

TEST_P(FixQuotes, AreCancelledAllHoweverManyThereAre) {
    constexpr std::uint32_t k_instruments = 60;  // a message quotes at most 50
    for (std::uint32_t i = 5; i < k_instruments; ++i) {
        const std::string symbol = "S" + std::to_string(i);
        exchange_.add_instrument(i, symbol);
        answer_to("35=i|117=q|296=1|302=s|304=1|295=1|299=a|55=" + symbol + "|132=9|134=1");
    }
    EXPECT_THAT(answer_to("35=Z|117=z|298=4"), HasSubstr("|117=z|297=4|"));
    for (std::uint32_t i = 5; i < k_instruments; ++i)
        dave_.send("35=D|11=d" + std::to_string(i) + "|55=S" + std::to_string(i) +
                   "|54=2|38=1|40=2|44=9|59=3");
    EXPECT_THAT(carol_.told(), IsEmpty()) << "nothing is left to trade with";
}

TEST_P(FixQuotes, ProtectionIsReportedAsAnyCancel) {
    answer_to(k_both);
    Command protect{};
    protect.kind = CommandKind::set_quote_protection;
    protect.instrument = InstrumentId{4};
    protect.participant = exchange_.application().orders().at(1).participant;
    protect.quote_protection = {Quantity{3}, 1'000'000'000};
    exchange_.submit(protect);
    dave_.send("35=D|11=d1|55=TEST|54=1|38=3|40=2|44=11|59=3");
    EXPECT_THAT(carol_.told(),
                ElementsAre(HasSubstr("54=2"), HasSubstr("\"the participant's quotes traded"),
                            HasSubstr("\"the participant's quotes traded")));
}

}  // namespace

}  // namespace damrak::testing::quotes_test
