// The trading day of an exchange over its restarts, in both wirings: day orders end with it, once,
// even where nothing ran at its end. The hours are chosen so that they are over, or not.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/base/time_units.hpp>
#include <damrak/exchange/exchange.hpp>
#include <damrak/exchange/system_time.hpp>
#include <damrak/gateway/feeds/feed_settings.hpp>

#include "support/commands.hpp"
#include "support/scratch_folder.hpp"
#include "support/small_exchange.hpp"

namespace damrak::exchange::trading_day_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// What becomes of days and of orders.
class Diary final : public feed::MarketObserver {
  public:
    void on_command(const Command& command, const CommandStamp& /*stamp*/) override {
        const TradingDay& day = command.trading_day;
        if (command.kind == CommandKind::day_opened)
            lines.push_back(fmt::format("opened {}", day.feed_session));
        if (command.kind == CommandKind::day_closed)
            lines.push_back(fmt::format("closed {}", day.feed_session));
    }
    void on_event(const Event& event, const CommandStamp& /*stamp*/) override {
        if (event.kind == EventKind::expired)
            lines.push_back(fmt::format("expired {}", event.order_id.value & 0xFF));
        if (event.kind == EventKind::day_ended)
            lines.push_back(fmt::format("ended with {}", event.quantity.value));
    }
    std::vector<std::string> lines;
};

class ExchangeDay : public ::testing::TestWithParam<Wiring> {
  protected:
    enum class Hours : std::uint8_t { open, over };
    enum class Ending : std::uint8_t { stop, kill };

    [[nodiscard]] Settings settings(Hours hours) const {
        Settings settings = testing::small_exchange(folder_.path(), GetParam());
        // Orders of a participant without a name end with the day.
        settings.participants.emplace_back().id = {1};
        if (hours == Hours::over) {
            // The other half of the day.
            const std::int64_t hour = system_time().value % k_day_ns / k_hour_ns;
            settings.day.begin_ns = (hour + 11) % 24 * k_hour_ns;
            settings.day.end_ns = settings.day.begin_ns + k_hour_ns;
        }
        return settings;
    }
    /// What the diary has of one run, in which these orders are entered.
    std::vector<std::string> run(const Settings& settings, Ending ending,
                                 const std::vector<TimeInForce>& orders = {}) {
        Diary diary;
        auto started = Exchange::start(settings, {&diary});
        EXPECT_TRUE(started) << started.error();
        if (!started) return {};
        for (const TimeInForce time_in_force : orders) {
            Command order = order_command(4, 1, Side::buy, 100'000, 10);
            order.time_in_force = time_in_force;
            EXPECT_TRUE((*started)->trading().submit(order));
        }
        (*started)->step();
        if (ending == Ending::stop) {
            (*started)->stop();
        } else {
            started->reset();  // the follower tells nothing any more
        }
        return diary.lines;
    }

    testing::ScratchFolder folder_;
};

TEST_P(ExchangeDay, BeginsWithTheFirstStartAndGoesOnWithTheNext) {
    EXPECT_THAT(run(settings(Hours::open), Ending::stop), ElementsAre("opened 0"));
    EXPECT_THAT(run(settings(Hours::open), Ending::stop), IsEmpty());
}

TEST_P(ExchangeDay, EndsAtTheNextStartWhereItsEndWasMissed) {
    for (const Ending ending : {Ending::stop, Ending::kill}) {
        run(settings(Hours::open), ending, {TimeInForce::day, TimeInForce::gtc, TimeInForce::day});
        EXPECT_THAT(run(settings(Hours::over), Ending::stop),
                    ElementsAre(HasSubstr("expired"), HasSubstr("expired"), "ended with 2",
                                HasSubstr("closed")));
        EXPECT_THAT(run(settings(Hours::over), Ending::stop), IsEmpty()) << "once";
    }
}

TEST_P(ExchangeDay, IsEndedOnceAlsoIfTheExchangeIsKilledThen) {
    run(settings(Hours::open), Ending::stop, {TimeInForce::day});
    run(settings(Hours::over), Ending::kill);
    EXPECT_THAT(run(settings(Hours::over), Ending::stop), IsEmpty());
}

TEST_P(ExchangeDay, HasAnotherFeedSessionWhereItIsOpenedAgainOrSomebodyAsksForOne) {
    run(settings(Hours::open), Ending::stop);
    run(settings(Hours::over), Ending::stop);
    EXPECT_THAT(run(settings(Hours::open), Ending::stop), ElementsAre("opened 1"));
    Settings renewed = settings(Hours::open);
    renewed.of<gateway::feeds::FeedSettings>().new_session = true;
    EXPECT_THAT(run(renewed, Ending::stop), ElementsAre("opened 2"));
    EXPECT_THAT(run(settings(Hours::open), Ending::kill), IsEmpty());
    EXPECT_THAT(run(settings(Hours::open), Ending::stop), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Wirings, ExchangeDay,
                         ::testing::Values(Wiring::one_thread, Wiring::pipelined),
                         testing::wiring_name);

}  // namespace
}  // namespace damrak::exchange::trading_day_test
