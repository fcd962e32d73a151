// A market in virtual time by the timetable of a venue.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/base/time_units.hpp>
#include <damrak/domain/phase_names.hpp>
#include <damrak/market/market.hpp>

namespace damrak::market {
namespace {

using ::testing::ElementsAre;

/// The commands that lead through the phases, with the seconds since the beginning.
class Phases final : public MarketWatcher {
  public:
    explicit Phases(Timestamp begin) : begin_(begin) {}
    void on_command(const Command& command, const CommandStamp& stamp) override {
        if (command.kind != CommandKind::set_phase && command.kind != CommandKind::uncross) return;
        lines.push_back(fmt::format("{} {} {}", (stamp.timestamp - begin_).value / k_second_ns,
                                    command.kind == CommandKind::uncross ? "uncross" : "set",
                                    name(command.phase.phase)));
    }
    std::vector<std::string> lines;

  private:
    Timestamp begin_;
};

venue::Venue venue_with(std::int64_t begin_ns) {
    const auto session = [&](std::int64_t after_s, Phase phase) {
        venue::Session made;
        made.at_ns = (begin_ns + after_s * k_second_ns) % k_day_ns;
        made.phase = phase;
        if (phase == Phase::call) made.auction = AuctionRule::xetra;
        return made;
    };
    venue::Venue venue;
    venue.sessions = {session(0, Phase::call), session(60, Phase::continuous),
                      session(120, Phase::call), session(180, Phase::closed)};
    venue.rules.limits.dynamic_corridor = {200, 0};
    return venue;
}

TEST(MarketVenue, LeadsThroughTheSessionsInVirtualTime) {
    MarketSetup setup;
    InstrumentDefinition definition;
    definition.id = InstrumentId{1};
    definition.symbol = Symbol::of("AAA");
    setup.instruments = {definition};
    setup.fundamentals.resize(1);
    const Timestamp begin = setup.begin;
    setup.venue = std::make_shared<const venue::Venue>(venue_with(begin.value % k_day_ns));
    Phases phases{begin};
    Market market{std::move(setup), {&phases}};
    EXPECT_TRUE(market.run_until(begin + Timestamp{600 * k_second_ns}));
    EXPECT_THAT(phases.lines, ElementsAre("0 set call", "60 uncross continuous", "120 set call",
                                          "180 uncross closed"));
    const InstrumentState& in = *market.engine().instrument(InstrumentId{1});
    EXPECT_EQ(in.rules.price_limits.dynamic_corridor.basis_points, 200);
}

}  // namespace
}  // namespace damrak::market
