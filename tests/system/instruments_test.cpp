// `damrak instruments` of the data directory of an exchange, while it runs and afterwards.
#include <filesystem>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <damrak/exchange/exchange.hpp>

#include "support/commands.hpp"
#include "support/run_program.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::instruments_test {
namespace {

using nlohmann::json;
using testing::lines_in;
using testing::run_program;

class InstrumentsProgram : public ::testing::Test {
  protected:
    void SetUp() override {
        exchange::Settings settings;
        settings.ports = {{"binary", 0}};
        settings.data = folder_ / "data";
        settings.capacity = EngineConfig{};
        auto started = exchange::Exchange::start(settings);
        ASSERT_TRUE(started) << started.error();
        exchange_ = *std::move(started);
    }
    void submit(const Command& command) { ASSERT_TRUE(exchange_->trading().submit(command)); }
    [[nodiscard]] std::string data() const { return folder_ / "data"; }

    testing::ScratchFolder folder_;
    std::unique_ptr<exchange::Exchange> exchange_;
};

TEST_F(InstrumentsProgram, ShowsTheMarketWhileTheExchangeRunsAndAfterwards) {
    submit(order_command(4, 1, Side::sell, 100'100, 30));
    submit(order_command(4, 2, Side::buy, 100'100, 10));
    submit(order_command(4, 2, Side::buy, 99'900, 7));
    Command halt{};
    halt.kind = CommandKind::set_trading_state;
    halt.instrument = InstrumentId{2};
    halt.trading_state = TradingState::halted;
    submit(halt);
    const auto running = run_program({"instruments", data(), "--json"});
    ASSERT_EQ(running.exit_code, 0) << running.err;
    const json object = json::parse(running.out);
    ASSERT_EQ(object["instruments"].size(), 4U);
    EXPECT_EQ(object["last_sequence"], exchange_->journal().writer().appended_position());
    EXPECT_EQ(object["instruments"][1]["state"], "halted");
    EXPECT_FALSE(object["instruments"][0].contains("bid"));
    const json& test = object["instruments"][3];
    EXPECT_EQ(test["symbol"], "TEST");
    EXPECT_EQ(test["trades"], 1);
    EXPECT_EQ(test["last_units"], 100'100);
    EXPECT_EQ(test["bid"], (json{{"price_units", 99'900}, {"quantity", 7}, {"orders", 1}}));
    EXPECT_EQ(test["ask"], (json{{"price_units", 100'100}, {"quantity", 20}, {"orders", 1}}));

    exchange_->stop();
    exchange_.reset();
    const auto stopped = run_program({"instruments", data()});
    ASSERT_EQ(stopped.exit_code, 0) << stopped.err;
    EXPECT_EQ(lines_in(stopped.out), 5U);
    EXPECT_THAT(stopped.out,
                ::testing::ContainsRegex("   4  TEST +trading +0.0100 +1 +1 +10.0100 +7 x 9.9900  "
                                         "10.0100 x 20"));
    EXPECT_THAT(stopped.out, ::testing::ContainsRegex("   2  MSFT +halted .* -  -"));
}

TEST_F(InstrumentsProgram, FailsInOneLineWhereThereIsNoJournal) {
    const auto none = run_program({"instruments", folder_ / "nowhere"});
    EXPECT_EQ(none.exit_code, 1);
    EXPECT_EQ(lines_in(none.err), 1U);
    EXPECT_EQ(run_program({"instruments"}).exit_code, 2);
}

}  // namespace
}  // namespace damrak::instruments_test
