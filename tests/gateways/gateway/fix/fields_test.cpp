// Every field of a request is acted on, repeated, left alone by right, or refused: none of those
// that change what is asked for is passed over.
#include <damrak/gateway/fix/detail/fields.hpp>

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/fix_codec/decode.hpp>

#include "support/fix_exchange.hpp"

namespace damrak::testing::fields_test {

namespace {

using gateway::fix::detail::FieldUse;
using gateway::fix::detail::use_of;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Row {
    fix_codec::Tag tag;
    char new_order;
    char replace;
    char cancel;
    char status;
    char mass_cancel;
    char mass_status;
};

char letter(FieldUse use) { return "xierhth"[static_cast<int>(use)]; }

TEST(FixFields, OfAListAreThoseOfItsOrdersAndItsOwn) {
    for (const fix_codec::Tag told : {1U, 66U}) EXPECT_EQ(use_of('E', told), FieldUse::repeated);
    for (const fix_codec::Tag used : {11U, 38U, 68U, 73U, 433U, 893U, 1385U})
        EXPECT_EQ(use_of('E', used), FieldUse::honoured) << used;
    for (const fix_codec::Tag refused : {390U, 391U, 765U, 1092U})
        EXPECT_EQ(use_of('E', refused), FieldUse::refused) << refused;
    EXPECT_EQ(use_of('D', 66), FieldUse::ignored);
    EXPECT_EQ(use_of('D', 1385), FieldUse::refused);
}

// As docs/fix.md has it: h honoured, e echoed, t both, r routing, i ignored, x refused.
TEST(FixFields, AreUsedAsThePageSays) {
    const std::vector<Row> rows{
        {1, 'e', 'e', 'i', 'i', 'x', 'x'},    {11, 'h', 'h', 'h', 'h', 'h', 'x'},
        {15, 'e', 'e', 'i', 'i', 'x', 'x'},   {18, 't', 't', 'i', 'i', 'x', 'x'},
        {21, 'i', 'i', 'i', 'i', 'x', 'x'},   {37, 'x', 'h', 'h', 'h', 'x', 'x'},
        {38, 'h', 'h', 'i', 'i', 'x', 'x'},   {41, 'x', 'h', 'h', 'h', 'x', 'x'},
        {54, 'h', 'h', 'h', 'h', 'h', 'h'},   {55, 'h', 'h', 'h', 'h', 'h', 'h'},
        {58, 'e', 'e', 'i', 'i', 'i', 'i'},   {59, 'h', 'h', 'i', 'i', 'x', 'x'},
        {65, 'x', 'x', 'i', 'i', 'x', 'x'},   {99, 'h', 'h', 'i', 'i', 'x', 'x'},
        {110, 'h', 'h', 'i', 'i', 'x', 'x'},  {111, 'h', 'h', 'i', 'i', 'x', 'x'},
        {125, 'x', 'x', 'h', 'i', 'x', 'x'},  {126, 'h', 'h', 'i', 'i', 'x', 'x'},
        {152, 'x', 'x', 'i', 'i', 'x', 'x'},  {168, 'x', 'x', 'i', 'i', 'x', 'x'},
        {207, 'i', 'i', 'i', 'i', 'i', 'i'},  {210, 'x', 'x', 'i', 'i', 'x', 'x'},
        {211, 't', 't', 'i', 'i', 'x', 'x'},  {336, 'x', 'x', 'i', 'i', 'x', 'x'},
        {388, 'x', 'x', 'i', 'i', 'x', 'x'},  {423, 'h', 'h', 'i', 'i', 'x', 'x'},
        {432, 'h', 'h', 'i', 'i', 'x', 'x'},  {448, 'e', 'e', 'i', 'i', 'x', 'x'},
        {453, 'e', 'e', 'i', 'i', 'x', 'x'},  {530, 'x', 'x', 'i', 'i', 'h', 'x'},
        {584, 'x', 'x', 'i', 'i', 'x', 'h'},  {790, 'x', 'x', 'i', 'h', 'x', 'x'},
        {847, 'x', 'x', 'i', 'i', 'x', 'x'},  {1084, 'h', 'h', 'i', 'i', 'x', 'x'},
        {1089, 'x', 'x', 'i', 'i', 'x', 'x'}, {1100, 'x', 'x', 'i', 'i', 'x', 'x'},
        {1138, 'h', 'h', 'i', 'i', 'x', 'x'}, {4999, 'x', 'x', 'x', 'x', 'x', 'x'},
        {5001, 'i', 'i', 'i', 'i', 'i', 'i'}, {50, 'r', 'r', 'r', 'r', 'r', 'r'},
        {34, 'i', 'i', 'i', 'i', 'i', 'i'}};
    for (const Row& row : rows) {
        const std::string expected{row.new_order, row.replace,     row.cancel,
                                   row.status,    row.mass_cancel, row.mass_status};
        std::string used;
        for (const char request : {'D', 'G', 'F', 'H', 'q', 'M'})
            used += letter(use_of(request, row.tag));
        EXPECT_EQ(used, expected) << row.tag;
    }
}

TEST(FixFields, ThatAreRefusedAreNamed) {
    FixExchange exchange;
    FixTrader alice{exchange, "FIX.5.0SP2", "ALICE"};
    const auto order = [&](std::string_view fields) {
        alice.send(fmt::format("35=D|11=a|55=TEST|54=1|38=10|40=2|44=9|{}", fields));
        const auto told = alice.told();
        return told.size() == 1 ? told.front() : fmt::format("{} answers", told.size());
    };
    for (const std::string_view field :
         {"1092=1", "168=20260303-09:00:00", "1089=5", "1100=1|1102=9", "388=0|389=1", "847=1",
          "152=100", "837=0", "640=9"})
        EXPECT_THAT(order(field),
                    AllOf(HasSubstr("150=8 39=8 103=11 11=a"), HasSubstr("is not supported here")))
            << field;
    EXPECT_THAT(order("1092=1"), HasSubstr("PriceProtectionScope (1092)"));
    EXPECT_THAT(order("18=G"), HasSubstr("ExecInst G"));
    EXPECT_THAT(order("59=1|126=20260303-10:00:00"), HasSubstr("are for TimeInForce 6"));
    EXPECT_THAT(order("99=8"), HasSubstr("StopPx (99) is for stop"));
    EXPECT_THAT(order("423=1"), HasSubstr("PriceType 1: here 2 is"));
    EXPECT_THAT(order("854=1"), HasSubstr("QtyType 1: here 0 is"));
    EXPECT_THAT(order("111=5|1138=6"), HasSubstr("are different"));
    EXPECT_THAT(order("59=6|432=26110801"), HasSubstr("ExpireDate 26110801: there is no such"));
    EXPECT_THAT(order("59=6|126=26110801-00:00:00"), HasSubstr("ExpireTime 26110801-00:00:00"));
    EXPECT_THAT(order("59=6|126=20260303-10:00:00|432=20260303"), HasSubstr("not both of them"));
    EXPECT_THAT(order("18=1 6|423=2|854=0|461=ES|207=XAMS|100=X|528=A"), HasSubstr("39=0 11=a"));
}

TEST(FixFields, OfMassRequestsThatWouldNarrowThemAreRefused) {
    FixExchange exchange;
    FixTrader alice{exchange, "FIX.5.0SP2", "ALICE"};
    alice.send("35=D|11=a|55=TEST|54=1|38=10|40=2|44=9");
    alice.send("35=D|11=b|55=AAPL|54=2|38=10|40=2|44=9");
    static_cast<void>(alice.told());
    const auto told = [&](std::string_view fields) {
        alice.send(fields);
        const auto lines = alice.told();
        std::string all;
        for (const std::string& line : lines) all += line + ";";
        return all;
    };
    EXPECT_THAT(told("35=q|11=q1|530=7|336=1"), HasSubstr("r 530=7 531=0 532=99 11=q1"));
    EXPECT_THAT(told("35=q|11=q2|530=7|55=TEST"), HasSubstr("531=0 532=0 11=q2"));
    EXPECT_THAT(told("35=q|11=q3|530=7|54=3"), HasSubstr("531=0 532=0 11=q3"));
    EXPECT_THAT(told("35=AF|584=m|585=7|1=ACCOUNT"),
                AllOf(HasSubstr("j "), HasSubstr("(1) is not")));
    EXPECT_THAT(told("35=AF|584=m|585=7|54=5"), HasSubstr("Side 5: here 1 and 2"));
    EXPECT_THAT(told("35=AF|584=m|585=7|55=TEST"), HasSubstr("j "));
    EXPECT_THAT(told("35=H|11=a|55=AAPL|54=1"), HasSubstr("39=8 103=5"));
    EXPECT_THAT(told("35=H|11=a|55=TEST|54=2"), HasSubstr("39=8 103=5"));
    EXPECT_THAT(told("35=AF|584=m|585=1|55=TEST"), HasSubstr("11=a"));
    EXPECT_EQ(exchange.application().orders().open(), 2U);
}

TEST(FixFields, MassStatusCountsWhatIsAskedFor) {
    FixExchange exchange;
    FixTrader alice{exchange, "FIX.4.4", "ALICE"};
    for (int i = 0; i < 1'200; ++i)
        alice.send(fmt::format("35=D|11=a{}|55=AAPL|54=1|38=10|40=2|44=9", i));
    for (int i = 0; i < 3; ++i)
        alice.send(
            fmt::format("35=D|11=t{}|55=TEST|54={}|38=10|40=2|44={}", i, 1 + i % 2, 9 + i % 2));
    static_cast<void>(alice.told());
    alice.send("35=AF|584=m|585=7");
    EXPECT_THAT(alice.told(), ElementsAre(HasSubstr("more than 1000 orders are open")));
    alice.send("35=AF|584=m|585=1|55=TEST");
    EXPECT_THAT(alice.told(),
                ElementsAre(HasSubstr("584=m 912=N"), HasSubstr("912=N"), HasSubstr("912=Y")));
    alice.send("35=AF|584=m|585=1|55=TEST|54=2");
    EXPECT_THAT(alice.told(), ElementsAre(AllOf(HasSubstr("11=t1"), HasSubstr("912=Y"))));
    EXPECT_THAT(alice.last(), HasSubstr("|911=1|"));
}

TEST(FixRefusals, RepeatWhatWasSentAndNothingElse) {
    FixExchange exchange;
    for (const std::string version : {"FIX.4.0", "FIX.4.1", "FIX.4.2", "FIX.4.3", "FIX.4.4",
                                      "FIX.5.0", "FIX.5.0SP1", "FIX.5.0SP2"}) {
        FixTrader alice{exchange, version, "R" + version};
        alice.send("35=D|11=a|55=TEST|54=3|38=7|40=5|44=9.001");
        ASSERT_THAT(alice.told(), ElementsAre(HasSubstr("11=a 55=TEST 54=3 38=7 40=5 44=9.001")))
            << version;
        EXPECT_THAT(alice.last(), ::testing::Not(HasSubstr("|59="))) << version;
        alice.send("35=D|11=b|55=NONE|54=2|38=7|40=1|59=4");
        ASSERT_THAT(alice.told(), ElementsAre(HasSubstr("11=b 55=NONE 54=2 38=7 40=1")));
        EXPECT_THAT(alice.last(), HasSubstr("|59=4|")) << version;
        // Refused by the engine.
        alice.send("35=D|11=c|55=TEST|54=2|38=0|40=2|44=9");
        ASSERT_THAT(alice.told(), ElementsAre(HasSubstr("39=8")));
        EXPECT_THAT(alice.last(), ::testing::Not(HasSubstr("|59="))) << version;
        alice.send("35=H|11=z|55=TEST|54=2");
        ASSERT_THAT(alice.told(), ElementsAre(HasSubstr("11=z 55=TEST 54=2")));
        EXPECT_THAT(alice.last(), ::testing::Not(HasSubstr("|40="))) << version;
    }
}

TEST(FixRefusals, GoBackTheWayTheRequestCame) {
    FixExchange exchange;
    FixTrader alice{exchange, "FIX.4.4", "ALICE"};
    const std::string route = "50=DESK|57=BOOK|115=FIRM|116=TRADER|128=HERE|129=THERE|";
    for (const std::string request :
         {"35=D|{}11=a|55=NONE|54=1|38=7|40=1", "35=F|{}11=b|41=x|55=TEST|54=1",
          "35=G|{}11=c|41=x|55=TEST|54=1|38=7|40=1", "35=H|{}11=d|55=TEST|54=1",
          "35=q|{}11=e|530=1|55=NONE", "35=c|{}320=r|321=0|55=NONE", "35=x|{}320=r|559=9"}) {
        alice.send(fmt::format(fmt::runtime(request), route));
        ASSERT_THAT(alice.told(), ::testing::SizeIs(1)) << request;
        for (const std::string_view part :
             {"|50=BOOK|", "|57=DESK|", "|128=FIRM|", "|129=TRADER|", "|115=HERE|", "|116=THERE|"})
            EXPECT_THAT(alice.last(), HasSubstr(part)) << request;
    }
}

}  // namespace

}  // namespace damrak::testing::fields_test
