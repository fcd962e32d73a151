// The names that clients give to their orders.
#include <damrak/gateway/client_order_names.hpp>

#include <cstdint>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace damrak::gateway::client_order_names_test {

namespace {

constexpr ParticipantId k_alice{1};
constexpr ParticipantId k_bob{2};
const std::string k_long_name = "a name that is longer than twenty characters";

}  // namespace

TEST(ClientOrderNames, AreEachParticipantsOwn) {
    ClientOrderNames names{10};
    const std::uint32_t first = names.add(k_alice, ShortName::of("A"), 5);
    const std::uint32_t second = names.add(k_bob, ShortName::of("A"), 6);
    EXPECT_EQ(names.find(k_alice, "A"), first);
    EXPECT_EQ(names.find(k_bob, "A"), second);
    EXPECT_EQ(names.order_of(first), 5U);
    EXPECT_EQ(names.find(k_alice, "B"), 0U);
    EXPECT_EQ(names.order_of(0), 0U);
}

TEST(ClientOrderNames, AreComparedWhole) {
    ClientOrderNames names{10};
    const std::uint32_t index = names.add(k_alice, std::string_view{k_long_name}, 5);
    EXPECT_EQ(names.find(k_alice, k_long_name), index);
    EXPECT_EQ(names.text(index), k_long_name);
    EXPECT_EQ(names.find(k_alice, k_long_name.substr(0, 20)), 0U);
    EXPECT_EQ(names.find(k_alice, k_long_name + "!"), 0U);
    const std::uint32_t short_one = names.add(k_alice, ShortName::of("short"), 6);
    EXPECT_EQ(names.text(short_one), "short");
}

TEST(ClientOrderNames, StayTakenUntilTheyAreForgotten) {
    ClientOrderNames names{1};
    const std::uint32_t index = names.add(k_alice, ShortName::of("A"), 5);
    names.part(index);
    EXPECT_EQ(names.find(k_alice, "A"), index);
    EXPECT_EQ(names.order_of(index), 0U);
    names.forget(index);
    EXPECT_EQ(names.find(k_alice, "A"), 0U);
    EXPECT_EQ(names.add(k_bob, ShortName::of("B"), 1), index);
}

}  // namespace damrak::gateway::client_order_names_test
