// A row: who may have how much of a finite thing, and that every place comes back.
#include <damrak/budget/row.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace damrak::budget::row_test {
namespace {

using net::ClientAddress;

constexpr Row::Parts k_parts{.total = 100, .strangers = 48, .one_host = 3, .one_identity = 25};

Who stranger(std::uint64_t host = 0) { return {.identity = {}, .host = ClientAddress{host}}; }
Who identity(std::uint32_t id) { return {.identity = ParticipantId{id}, .host = {}}; }

std::vector<Row::Place> fill(Row& row, const Who& who) {
    std::vector<Row::Place> places;
    for (auto place = row.take(who); place; place = row.take(who))
        places.push_back(*std::move(place));
    return places;
}

TEST(BudgetParts, AreAQuarterForAnIdentityAndASixteenthOfTheirsForAHost) {
    const auto parts = Row::Parts::of(1'024, 512);
    EXPECT_EQ(parts.strangers, 512U);
    EXPECT_EQ(parts.one_host, 32U);
    EXPECT_EQ(parts.one_identity, 256U);
}

TEST(BudgetParts, AreAtLeastSixteen) {
    const auto parts = Row::Parts::of(20, 100);
    EXPECT_EQ(parts.strangers, 20U);
    EXPECT_EQ(parts.one_host, 16U);
    EXPECT_EQ(parts.one_identity, 16U);
}

TEST(BudgetRow, StrangersKeepNoIdentityOut) {
    Row row{k_parts};
    const auto strangers = fill(row, stranger());
    EXPECT_EQ(strangers.size(), 48U);
    EXPECT_EQ(row.take(stranger()).error(), Refusal::strangers);
    EXPECT_TRUE(row.take(identity(1)));
}

TEST(BudgetRow, AnIdentityKeepsNoOtherOut) {
    Row row{k_parts};
    const auto places = fill(row, identity(1));
    EXPECT_EQ(places.size(), 25U);
    EXPECT_EQ(row.take(identity(1)).error(), Refusal::identity);
    EXPECT_TRUE(row.take(identity(2)));
}

TEST(BudgetRow, AHostKeepsNoOtherStrangerOut) {
    Row row{k_parts};
    const auto places = fill(row, stranger(7));
    EXPECT_EQ(places.size(), 3U);
    EXPECT_EQ(row.take(stranger(7)).error(), Refusal::host);
    EXPECT_TRUE(row.take(stranger(8)));
}

TEST(BudgetRow, LoopbackMayHaveAllThatStrangersMayHave) {
    Row row{k_parts};
    EXPECT_EQ(
        fill(row, stranger(ClientAddress::of(std::array<std::uint8_t, 4>{127, 0, 0, 1}).value))
            .size(),
        48U);
}

TEST(BudgetRow, WhoWaitsTakesWhatIsLeftOver) {
    Row row{k_parts};
    std::vector<Row::Place> waiting;
    for (auto place = row.wait(); place; place = row.wait()) waiting.push_back(*std::move(place));
    EXPECT_EQ(waiting.size(), 100U);
    EXPECT_EQ(row.take(identity(1)).error(), Refusal::full);
    waiting.pop_back();
    EXPECT_TRUE(row.take(identity(1)));
}

TEST(BudgetRow, APlaceIsPassedToWhoeverItIs) {
    Row row{k_parts};
    Row::Place place = *row.wait();
    EXPECT_TRUE(place.is_waiting());
    ASSERT_TRUE(place.pass_to(stranger(7)));
    EXPECT_TRUE(place.is_stranger());
    EXPECT_EQ(row.figures().strangers, 1U);
    ASSERT_TRUE(place.pass_to(identity(1)));
    EXPECT_EQ(row.figures().strangers, 0U);
    EXPECT_EQ(row.figures().used, 1U);
}

TEST(BudgetRow, APlaceThatNobodyElseMayHaveStaysWhoseItIs) {
    Row row{k_parts};
    const auto others = fill(row, stranger(7));
    Row::Place waiting = *row.wait();
    EXPECT_EQ(waiting.pass_to(stranger(7)).error(), Refusal::host);
    EXPECT_TRUE(waiting.is_waiting());
    Row::Place own = *row.take(stranger(8));
    EXPECT_EQ(own.pass_to(stranger(7)).error(), Refusal::host);
    EXPECT_TRUE(own.is_stranger());
    own.give_back();
    EXPECT_EQ(row.figures().strangers, 3U);
}

TEST(BudgetRow, ThoseOfBeforeARestartStayAndCount) {
    Row row{{.total = 4, .strangers = 2, .one_host = 1, .one_identity = 1}};
    std::vector<Row::Place> before;
    for (int i = 0; i < 3; ++i) before.push_back(row.take_again(stranger()));
    EXPECT_EQ(row.figures().strangers, 3U);
    EXPECT_EQ(row.take(stranger()).error(), Refusal::strangers);
    EXPECT_TRUE(row.take(identity(1)));
}

TEST(BudgetRow, SmallerPartsTakeNothingAway) {
    Row row{k_parts};
    auto strangers = fill(row, stranger());
    row.set({.total = 100, .strangers = 10, .one_host = 3, .one_identity = 25});
    EXPECT_EQ(row.figures().strangers, 48U);
    EXPECT_FALSE(row.take(stranger()));
    strangers.resize(9);
    EXPECT_TRUE(row.take(stranger()));
}

// Any sequence of takes, waits, passes and returns, against counts made again each time.
TEST(BudgetRow, CountsLikeSomebodyWhoCountsEachTime) {
    struct Held {
        Row::Place place;
        Who who;
        bool waits = false;
    };
    std::mt19937_64 random{20'261'129};
    const auto below = [&](std::uint64_t bound) { return random() % bound; };
    Row row{{.total = 20, .strangers = 12, .one_host = 3, .one_identity = 5}};
    std::vector<Held> held;
    const auto may_have = [&](const Who& who, const Held* self) {
        std::uint32_t strangers = 0;
        std::uint32_t of_host = 0;
        std::uint32_t of_identity = 0;
        for (const Held& one : held) {
            if (&one == self || one.waits) continue;
            strangers += one.who.identity ? 0U : 1U;
            of_host += !one.who.identity && who.host && one.who.host == who.host ? 1U : 0U;
            of_identity += one.who.identity && one.who.identity == who.identity ? 1U : 0U;
        }
        return who.identity ? of_identity < 5 : strangers < 12 && of_host < 3;
    };
    for (int step = 0; step < 20'000; ++step) {
        const Who who =
            below(2) == 0 ? identity(1 + static_cast<std::uint32_t>(below(4))) : stranger(below(4));
        const bool has_room = held.size() < 20;
        switch (below(4)) {
            case 0: {
                auto place = row.take(who);
                ASSERT_EQ(place.has_value(), has_room && may_have(who, nullptr)) << step;
                if (place) held.push_back({*std::move(place), who});
                break;
            }
            case 1: {
                auto place = row.wait();
                ASSERT_EQ(place.has_value(), has_room) << step;
                if (place) held.push_back({*std::move(place), {}, true});
                break;
            }
            case 2: {
                if (held.empty()) break;
                Held& one = held[below(held.size())];
                const bool expected = may_have(who, &one);
                ASSERT_EQ(one.place.pass_to(who).has_value(), expected) << step;
                if (!expected) break;
                one.who = who;
                one.waits = false;
                break;
            }
            default:
                if (held.empty()) break;
                std::swap(held[below(held.size())], held.back());
                held.pop_back();
        }
        ASSERT_EQ(row.figures().used, held.size()) << step;
    }
    held.clear();
    EXPECT_EQ(row.figures().used, 0U);
    EXPECT_EQ(row.figures().strangers, 0U);
}

TEST(ClientAddresses, TellHostsApart) {
    const auto v6 = [](std::array<std::uint8_t, 16> bytes) { return ClientAddress::of(bytes); };
    const auto v4 = [](std::array<std::uint8_t, 4> bytes) { return ClientAddress::of(bytes); };
    EXPECT_NE(v4({192, 0, 2, 1}), v4({192, 0, 2, 2}));
    EXPECT_EQ(v6({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 192, 0, 2, 1}), v4({192, 0, 2, 1}));
    // A site chooses the second half of its addresses.
    EXPECT_EQ(v6({0x20, 1, 0xd, 0xb8, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1}),
              v6({0x20, 1, 0xd, 0xb8, 0, 0, 0, 1, 9, 9, 9, 9, 9, 9, 9, 9}));
    EXPECT_NE(v6({0x20, 1, 0xd, 0xb8, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1}),
              v6({0x20, 1, 0xd, 0xb8, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1}));
    EXPECT_NE(v6({0xfe, 0x80, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1}),
              v6({0xfe, 0x80, 0, 0, 0, 0, 0, 0, 2, 2, 2, 2, 2, 2, 2, 2}));
    EXPECT_FALSE(v4({127, 0, 0, 1}));
    EXPECT_FALSE(v6({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}));
    EXPECT_FALSE(v6({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 9, 9, 9}));
}

}  // namespace
}  // namespace damrak::budget::row_test
