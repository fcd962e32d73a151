// An exchange by the timetable of a venue, in both wirings: its phases begin once, even where
// nothing ran at their begin or the process was killed in a call. The sessions are around now.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/base/time_units.hpp>
#include <damrak/domain/phase_names.hpp>
#include <damrak/exchange/check.hpp>
#include <damrak/exchange/exchange.hpp>
#include <damrak/exchange/system_time.hpp>

#include "support/commands.hpp"
#include "support/eventually.hpp"
#include "support/scratch_folder.hpp"
#include "support/small_exchange.hpp"

namespace damrak::exchange::venue_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;

/// Phases of the instruments, and their trades.
class Diary final : public feed::MarketObserver {
  public:
    void on_command(const Command& command, const CommandStamp& /*stamp*/) override {
        if (command.instrument != InstrumentId{1}) return;
        if (command.kind == CommandKind::set_phase)
            lines.push_back(fmt::format("set {}", name(command.phase.phase)));
        if (command.kind == CommandKind::uncross)
            lines.push_back(fmt::format("uncross {}", name(command.phase.phase)));
        if (command.kind == CommandKind::set_price_band)
            lines.push_back(fmt::format("band {} {}", command.price_band.lower.value,
                                        command.price_band.upper.value));
    }
    void on_event(const Event& event, const CommandStamp& /*stamp*/) override {
        if (event.kind == EventKind::executed && has_flag(event, EventFlags::k_aggressor))
            lines.push_back(fmt::format("traded {}", event.quantity.value));
        const bool is_phase =
            event.command == CommandKind::set_phase || event.command == CommandKind::uncross;
        if (event.kind == EventKind::rejected && is_phase)
            lines.push_back(fmt::format("rejected {}", name(event.reason)));
    }
    std::vector<std::string> lines;
};

class ExchangeVenue : public ::testing::TestWithParam<Wiring> {
  protected:
    /// Begin in seconds from now, and the phase with its further keys.
    using Sessions = std::vector<std::pair<std::int64_t, std::string>>;
    enum class Ending : std::uint8_t { stop, kill };

    void SetUp() override { began_s_ = system_time().value / k_second_ns; }

    /// The settings of a venue with these sessions. Without any, those of no venue.
    Settings settings(const Sessions& sessions) {
        Settings made = testing::small_exchange(folder_.path() / "data", GetParam());
        if (sessions.empty()) return made;
        constexpr std::int64_t k_day_s = k_day_ns / k_second_ns;
        std::vector<std::pair<std::int64_t, std::string>> by_time;
        for (const auto& [after_s, phase] : sessions)
            by_time.emplace_back((began_s_ + after_s) % k_day_s, phase);
        std::ranges::sort(by_time);
        made.venue_name = (folder_.path() / "venue.toml").string();
        std::ofstream file{made.venue_name};
        file << "name = \"now\"\n" << rules_;
        for (const auto& [at, phase] : by_time)
            file << fmt::format("[[session]]\nat = \"{:02}:{:02}:{:02}\"\nphase = {}\n", at / 3'600,
                                at / 60 % 60, at % 60, phase);
        return made;
    }
    /// What the diary has of one run, which enters a buy and a sell that cross.
    std::vector<std::string> run(const Settings& settings, Ending ending, bool enters = false) {
        Diary diary;
        auto started = Exchange::start(settings, {&diary});
        EXPECT_TRUE(started) << started.error();
        if (!started) return {};
        Exchange& exchange = **started;
        if (enters) {
            EXPECT_TRUE(exchange.trading().submit(order_command(1, 1, Side::buy, 100'100, 10)));
            EXPECT_TRUE(exchange.trading().submit(order_command(1, 2, Side::sell, 99'900, 10)));
        }
        exchange.step();
        if (ending == Ending::stop) {
            exchange.stop();
        } else {
            started->reset();  // the follower tells nothing any more
        }
        return diary.lines;
    }

    /// What a new exchange tells whose sessions begin that soon; they begin later, in
    /// another exchange, where the machine was too slow for that.
    template <class Run>
    void expect_told(const std::string& pattern, Run&& run) {
        std::string told;
        for (std::int64_t soon_s = 2; soon_s <= 32; soon_s *= 2) {
            std::filesystem::remove_all(folder_.path() / "data");
            began_s_ = system_time().value / k_second_ns;
            told = fmt::format("{}", fmt::join(run(soon_s), ", "));
            if (::testing::Matches(MatchesRegex(pattern))(told)) return;
        }
        EXPECT_THAT(told, MatchesRegex(pattern));
    }

    /// Makes turns until it holds of the instrument.
    template <class Holds>
    static bool step_until(Exchange& exchange, Holds&& holds) {
        const auto turn = [&] {
            exchange.step();
            exchange.trading().settle();
        };
        return testing::turns_until(
            turn, [&] { return holds(*exchange.trading().market().find(InstrumentId{1})); });
    }
    static void step_for(Exchange& exchange, std::int64_t ns) {
        const Timestamp end = system_time() + Timestamp{ns};
        while (system_time() < end) exchange.step();
    }

    const std::string call_ = "\"call\"\nauction = \"xetra\"";
    const std::string continuous_ = "\"continuous\"";
    std::string rules_;
    testing::ScratchFolder folder_;
    std::int64_t began_s_ = 0;
};

TEST_P(ExchangeVenue, ACallGoesOnAfterAKillAndEndsOnce) {
    const Settings in_call = settings({{-60, call_}, {3'600, continuous_}});
    EXPECT_THAT(run(in_call, Ending::stop), ElementsAre("set call"));
    run(in_call, Ending::kill, true);
    EXPECT_THAT(run(in_call, Ending::stop), IsEmpty()) << "it is in its call";
    const Settings after_it = settings({{-60, call_}, {-30, continuous_}});
    EXPECT_THAT(run(after_it, Ending::stop), ElementsAre("uncross continuous", "traded 10"));
    EXPECT_THAT(run(after_it, Ending::stop), IsEmpty()) << "once";
}

TEST_P(ExchangeVenue, SessionsBeginAtTheirTimes) {
    expect_told("set call, uncross continuous, set closed", [&](std::int64_t soon_s) {
        Diary diary;
        auto started = Exchange::start(
            settings({{-60, call_}, {soon_s, continuous_}, {2 * soon_s, "\"closed\""}}), {&diary});
        EXPECT_TRUE(step_until(
            **started, [](const InstrumentState& in) { return in.phase == Phase::closed; }));
        (*started)->stop();
        return diary.lines;
    });
}

TEST_P(ExchangeVenue, WithoutItsVenueAMarketReturnsToContinuousTrading) {
    run(settings({{-60, call_}, {3'600, continuous_}}), Ending::stop, true);
    EXPECT_THAT(run(settings({}), Ending::stop),
                ElementsAre("set call", "uncross continuous", "traded 10"));
    EXPECT_THAT(run(settings({}), Ending::stop), IsEmpty());
}

TEST_P(ExchangeVenue, AReloadChangesTheVenue) {
    Diary diary;
    auto started = Exchange::start(settings({{-60, call_}, {3'600, continuous_}}), {&diary});
    ASSERT_TRUE(started) << started.error();
    Settings other = settings({{-60, continuous_}});
    ASSERT_FALSE(complete_settings(other));
    const auto reloaded = (*started)->reload(other);
    EXPECT_TRUE(reloaded) << reloaded.error();
    (*started)->stop();
    EXPECT_THAT(diary.lines, ElementsAre("set call", "uncross continuous"));
}

TEST_P(ExchangeVenue, TheSupervisorSetsBandsAndARestartKeepsThemAndAPause) {
    rules_ = "[rules]\nluld = { tier = 1, previous_close = 100 }\n";
    const Settings in_hours = settings({{-120, call_ + "\ncall = \"opening\""},
                                        {-60, continuous_},
                                        {3'600, call_ + "\ncall = \"closing\""},
                                        {3'700, "\"closed\""}});
    {
        auto started = Exchange::start(in_hours);
        ASSERT_TRUE(started) << started.error();
        EXPECT_TRUE(step_until(**started, [](const InstrumentState& in) {
            return in.rules.price_band ==
                   PriceBandDetails{Price{950'000}, Price{1'050'000}, Price{1'000'000}};
        }));
    }
    {
        Diary diary;
        auto started = Exchange::start(in_hours, {&diary});
        ASSERT_TRUE(started) << started.error();
        step_for(**started, k_second_ns / 5);
        Command pause = instrument_command(1);
        pause.kind = CommandKind::set_phase;
        pause.phase = {.phase = Phase::call, .call = CallKind::reopening};
        EXPECT_TRUE((*started)->trading().submit(pause));
        pause = instrument_command(1);
        pause.kind = CommandKind::set_price_band;
        pause.price_band = {Price{902'500}, Price{1'050'000}, Price{950'000}};
        pause.flags = CommandFlags::k_auction_collar;
        EXPECT_TRUE((*started)->trading().submit(pause));
        (*started)->stop();
        EXPECT_THAT(diary.lines, ElementsAre("set call", "band 902500 1050000"))
            << "nothing before the pause";
    }
    Diary diary;
    auto started = Exchange::start(in_hours, {&diary});
    ASSERT_TRUE(started) << started.error();
    step_for(**started, k_second_ns / 5);
    (*started)->stop();
    EXPECT_THAT(diary.lines, IsEmpty()) << "the pause goes on";
}

TEST_P(ExchangeVenue, ACallIsExtended) {
    rules_ = "[rules]\nextensions = { market_orders = 1, market_order_time = \"1s\" }\n";
    // Refused more than once if the answer took longer than a second.
    expect_told(
        "set call(, uncross continuous, rejected market_orders_left)+, set call, "
        "uncross continuous",
        [&](std::int64_t soon_s) {
            Diary diary;
            auto started =
                Exchange::start(settings({{-60, call_}, {soon_s, continuous_}}), {&diary});
            Command order = order_command(1, 1, Side::buy, 0, 10);
            order.order_type = OrderType::market;
            EXPECT_TRUE((*started)->trading().submit(order));
            EXPECT_TRUE(step_until(**started, [](const InstrumentState& in) {
                return in.phase == Phase::continuous;
            }));
            (*started)->stop();
            return diary.lines;
        });
}

TEST_P(ExchangeVenue, ABadVenueIsRefusedAtTheStart) {
    Settings bad = settings({{-60, call_}});
    bad.instruments = usual_instruments();
    bad.instruments->front().phase = Phase::call;
    EXPECT_THAT(Exchange::start(bad).error(),
                HasSubstr("run.venue: instrument 1 has a phase or auction of its own"));
    bad.venue_name = "xetra-lik";
    EXPECT_THAT(Exchange::start(bad).error(), HasSubstr("did you mean xetra-like?"));
    Settings large = settings({{-60, call_}});
    large.instruments = usual_instruments();
    large.instruments->front().definition.unpublished = true;
    large.instruments->front().definition.maximum_quantity = Quantity{std::int64_t{1} << 33U};
    EXPECT_THAT(Exchange::start(large).error(), HasSubstr("its maximum_quantity must be at most"));
}

INSTANTIATE_TEST_SUITE_P(Wirings, ExchangeVenue,
                         ::testing::Values(Wiring::one_thread, Wiring::pipelined),
                         testing::wiring_name);

}  // namespace
}  // namespace damrak::exchange::venue_test
