#include <damrak/session/activity_list.hpp>

#include <vector>

#include <gtest/gtest.h>

#include <damrak/base/random.hpp>

namespace damrak::session::activity_list_test {
namespace {

TEST(ActivityList, ReportsIdleConnectionsOldestFirst) {
    ActivityList list;
    ActivityList::Node a;
    ActivityList::Node b;
    ActivityList::Node c;
    list.add(a, Timestamp{1});
    list.add(b, Timestamp{2});
    list.add(c, Timestamp{3});
    list.touch(a, Timestamp{4});
    std::vector<ActivityList::Node*> due;
    list.expire(Timestamp{3}, [&](ActivityList::Node& node) { due.push_back(&node); });
    EXPECT_EQ(due, (std::vector{&b, &c}));
    EXPECT_FALSE(b.listed());
    EXPECT_TRUE(a.listed());
}

TEST(ActivityList, RemovesConnectionsThatAreGone) {
    ActivityList list;
    ActivityList::Node a;
    ActivityList::Node b;
    list.add(a, Timestamp{1});
    list.add(b, Timestamp{1});
    list.remove(a);
    int due = 0;
    list.expire(Timestamp{9}, [&](ActivityList::Node&) { ++due; });
    EXPECT_EQ(due, 1);
    EXPECT_EQ(list.expire(Timestamp{9}, [](ActivityList::Node&) {}), 0U);
}

// The cost of supervision with the maximum number of sessions: a message moves one node, and a
// search examines the idle sessions and one more.
TEST(ActivityList, ExaminesOnlyDueSessionsAmongAHundredThousand) {
    constexpr std::size_t k_sessions = 100'000;
    constexpr std::int64_t k_timeout_ns = 1'000'000'000;
    std::vector<ActivityList::Node> nodes(k_sessions);
    ActivityList list;
    std::int64_t now = 0;
    for (ActivityList::Node& node : nodes) list.add(node, Timestamp{++now});
    RandomStream random{7};
    std::uint64_t expired = 0;
    std::uint64_t looked_at = 0;
    std::uint64_t looks = 0;
    for (int round = 0; round < 1'000; ++round) {
        for (int message = 0; message < 500; ++message) {
            ActivityList::Node& node = nodes[random.below(k_sessions)];
            now += 10'000;
            if (node.listed()) list.touch(node, Timestamp{now});
        }
        ++looks;
        looked_at += list.expire(Timestamp{now - k_timeout_ns}, [&](ActivityList::Node& node) {
            EXPECT_LE(node.last_activity(), Timestamp{now - k_timeout_ns});
            ++expired;
        });
    }
    EXPECT_GT(expired, 0U);
    EXPECT_LT(expired, k_sessions);
    EXPECT_LE(looked_at, expired + looks);
    std::uint64_t overdue = 0;
    for (const ActivityList::Node& node : nodes)
        overdue += node.listed() && node.last_activity() <= Timestamp{now - k_timeout_ns} ? 1U : 0U;
    EXPECT_EQ(overdue, 0U) << "none was missed";
}

}  // namespace
}  // namespace damrak::session::activity_list_test
