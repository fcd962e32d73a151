// A trader at the real FIX gateway and engine, with bytes handed over by the test. Expected texts
// are those of `damrak term`.
#include <damrak/client/fix_order_entry.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/client/term_model.hpp>
#include <damrak/domain/trade_note.hpp>

#include "support/fix_exchange.hpp"

namespace damrak::client::fix_order_entry_test {
namespace {

using fix_codec::BeginString;
using ::testing::ElementsAre;
using testing::FixExchange;
using testing::FixTestApplication;
using testing::FixTrader;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A terminal with a new session.
class Terminal {
  public:
    Terminal(FixExchange& exchange, BeginString version)
        : exchange_(&exchange),
          settings_(settings_of(version)),
          entry_([&exchange] { return exchange.now; }),
          session_(entry_, store_, tools_, settings_),
          model_(Symbols{}, entry_) {
        entry_.attach(session_);
        entry_.follow_books();
        model_.link.state = TermLink::State::up;
        model_.feed_state = TermFeed::live;
    }

    /// News since the last call.
    std::vector<std::string> connect() {
        exchange_->now.value += 1'000'000'000;  // names are told apart by the time
        session_.connect(to_, exchange_->now);
        return carry();
    }
    void disconnect() {
        exchange_->application().sessions().leave(*client_, exchange_->now);
        client_ = nullptr;
        from_.consume(from_.size());
        session_.close(exchange_->now);
    }
    std::vector<std::string> type(std::string_view line) {
        const auto command = parse_command(line, model_.symbols());
        if (!command) return {"error: " + command.error()};
        auto answer = model_.execute(*command);
        if (!answer) return {"error: " + answer.error()};
        for (const std::string& each : carry()) answer->push_back(each);
        return *answer;
    }
    std::vector<std::string> carry() {
        while (to_.size() > 0 || from_.size() > 0) {
            give();
            const auto back = from_.readable();
            EXPECT_EQ(session_.receive(back, exchange_->now).consumed_bytes, back.size());
            from_.consume(back.size());
        }
        exchange_->application().take_touched([](gateway::ConnectionNumber) {});
        std::vector<std::string> lines;
        for (const TermLine& line : model_.hear(entry_.take_news())) lines.push_back(line.text);
        return lines;
    }
    [[nodiscard]] const FixOrderEntry& entry() const { return entry_; }

  private:
    static session::fix::SessionSettings settings_of(BeginString version) {
        session::fix::SessionSettings settings;
        settings.name = {
            .begin_string = version, .sender_comp_id = "TERM", .target_comp_id = "DAMRAK"};
        settings.role = session::fix::Role::initiator;
        return settings;
    }
    void give() {
        const auto bytes = to_.readable();
        if (bytes.empty()) return;
        if (client_ == nullptr) {
            constexpr gateway::ConnectionNumber k_connection{1};
            const auto admitted = exchange_->admit(bytes, from_, k_connection);
            client_ = admitted.client;
            ASSERT_NE(client_, nullptr) << admitted.why;
            exchange_->application().sessions().connect(
                *client_, from_, {.connection = k_connection, .now = exchange_->now});
        }
        exchange_->application().set_time(exchange_->now);
        const auto done = client_->session.receive(bytes, exchange_->now);
        EXPECT_EQ(done.consumed_bytes, bytes.size());
        to_.consume(bytes.size());
    }

    FixExchange* exchange_;
    session::fix::SessionSettings settings_;
    session::fix::SessionTools tools_;
    session::fix::MemoryStore store_;
    FixOrderEntry entry_;
    FixOrderEntry::Session session_;
    TermModel model_;
    std::vector<std::byte> to_memory_ = std::vector<std::byte>(1U << 18U);
    std::vector<std::byte> from_memory_ = std::vector<std::byte>(1U << 18U);
    session::OutputBuffer to_{to_memory_};
    session::OutputBuffer from_{from_memory_};
    FixTestApplication::Client* client_ = nullptr;
};

class FixTerm : public ::testing::TestWithParam<BeginString> {
  protected:
    FixExchange exchange_;
    Terminal terminal_{exchange_, GetParam()};
    FixTrader other_{exchange_, "FIX.4.4", "OTHER"};
};

INSTANTIATE_TEST_SUITE_P(Versions, FixTerm,
                         ::testing::Values(BeginString::fix42, BeginString::fix44,
                                           BeginString::fixt11),
                         [](const auto& of) {
                             std::string name{fix_codec::text(of.param)};
                             std::erase(name, '.');
                             return name;
                         });

TEST_P(FixTerm, TradesAndReportsWhatBecomesOfItsOrders) {
    EXPECT_THAT(terminal_.connect(), ElementsAre(HasSubstr("logged in as TERM (FIX.")));
    EXPECT_TRUE(terminal_.entry().ready());
    EXPECT_THAT(terminal_.type("sell 100 AAPL 101.25"),
                ElementsAre("order 1 accepted: sell 100 AAPL 101.25"));
    other_.send("35=D|11=a|55=AAPL|54=1|38=40|40=2|44=101.3");
    EXPECT_THAT(terminal_.carry(), ElementsAre("order 1 sold 40 AAPL at 101.25, 60 open"));
    EXPECT_THAT(terminal_.type("modify 1 30 101.20"),
                ElementsAre("order 1 is now: sell 30 AAPL 101.20"));
    EXPECT_THAT(terminal_.type("status 1"),
                ElementsAre("order 1 stands: sell 30 AAPL 101.20, 40 filled"));
    EXPECT_THAT(terminal_.type("cancel 1"), ElementsAre("order 1 cancelled: sell 30 AAPL 101.20"));
    EXPECT_THAT(terminal_.type("buy 5 TEST market"),
                ElementsAre("order 2 accepted: buy 5 TEST market",
                            "order 2 ended: nothing left to trade with, 5 not filled"));
    EXPECT_TRUE(terminal_.entry().orders().empty());
    EXPECT_TRUE(terminal_.entry().settled());
}

TEST_P(FixTerm, ReportsWhyTheExchangeRefuses) {
    static_cast<void>(terminal_.connect());
    EXPECT_THAT(terminal_.type("buy 1 MSFT 1.00"),
                ElementsAre("error: no instrument 'MSFT': there are AAPL, TEST"));
    EXPECT_THAT(terminal_.type("buy 1 TEST 999999.00"),
                ElementsAre("order 1 refused: buy 1 TEST 999999.00: the price is above the "
                            "maximum of the instrument"));
    static_cast<void>(terminal_.type("buy 10 TEST 1.00"));
    other_.send("35=D|11=a|55=TEST|54=2|38=10|40=2|44=1");
    // Its fill is on the way when it is cancelled.
    EXPECT_THAT(terminal_.type("cancel 2"),
                ElementsAre("order 2 bought 10 TEST at 1.00, done",
                            "order 2 not cancelled: the order is not open any more"));
    EXPECT_THAT(terminal_.type("status 2"), ElementsAre("error: no open order 2"));
    EXPECT_TRUE(terminal_.entry().settled());
}

TEST_P(FixTerm, PositionsFollowTradesThatTheOperatorChanges) {
    static_cast<void>(terminal_.connect());
    static_cast<void>(terminal_.type("buy 10 TEST 1.00"));
    other_.send("35=D|11=a|55=TEST|54=2|38=10|40=2|44=1");
    EXPECT_THAT(terminal_.carry(), ElementsAre("order 1 bought 10 TEST at 1.00, done"));
    static_cast<void>(other_.told());
    // ExecID of the sell: its command and index, behind that of the buy.
    const std::string report = other_.last();
    const std::string execution = report.substr(report.find("|17=") + 4);
    const std::uint64_t sequence = std::stoull(execution);
    const auto index =
        static_cast<std::uint32_t>(std::stoul(execution.substr(execution.find('-') + 1)));
    const TradeNote note{.sequence = {sequence}, .buy_index = index - 1, .sell_index = index};
    constexpr InstrumentId k_test{4};
    const auto& orders = exchange_.application().orders();
    Command command{};
    command.kind = CommandKind::correct_trade;
    command.instrument = k_test;
    command.order_id = OrderId{allocated_id(k_test, 1)};
    command.new_order_id = OrderId{allocated_id(k_test, 2)};
    command.participant = orders.find(command.order_id)->participant;
    command.price = {10'000};
    command.quantity = {10};
    command.bust = {.trade = {allocated_id(k_test, 1)},
                    .seller = orders.find(command.new_order_id)->participant,
                    .new_price = {9'900},
                    .new_quantity = {8}};
    exchange_.submit(command, note.tag());
    EXPECT_THAT(terminal_.carry(),
                ElementsAre("the trade of order 1, 10 TEST at 1.00, is now 8 at 0.99"));
    EXPECT_THAT(terminal_.type("positions"),
                ElementsAre("TEST +8 at 0.99 (bought 8, sold 0): realised +0.00, open +0.08"));
    command.kind = CommandKind::bust_trade;
    command.price = {9'900};
    command.quantity = {8};
    command.bust.new_price = {};
    command.bust.new_quantity = {};
    exchange_.submit(command, note.tag());
    EXPECT_THAT(terminal_.carry(), ElementsAre("the trade of order 1, 8 TEST at 0.99, was busted"));
    EXPECT_THAT(terminal_.type("positions"),
                ElementsAre(HasSubstr("TEST +0 at 0.00 (bought 0, sold 0): realised +0.00")));
}

TEST_P(FixTerm, LinksAndQuotesGoByTheBinaryGateway) {
    static_cast<void>(terminal_.connect());
    static_cast<void>(terminal_.type("buy 10 TEST 1.00"));
    for (const char* const line :
         {"sell 10 TEST 1.20 cancels 1", "quote TEST 5 1.00 5 1.10", "protect TEST 5 1s"})
        EXPECT_THAT(terminal_.type(line),
                    ElementsAre(HasSubstr("version 2 of the binary gateway")));
}

TEST_P(FixTerm, EntersEveryKindOfOrder) {
    static_cast<void>(terminal_.connect());
    other_.send("35=D|11=a|55=TEST|54=2|38=10|40=2|44=1.05|59=1");
    EXPECT_THAT(terminal_.type("buy 20 TEST 1.05 ioc"),
                ElementsAre("order 1 accepted: buy 20 TEST 1.05 ioc",
                            "order 1 bought 10 TEST at 1.05, 10 open",
                            "order 1 ended: nothing left to trade with, 10 not filled"));
    EXPECT_THAT(terminal_.type("buy 20 TEST 1.05 fok").size(), 2U);
    other_.send("35=D|11=b|55=TEST|54=2|38=10|40=2|44=1.05|59=1");
    EXPECT_THAT(terminal_.type("buy 5 TEST 1.05 post"),
                ElementsAre(HasSubstr("order 3 refused: buy 5 TEST 1.05 post")));
    EXPECT_THAT(terminal_.type("buy 5 TEST 0.90 day post"),
                ElementsAre("order 4 accepted: buy 5 TEST 0.90 day post"));
    EXPECT_THAT(terminal_.type("buy 50 TEST 0.80 show 10"),
                ElementsAre("order 5 accepted: buy 50 TEST 0.80 show 10"));
    EXPECT_THAT(terminal_.type("modify 5 40 0.81"),
                ElementsAre("order 5 is now: buy 40 TEST 0.81 show 10"));
    EXPECT_THAT(terminal_.type("sell 5 TEST stop 0.70"),
                ElementsAre("order 6 accepted: sell 5 TEST stop 0.70"));
    EXPECT_THAT(terminal_.type("modify 6 4 stop 0.71"),
                ElementsAre("order 6 is now: sell 4 TEST stop 0.71"));
    EXPECT_THAT(terminal_.type("modify 6 4 0.71"),
                ElementsAre("error: order 6 has no limit: modify 6 4 stop 0.71"));
    EXPECT_THAT(terminal_.type("sell 5 TEST stop 0.70 limit 0.60"),
                ElementsAre("order 7 accepted: sell 5 TEST stop 0.70 limit 0.60"));
    EXPECT_THAT(terminal_.type("modify 7 5 0.61"),
                ElementsAre("order 7 is now: sell 5 TEST stop 0.70 limit 0.61"));
    EXPECT_THAT(terminal_.type("buy 50 TEST 0.50 min 10 until 2199-01-01T00:00"),
                ElementsAre("order 8 accepted: buy 50 TEST 0.50 until 2199-01-01T00:00 min 10"));
    EXPECT_EQ(terminal_.type("cancel all").size(), 5U);
    EXPECT_TRUE(terminal_.entry().settled());
}

TEST_P(FixTerm, CancelsAMarketOrderThatWaitsInACall) {
    terminal_.connect();
    Command phase{};
    phase.kind = CommandKind::set_phase;
    phase.instrument = InstrumentId{4};  // TEST
    phase.phase.phase = Phase::call;
    exchange_.submit(phase);
    EXPECT_THAT(terminal_.type("buy 5 TEST market"),
                ElementsAre("order 1 accepted: buy 5 TEST market"));
    EXPECT_THAT(terminal_.type("orders"), ElementsAre(HasSubstr("buy 5 TEST market")));
    EXPECT_THAT(terminal_.type("cancel 1"), ElementsAre("order 1 cancelled: buy 5 TEST market"));
    EXPECT_THAT(terminal_.type("cancel 1"), ElementsAre("error: no open order 1"));
}

TEST_P(FixTerm, ReportsTheTradesOfOthersWithTheSideThatTook) {
    other_.send("35=D|11=a|55=TEST|54=2|38=10|40=2|44=1.05|59=1");
    static_cast<void>(terminal_.connect());
    exchange_.tell_market();
    static_cast<void>(terminal_.carry());
    EXPECT_THAT(terminal_.type("tape"), ElementsAre("no trades yet"));
    static_cast<void>(terminal_.type("buy 4 TEST 1.05"));
    exchange_.tell_market();
    static_cast<void>(terminal_.carry());
    EXPECT_THAT(terminal_.type("tape 5"),
                ElementsAre(::testing::EndsWith("TEST       1.05       4 buy")));
}

TEST_P(FixTerm, ShowsTheBooksThatTheGatewayReports) {
    other_.send("35=D|11=a|55=TEST|54=2|38=10|40=2|44=1.05");
    static_cast<void>(terminal_.connect());
    exchange_.tell_market();
    EXPECT_THAT(terminal_.carry(), IsEmpty());
    EXPECT_THAT(terminal_.type("book TEST"),
                ElementsAre(HasSubstr("bid"), HasSubstr("|       1.05         10")));
    other_.send("35=D|11=b|55=TEST|54=1|38=5|40=2|44=1");
    exchange_.tell_market();
    static_cast<void>(terminal_.carry());
    EXPECT_THAT(terminal_.type("book TEST"),
                ElementsAre(HasSubstr("bid"), HasSubstr("5       1.00 |       1.05         10")));
    EXPECT_THAT(terminal_.type("book MSFT"),
                ElementsAre("error: no instrument 'MSFT': there are AAPL, TEST"));
    terminal_.disconnect();
    EXPECT_THAT(terminal_.type("book TEST"),
                ElementsAre("error: no book of TEST: waiting for the next snapshot"));
}

TEST_P(FixTerm, ALostConnectionBringsWhatWasMissed) {
    static_cast<void>(terminal_.connect());
    static_cast<void>(terminal_.type("buy 10 TEST 1.00"));
    static_cast<void>(terminal_.type("buy 20 TEST 0.90"));
    terminal_.disconnect();
    EXPECT_EQ(terminal_.entry().orders().at(1).state, OwnOrder::State::unsure);
    other_.send("35=D|11=a|55=TEST|54=2|38=10|40=2|44=1");
    EXPECT_THAT(terminal_.connect(),
                ElementsAre(HasSubstr("logged in as"), "order 1 bought 10 TEST at 1.00, done"));
    EXPECT_THAT(terminal_.type("cancel 2"), ElementsAre("order 2 cancelled: buy 20 TEST 0.90"));
}

TEST_P(FixTerm, OrdersOfAnEarlierRunAreItsOwnAgain) {
    static_cast<void>(terminal_.connect());
    static_cast<void>(terminal_.type("buy 10 TEST 1.00"));
    static_cast<void>(terminal_.type("sell 20 AAPL 90.00"));
    terminal_.disconnect();
    other_.send("35=D|11=a|55=TEST|54=2|38=4|40=2|44=1");
    Terminal later{exchange_, GetParam()};
    const auto told = later.connect();
    EXPECT_TRUE(later.entry().ready());
    if (GetParam() == BeginString::fix42) {
        EXPECT_THAT(told, ElementsAre(HasSubstr("logged in"))) << "it cannot ask";
        return;
    }
    EXPECT_THAT(told, ::testing::UnorderedElementsAre(
                          HasSubstr("logged in"), HasSubstr("stands: buy 6 TEST 1.00, 4 filled"),
                          HasSubstr("stands: sell 20 AAPL 90.00, 0 filled")));
    EXPECT_EQ(later.type("cancel all").size(), 2U);
    EXPECT_THAT(later.entry().orders(), IsEmpty());
}

}  // namespace
}  // namespace damrak::client::fix_order_entry_test
