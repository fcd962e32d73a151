// The orders of a recorded day by the rules of a venue: docs/reference/replay.md, one test per
// rule.
#include <damrak/replay/venue_day.hpp>

#include <memory>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <damrak/venue/venue_file.hpp>

#include "support/small_day.hpp"

namespace damrak::replay::venue_day_test {
namespace {

using damrak::testing::SmallDay;

// A venue from midnight on, with these lines after its name.
std::unique_ptr<VenueDay> day_of(std::string_view sessions_and_rules) {
    const std::string text = "name = \"v\"\n" + std::string{sessions_and_rules};
    auto venue = std::make_shared<const venue::Venue>(venue::parse_venue(text, "v").value());
    return std::make_unique<VenueDay>(RematchCapacity{.instruments = 4, .orders = 4'096},
                                      StatisticsSettings{}, std::move(venue), 1);
}

const VenueInstrument& played(const SmallDay& messages, VenueDay& day, bool was_cut = false) {
    messages.replay(day);
    day.finish(was_cut);
    return day.figures().instruments().front();
}

constexpr std::string_view k_continuous = "[[session]]\nat = \"00:00\"\nphase = \"continuous\"\n";
constexpr std::string_view k_pro_rata =
    "[[session]]\nat = \"00:00\"\nphase = \"continuous\"\n"
    "[rules]\nallocation = { policy = \"cme-c\" }\n";
// A call until 09:31.
constexpr std::string_view k_call =
    "[[session]]\nat = \"00:00\"\nphase = \"call\"\nauction = \"xetra\"\n"
    "[[session]]\nat = \"09:31\"\nphase = \"continuous\"\n";

SmallDay two_sellers_and_a_sweep() {
    return SmallDay{}
        .add(1, 1, Side::sell, 1000, 100)
        .add(2, 2, Side::sell, 1000, 300)
        .execute(9, 1, 100)
        .execute(9, 2, 100);
}

Quantity open(const VenueDay& day, std::uint64_t id) {
    const BookStore& store = day.engine().store();
    const OrderIndex index = store.find(InstrumentId{1}, OrderId{id});
    return index == 0 ? Quantity{} : store.order(index).quantity;
}

TEST(VenueDay, ByPriceAndTimeTheDayTradesAsItWasRecorded) {
    const auto day = day_of(k_continuous);
    const VenueInstrument& of = played(two_sellers_and_a_sweep(), *day);
    EXPECT_EQ(of.trades(), 2U);
    EXPECT_EQ(of.volume(), 200U);
    EXPECT_EQ(day->books().observer().instruments()[0].traded.volume(), 200U);
    EXPECT_EQ(of.resting.orders, 2U);
    EXPECT_EQ(of.resting.filled_orders, 1U);
    EXPECT_EQ(of.incoming.orders, 1U);
    EXPECT_EQ(of.incoming.filled_orders, 1U);
    EXPECT_EQ(open(*day, 1), Quantity{0});
    EXPECT_EQ(open(*day, 2), Quantity{200});
    EXPECT_EQ(*of.average_price(), 100'000);
}

TEST(VenueDay, TheVenueSharesAnIncomingOrderByItsOwnRule) {
    const auto day = day_of(k_pro_rata);
    const VenueInstrument& of = played(two_sellers_and_a_sweep(), *day);
    EXPECT_EQ(of.volume(), 200U);
    EXPECT_EQ(open(*day, 1), Quantity{50});
    EXPECT_EQ(open(*day, 2), Quantity{150});
}

TEST(VenueDay, InACallIncomingOrdersWaitForItsAuctionAndThenEnd) {
    const auto day = day_of(k_call);
    const VenueInstrument& of = played(
        SmallDay{}.add(1, 1, Side::sell, 1000, 100).execute(2, 1, 60).add(3, 2, Side::buy, 990, 10),
        *day);
    EXPECT_EQ(of.auctions_held, 1U);
    EXPECT_EQ(of.auctions.trades, 1U);
    EXPECT_EQ(of.auctions.volume, 60U);
    EXPECT_EQ(of.continuous.trades, 0U);
    EXPECT_EQ(open(*day, 1), Quantity{40});
}

TEST(VenueDay, ADayThatWasCutEndsThere) {
    const auto day = day_of(k_call);
    const VenueInstrument& of =
        played(SmallDay{}.add(1, 1, Side::sell, 1000, 100).execute(2, 1, 60), *day, true);
    EXPECT_EQ(of.trades(), 0U);
    EXPECT_EQ(open(*day, 1), Quantity{100});
}

TEST(VenueDay, AMessageAboutAnOrderThatTradedIsCounted) {
    const auto day = day_of(k_pro_rata);
    // The recording traded order 1 whole; here half of it, and order 2 whole.
    const VenueInstrument& of = played(SmallDay{}
                                           .add(1, 1, Side::sell, 1000, 100)
                                           .add(2, 2, Side::sell, 1000, 100)
                                           .execute(9, 1, 100)
                                           .execute(10, 2, 50)
                                           .execute(11, 2, 50)
                                           .add(12, 3, Side::sell, 1001, 10)
                                           .remove(13, 3)
                                           .remove(14, 3),
                                       *day);
    EXPECT_EQ(of.volume(), 200U);
    EXPECT_EQ(day->figures().gone(), 1U);
    EXPECT_EQ(open(*day, 3), Quantity{0});
}

TEST(VenueDay, AReplaceOfAnOrderThatTradedDoesNotEnterAnother) {
    const auto day = day_of(k_pro_rata);
    (void)played(SmallDay{}
                     .add(1, 1, Side::sell, 1000, 100)
                     .add(2, 2, Side::sell, 999, 100)
                     .execute(9, 1, 100)
                     .replace(10, 2, 3, 998, 100),
                 *day);
    EXPECT_EQ(day->figures().gone(), 1U);
    EXPECT_EQ(open(*day, 3), Quantity{0});
    EXPECT_EQ(open(*day, 1), Quantity{100});
}

TEST(VenueDay, OrdersOutsideItsHoursAreRejected) {
    const auto day = day_of("[[session]]\nat = \"00:00\"\nphase = \"closed\"\n");
    const VenueInstrument& of = played(two_sellers_and_a_sweep(), *day);
    EXPECT_EQ(of.rejected[static_cast<std::size_t>(Reason::not_in_phase)], 3U);
    EXPECT_EQ(of.trades(), 0U);
    EXPECT_EQ(of.open.total_ns(), 0);
}

TEST(VenueDay, SpreadsCountWhileOrdersCanTradeUntilTheRecordingEnds) {
    // The recording is of 09:30; the venue opens once more.
    const auto day = day_of(std::string{k_continuous} +
                            "[[session]]\nat = \"10:00\"\nphase = \"closed\"\n"
                            "[[session]]\nat = \"11:00\"\nphase = \"continuous\"\n"
                            "[[session]]\nat = \"12:00\"\nphase = \"closed\"\n");
    const VenueInstrument& of = played(SmallDay{}
                                           .add(0, 1, Side::sell, 1002, 100)
                                           .add(0, 2, Side::buy, 1000, 100)
                                           .add(4, 3, Side::buy, 1001, 100)
                                           .remove(8, 3),
                                       *day);
    ASSERT_TRUE(of.spread.summary());
    EXPECT_EQ(of.spread.summary()->time_ns, 8'000);
    EXPECT_EQ(of.spread.summary()->mean, 150);
    EXPECT_EQ(of.open.total_ns(), 8'000);
}

TEST(VenueDay, AnIncomingOrderIsEnteredAtItsTimeThoughTheNextMessageIsOfAnotherInstrument) {
    const auto day = day_of(k_call);
    const VenueInstrument& of = played(SmallDay{}
                                           .add(1, 1, Side::sell, 1000, 100)
                                           .execute(2, 1, 60)
                                           .add(120'000'000, 2, Side::buy, 990, 10, 2),
                                       *day);
    EXPECT_EQ(of.auctions.volume, 60U);
}

TEST(VenueDay, ARuleThatAnInstrumentCannotHaveIsTold) {
    const auto day =
        day_of(std::string{k_continuous} + "[rules]\nmarket_collar = { at_least = 0.000000001 }\n");
    SmallDay{}.add(1, 1, Side::sell, 1000, 100).replay(*day);
    EXPECT_NE(day->refusal().find("has more decimals"), std::string::npos) << day->refusal();
}

}  // namespace
}  // namespace damrak::replay::venue_day_test
