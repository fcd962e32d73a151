// Exchanges that a program embeds, in both wirings.
#include <damrak/exchange/exchange.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/exchange/changes.hpp>
#include <damrak/exchange/settings_table.hpp>
#include <damrak/gateway/fix/settings.hpp>
#include <damrak/gateway/setting.hpp>

#include "support/scratch_folder.hpp"

namespace damrak::exchange::exchange_test {
namespace {

using gateway::SettingKind;
using gateway::SettingValue;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Key;

class ExchangeInABox : public ::testing::TestWithParam<Wiring> {
  protected:
    [[nodiscard]] Settings settings() const {
        Settings settings;
        settings.ports = {{"binary", 0}};
        settings.data = folder_.path() / "data";
        settings.wiring = GetParam();
        settings.waiting = Waiting::block;
        settings.shards = GetParam() == Wiring::pipelined ? 2 : 1;
        if (GetParam() == Wiring::one_thread) settings.waiting = Settings{}.waiting;
        settings.capacity = EngineConfig{};
        return settings;
    }
    static std::unique_ptr<Exchange> started(const Settings& settings) {
        auto exchange = Exchange::start(settings);
        EXPECT_TRUE(exchange) << exchange.error();
        return exchange ? *std::move(exchange) : nullptr;
    }

    testing::ScratchFolder folder_;
};

TEST_P(ExchangeInABox, OpensTheGatewaysThatWereAskedForAndNoOthers) {
    Settings wanted = settings();
    wanted.ports["fix"] = 0;
    const auto exchange = started(wanted);
    ASSERT_TRUE(exchange);
    EXPECT_THAT(exchange->ports(), ElementsAre(Key("binary"), Key("fix")));
    EXPECT_NE(exchange->ports().at("binary"), 0);
    EXPECT_EQ(exchange->trading().market().instruments.size(), 4U);
    exchange->stop();
    EXPECT_FALSE(exchange->failed());
}

TEST_P(ExchangeInABox, RunsOnAThreadOfItsUserAndIsRecovered) {
    std::uint64_t hash = 0;
    {
        const auto exchange = started(settings());
        ASSERT_TRUE(exchange);
        std::jthread trading{[&](const std::stop_token& stop) { exchange->run(stop); }};
        trading.request_stop();
        trading.join();
        exchange->stop();
        hash = exchange->trading().state_hash();
    }
    const auto again = started(settings());
    ASSERT_TRUE(again);
    EXPECT_GT(again->recovered().journal.last_sequence, 0U);
    EXPECT_EQ(again->trading().market().instruments.size(), 4U);
    again->stop();
    EXPECT_EQ(again->trading().state_hash(), hash);
}

TEST_P(ExchangeInABox, IsRecoveredWhereItWasDroppedWithoutAStop) {
    {
        ASSERT_TRUE(started(settings()));
    }
    const auto again = started(settings());
    ASSERT_TRUE(again);
    EXPECT_EQ(again->trading().market().instruments.size(), 4U);
    again->stop();
}

TEST_P(ExchangeInABox, TakesNewInstrumentsAndRefusesWhatCannotChange) {
    const auto exchange = started(settings());
    ASSERT_TRUE(exchange);
    Settings wanted = settings();
    wanted.instruments = usual_instruments();
    wanted.instruments->push_back({});
    wanted.instruments->back().definition.id = InstrumentId{5};
    wanted.instruments->back().definition.symbol = Symbol::of("NEW");
    const auto done = exchange->reload(wanted);
    ASSERT_TRUE(done) << done.error();
    EXPECT_EQ(exchange->trading().market().instruments.size(), 5U);

    wanted.session_timeout_s = 7;
    wanted.of<gateway::fix::FixSettings>().comp_id = "OTHER";
    const auto refused = exchange->reload(wanted);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error(), HasSubstr("session.timeout_s, fix.comp_id cannot change"));
    exchange->stop();
}

// Commands of the exchange itself are submitted together.
TEST_P(ExchangeInABox, TakesMoreInstrumentsAtOnceThanItsRingsHold) {
    constexpr std::uint32_t k_instruments = 100;
    Settings wanted = settings();
    wanted.rings = {.inbound = 8, .commands = 4, .notices = 8, .events = 1};
    wanted.instruments.emplace();
    for (std::uint32_t id = 1; id <= k_instruments; ++id) {
        wanted.instruments->push_back({});
        wanted.instruments->back().definition.id = InstrumentId{id};
        wanted.instruments->back().definition.symbol = Symbol::of("S" + std::to_string(id));
    }
    const auto exchange = started(wanted);
    ASSERT_TRUE(exchange);
    EXPECT_EQ(exchange->trading().market().instruments.size(), k_instruments);
    exchange->stop();
}

INSTANTIATE_TEST_SUITE_P(Wirings, ExchangeInABox,
                         ::testing::Values(Wiring::one_thread, Wiring::pipelined),
                         [](const auto& given) {
                             return given.param == Wiring::pipelined ? "Pipelined" : "Inline";
                         });

TEST(ExchangeStart, SaysWhatIsWrongAndOpensNothing) {
    const testing::ScratchFolder folder;
    Settings settings;
    settings.data = folder.path() / "data";
    settings.ports = {{"l2", 0}};
    const auto none = Exchange::start(settings);
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error(), HasSubstr("gateways: all gateways are closed to orders"));
    EXPECT_FALSE(std::filesystem::exists(settings.data));
}

TEST(ExchangeStart, SendsItsNoticesOnlyToItsListener) {
    Notices{nullptr}.say("nobody hears {}", 1);
    std::string heard;
    Notices{[&](std::string_view line) { heard = line; }}.say("{} of {}", 1, 2);
    EXPECT_EQ(heard, "1 of 2");
}

// The check of a reload compares what the rows get: each has to see what it sets.
TEST(SettingRows, GetWhatTheySetAndSayWhatAReloadCannotChange) {
    for (const Setting<Settings>& row : setting_rows()) {
        SCOPED_TRACE(row.name);
        EXPECT_FALSE(row.help.empty());
        const Settings usual;
        const auto before = row.get(usual);
        ASSERT_TRUE(before);
        SettingValue value = std::int64_t{row.most};
        if (row.kind == SettingKind::truth) value = !std::get<bool>(*before);
        if (row.kind == SettingKind::text)
            value = std::string{row.name == "udp.reply_to"     ? "7"
                                : row.name == "day.zone"       ? "Europe/Paris"
                                : row.name == "run.venue"      ? "xetra-like"
                                : row.name == "feed.faults"    ? "loss=0.1"
                                : row.name.contains("unicast") ? "127.0.0.1:26403"
                                : row.name.starts_with("day")  ? "10:00:00"
                                                               : "0"};
        if (row.kind == SettingKind::word)
            value = std::string{row.words.front() == std::get<std::string>(*before)
                                    ? row.words.back()
                                    : row.words.front()};
        if (value == *before) value = std::int64_t{row.least};
        if (row.most < 0) continue;  // a gateway that this release does not have
        Settings changed;
        EXPECT_EQ(row.set(changed, value), "");
        EXPECT_EQ(row.get(changed), value);
        const auto differing = fixed_differences(usual, changed);
        EXPECT_EQ(differing,
                  row.reloadable ? std::vector<std::string>{} : std::vector<std::string>{row.name});
    }
}

}  // namespace
}  // namespace damrak::exchange::exchange_test
