// Who does not take what the feed has, and what was sent again, as operators see it.
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/feed/itch/itch_feed.hpp>
#include <damrak/feed/message_block.hpp>
#include <damrak/gateway/feeds/feed_server.hpp>

#include "support/eventually.hpp"
#include "support/scratch_folder.hpp"
#include "support/soup_subscriber.hpp"

namespace damrak::exchange::feed_status_test {
namespace {

using ::testing::SizeIs;
using ::testing::StartsWith;

/// More than the buffers of a connection hold.
constexpr std::uint64_t k_messages = 600'000;

class FeedStatusTest : public ::testing::Test {
  protected:
    FeedStatusTest() {
        const auto session = *feed::FeedSession::open(folder_.path(), {20261127, 0}, 0);
        feed::MessageBlock block;
        for (std::uint64_t i = 0; i < k_messages; ++i)
            block.append(wire::itch::OrderDelete{.stock_locate = 1, .order_ref = i + 1});
        EXPECT_TRUE(session->append(block.bytes(), 1));
        EXPECT_TRUE(session->sync());
    }
    void serve() {
        feed_ = *feed::ItchFeed::open({.folder = folder_.path()}, EngineConfig{});
        gateway::feeds::FeedServerConfig config;
        config.itch = 0;
        server_ = *gateway::feeds::FeedServer::start(config, *feed_);
    }
    /// The first status that is so; the last one if none is.
    [[nodiscard]] gateway::feeds::FeedStatus eventually(
        const std::function<bool(const gateway::feeds::FeedStatus&)>& is_so) const {
        gateway::feeds::FeedStatus status;
        static_cast<void>(testing::eventually([&] {
            status = server_->status();
            return is_so(status);
        }));
        return status;
    }

    testing::ScratchFolder folder_;
    std::unique_ptr<feed::ItchFeed> feed_;
    std::unique_ptr<gateway::feeds::FeedServer> server_;
};

TEST_F(FeedStatusTest, NamesSubscribersThatDoNotRead) {
    serve();
    testing::SoupSubscriber prompt{server_->ports().at("itch"), k_messages};
    testing::SoupSubscriber slow{server_->ports().at("itch"), 1};
    const gateway::feeds::FeedStatus status = eventually([](const gateway::feeds::FeedStatus& now) {
        return now.subscribers == 2 && now.slow.size() == 1;
    });
    EXPECT_EQ(status.subscribers, 2U);
    ASSERT_THAT(status.slow, SizeIs(1));
    EXPECT_EQ(status.slow.front().service, "itch");
    EXPECT_THAT(status.slow.front().client, StartsWith("127.0.0.1:"));
    EXPECT_GE(status.slow.front().behind, gateway::feeds::SlowSubscriber::k_least_behind);
    EXPECT_LT(status.slow.front().behind, k_messages);
    EXPECT_EQ(status.most_behind(), status.slow.front().behind);
    EXPECT_THAT(slow.messages(k_messages), SizeIs(k_messages));
    EXPECT_THAT(
        eventually([](const gateway::feeds::FeedStatus& now) { return now.slow.empty(); }).slow,
        SizeIs(0));
}

}  // namespace
}  // namespace damrak::exchange::feed_status_test
