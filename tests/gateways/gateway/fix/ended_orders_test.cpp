// The answers to a FIX client about an order that has ended, however it ended, by whichever name it
// asks and with whichever request, then and after a restart: that it is too late, and how it ended.
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/base/serialize.hpp>
#include <damrak/domain/trade_note.hpp>

#include "support/commands.hpp"
#include "support/fix_exchange.hpp"

namespace damrak::testing::ended_orders_test {

namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// Alice's order a buys 100 at 10.05.
struct Market {
    explicit Market(std::string_view more = {}) {
        alice.send(fmt::format("35=D|11=a|55=TEST|54=1|38=100|40=2|44=10.05{}", more));
        order = exchange.application().orders().at(1).id;
        owner = exchange.application().orders().at(1).participant;
    }
    static gateway::fix::FixApplicationConfig config() {
        gateway::fix::FixApplicationConfig config;
        config.cancel_on_disconnect = true;
        return config;
    }
    void submit(CommandKind kind, CommandFlags::Bits flags = {}) {
        Command command{};
        command.kind = kind;
        command.instrument = {4};
        command.flags = flags;
        if (kind == CommandKind::cancel_order || kind == CommandKind::mass_cancel)
            command.participant = owner;
        if (kind == CommandKind::cancel_order) command.order_id = order;
        exchange.submit(command);
    }
    void sell(int quantity) {
        bob.send(fmt::format("35=D|11=s{0}|55=TEST|54=2|38={0}|40=2|44=10.05", quantity));
    }
    void bust(int quantity) {
        const auto& orders = exchange.application().orders();
        const auto* const sold =
            orders.find(orders.at(2).participant, fmt::format("s{}", quantity));
        Command command{};
        command.kind = CommandKind::bust_trade;
        command.instrument = {4};
        command.participant = owner;
        command.order_id = order;
        command.new_order_id = sold->id;
        command.price = {100'500};
        command.quantity = {quantity};
        command.bust = {.trade = {allocated_id({4}, 1)}, .seller = sold->participant};
        exchange.submit(command, TradeNote{.sequence = {4}}.tag());
    }
    /// Its own sale meets it.
    void sell_to_itself() {
        Command command = order_command(4, owner.value, Side::sell, 100, 100'500);
        command.self_trade_prevention = SelfTradePrevention::cancel_oldest;
        exchange.submit(command);
    }
    void lose_connection() {
        alice.disconnect();
        alice.connect();
    }
    void restart() {
        auto& orders = exchange.application().orders();
        const auto bytes = saved_bytes([&](auto& archive) {
            gateway::fix::FixOrders::transfer(std::as_const(orders), archive);
        });
        orders = gateway::fix::FixOrders{{.maximum_participants = 64, .maximum_orders = 10'000}};
        LoadArchive loaded{bytes};
        gateway::fix::FixOrders::transfer(orders, loaded);
        ASSERT_TRUE(loaded.complete());
    }

    FixExchange exchange{config()};
    FixTrader alice{exchange, "FIX.4.4", "ALICE"};
    FixTrader bob{exchange, "FIX.4.4", "BOB"};
    OrderId order{};
    ParticipantId owner{};
};

struct Ending {
    std::string_view name;
    char status;            ///< OrdStatus from then on
    std::string_view last;  ///< the last ClOrdID
    std::function<void(Market&)> happens;
    std::string_view terms = {};
};

const std::vector<Ending>& endings() {
    static constexpr std::string_view k_cancel = "35=F|41=a|11=b|55=TEST|54=1";
    static constexpr std::string_view k_replace = "35=G|41=a|11=b|55=TEST|54=1|38=90|40=2|44=10.05";
    static const std::vector<Ending> all{
        {"filled", '2', "a", [](Market& it) { it.sell(100); }},
        {"cancelled by its client", '4', "b", [](Market& it) { it.alice.send(k_cancel); }},
        {"cancelled after a part of it was filled", '4', "b",
         [](Market& it) {
             it.sell(30);
             it.alice.send(k_cancel);
         }},
        {"cancelled by the operator", '4', "a",
         [](Market& it) { it.submit(CommandKind::cancel_order); }},
        {"mass cancel of its client", '4', "a",
         [](Market& it) { it.alice.send("35=q|11=q|530=7"); }},
        {"mass cancel of the operator", '4', "a",
         [](Market& it) { it.submit(CommandKind::mass_cancel, CommandFlags::k_both_sides); }},
        {"connection lost", '4', "a", [](Market& it) { it.lose_connection(); }},
        {"self-trade prevention", '4', "a", [](Market& it) { it.sell_to_itself(); }},
        {"nothing to trade at once", '4', "a", [](Market&) {}, "|59=3"},
        {"end of the day", 'C', "a", [](Market& it) { it.submit(CommandKind::end_day); }},
        {"good till date", 'C', "a",
         [](Market& it) {
             it.exchange.now.value += 2'000'000'000;
             EXPECT_TRUE(it.exchange.exchange().do_work(it.exchange.now));
         },
         "|59=6|126=20260302-09:00:01"},
        {"replaced and filled", '2', "b",
         [](Market& it) {
             it.alice.send(k_replace);
             it.sell(90);
         }},
        {"replaced and cancelled", '4', "c",
         [](Market& it) {
             it.alice.send(k_replace);
             it.alice.send("35=F|41=b|11=c|55=TEST|54=1");
         }},
        {"replaced and expired", 'C', "b",
         [](Market& it) {
             it.alice.send(k_replace);
             it.submit(CommandKind::end_day);
         }},
        {"its trade was busted", '4', "a",
         [](Market& it) {
             it.sell(100);
             it.bust(100);
         }},
    };
    return all;
}

class FixEndedOrders : public ::testing::TestWithParam<Ending> {
  protected:
    /// By each name, with each request: OrdStatus, CxlRejReason, OrderID, ClOrdID, OrigClOrdID.
    void ask(Market& market, std::string_view when) {
        const std::string id = fmt::format("|37={}|", market.order.value);
        const std::string last{GetParam().last};
        std::vector<std::string> names{"a", last};
        if (last == "c") names.emplace_back("b");
        const auto told = [&] {
            const auto messages = market.alice.told();
            EXPECT_THAT(messages, ::testing::SizeIs(1));
            return market.alice.last();
        };
        static_cast<void>(market.alice.told());
        const std::string status = fmt::format("|39={}|", GetParam().status);
        for (const bool by_id : {false, true}) {
            for (const std::string& name : by_id ? std::vector<std::string>{"never"} : names) {
                SCOPED_TRACE(fmt::format("{}: {} by {}", when, GetParam().name, by_id ? id : name));
                const std::string named =
                    by_id ? fmt::format("|41=never{}", id) : fmt::format("|41={}|", name);
                const auto too_late = [&](std::string_view answers) {
                    return AllOf(HasSubstr("|35=9|"), HasSubstr(status), HasSubstr("|102=0|"),
                                 HasSubstr(id), HasSubstr("|11=x|"),
                                 HasSubstr(fmt::format("|41={}|", name)), HasSubstr(answers));
                };
                market.alice.send(fmt::format("35=F{}11=x|55=TEST|54=1", named));
                EXPECT_THAT(told(), too_late("|434=1|"));
                market.alice.send(fmt::format("35=G{}11=x|55=TEST|54=1|38=10|40=2|44=10", named));
                EXPECT_THAT(told(), too_late("|434=2|"));
                market.alice.send(fmt::format("35=H|11={}{}55=TEST|54=1", name, by_id ? id : "|"));
                const bool is_earlier = !by_id && name != last;
                const std::string earlier = fmt::format("|41={}|", name);
                EXPECT_THAT(told(),
                            AllOf(HasSubstr("|35=8|"), HasSubstr("|150=I|"), HasSubstr(status),
                                  HasSubstr(id), HasSubstr(fmt::format("|11={}|", last)),
                                  is_earlier ? ::testing::Matcher<std::string>(HasSubstr(earlier))
                                             : Not(HasSubstr("|41="))));
            }
        }
    }
};

INSTANTIATE_TEST_SUITE_P(Endings, FixEndedOrders, ::testing::ValuesIn(endings()),
                         [](const auto& of) {
                             std::string name{of.param.name};
                             std::erase_if(name, [](char c) { return c == ' ' || c == '-'; });
                             return name;
                         });

TEST_P(FixEndedOrders, AreKnownByAllTheirNamesAndByTheirNumber) {
    Market market{GetParam().terms};
    GetParam().happens(market);
    ask(market, "then");
    market.lose_connection();
    ask(market, "after another login");
    market.restart();
    ask(market, "after a restart");
}

TEST(FixReplacedOrders, AreNotChangedByTheNameThatTheyHadBefore) {
    Market market;
    market.alice.send("35=G|41=a|11=b|55=TEST|54=1|38=90|40=2|44=10.05");
    static_cast<void>(market.alice.told());
    const std::string id = fmt::format("|37={}|", market.order.value);
    for (const std::string_view request : {"35=F|41=a|11=x", "35=G|41=a|11=x|38=50|40=2|44=10"}) {
        market.alice.send(fmt::format("{}|55=TEST|54=1", request));
        EXPECT_THAT(market.alice.told(),
                    ElementsAre(AllOf(HasSubstr("9 39=0 434="), HasSubstr("102=0 11=x 41=a"),
                                      HasSubstr("its ClOrdID is b now"))));
        EXPECT_THAT(market.alice.last(), HasSubstr(id));
    }
    market.alice.send("35=H|11=a|55=TEST|54=1");
    EXPECT_THAT(market.alice.told(), ElementsAre(HasSubstr("8 150=I 39=0 11=b 41=a")));
    market.alice.send(fmt::format("35=F|41=a{}11=x|55=TEST|54=1", id));
    EXPECT_THAT(market.alice.told(), ElementsAre(HasSubstr("150=4 39=4 11=x 41=b")))
        << "with its OrderID the request leaves no doubt";
}

TEST(FixReplacedOrders, OfTwoOrdersTheNamedOneIsMeant) {
    Market market;
    market.alice.send("35=F|41=a|11=b|55=TEST|54=1");
    market.alice.send("35=D|11=c|55=TEST|54=1|38=100|40=2|44=10.05");
    static_cast<void>(market.alice.told());
    const auto other = market.exchange.application().orders().find(market.owner, "c")->id;
    market.alice.send(fmt::format("35=F|41=a|37={}|11=x|55=TEST|54=1", other.value));
    EXPECT_THAT(market.alice.told(), ElementsAre(HasSubstr("9 39=4 434=1 102=0 11=x 41=a")));
}

}  // namespace

}  // namespace damrak::testing::ended_orders_test
