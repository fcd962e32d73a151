// The receivers of the order-by-order feed over the days of a whole exchange: a session ends, and
// they continue with the next one, in both wirings.
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include <damrak/base/time_units.hpp>
#include <damrak/client/itch/feed_books.hpp>
#include <damrak/client/itch/feed_receiver.hpp>
#include <damrak/client/itch/soup_receiver.hpp>
#include <damrak/exchange/exchange.hpp>
#include <damrak/exchange/system_time.hpp>

#include "support/commands.hpp"
#include "support/scratch_folder.hpp"
#include "support/small_exchange.hpp"

namespace damrak::exchange::feed_receivers_test {
namespace {

class ReceiversOfAnExchange : public ::testing::TestWithParam<Wiring> {
  protected:
    /// `closed`: the trading day is over.
    void start(bool closed = false) {
        Settings settings = testing::small_exchange(folder_.path(), GetParam());
        // Orders of a participant without a name end with the day.
        settings.participants.emplace_back().id = {1};
        for (const char* gateway : {"itch", "glimpse", "mold", "retransmit"})
            settings.ports[gateway] =
                exchange_ports_.contains(gateway) ? exchange_ports_[gateway] : 0;
        if (closed) {
            const std::int64_t hour = system_time().value % k_day_ns / k_hour_ns;
            settings.day.begin_ns = (hour + 11) % 24 * k_hour_ns;
            settings.day.end_ns = settings.day.begin_ns + k_hour_ns;
        }
        auto started = Exchange::start(settings);
        ASSERT_TRUE(started) << started.error();
        exchange_ = *std::move(started);
        for (const auto& [gateway, port] : exchange_->ports()) exchange_ports_[gateway] = port;
    }
    void stop() {
        exchange_->stop();
        exchange_.reset();
    }
    void buy(std::int64_t price, std::int64_t quantity) {
        Command command = order_command(4, 1, Side::buy, price * 100, quantity);
        command.time_in_force = TimeInForce::gtc;
        ASSERT_TRUE(exchange_->trading().submit(command));
        exchange_->step();
        exchange_->follower().wake();
    }
    [[nodiscard]] static bool eventually(const std::function<void()>& turn,
                                         const std::function<bool()>& is_so) {
        return testing::turns_until(turn, is_so);
    }
    static std::string session_of(const client::FeedBooks& books) {
        return {books.session().data(), books.session().size()};
    }
    static std::size_t bids(const client::FeedBooks& books) {
        const auto* const stock = books.find(std::uint16_t{4});
        return stock == nullptr ? 0 : books.orders(*stock, Side::buy).size();
    }

    testing::ScratchFolder folder_;
    std::map<std::string, std::uint16_t> exchange_ports_;
    std::unique_ptr<Exchange> exchange_;
};

}  // namespace

TEST_P(ReceiversOfAnExchange, GoOnWithTheNextSession) {
    start();
    client::FeedReceiverConfig config;
    for (auto& line : config.lines) line.port = exchange_ports_["mold"];
    config.retransmissions->port = exchange_ports_["retransmit"];
    config.snapshots->port = exchange_ports_["glimpse"];
    client::FeedBooks heard;
    client::FeedBooks subscribed;
    const auto multicast = client::FeedReceiver<client::FeedBooks>::open(config, heard);
    ASSERT_TRUE(multicast) << multicast.error();
    client::SoupReceiver tcp{{.feed = {.port = exchange_ports_["itch"]}}, subscribed};
    const auto turn = [&] {
        (*multicast)->poll(1);
        tcp.poll(1);
    };
    buy(1'000, 10);
    EXPECT_TRUE(eventually(turn, [&] { return bids(heard) == 1 && bids(subscribed) == 1; }));
    const std::string first = session_of(heard);
    EXPECT_EQ(session_of(subscribed), first);
    stop();
    start(true);
    EXPECT_TRUE(eventually(turn, [&] { return heard.ended() && subscribed.ended(); }));
    stop();
    start();
    buy(1'001, 10);
    EXPECT_TRUE(eventually(turn, [&] { return bids(heard) == 2 && bids(subscribed) == 2; }))
        << "an order without an end is in the new session as well";
    EXPECT_GT(session_of(heard), first);
    EXPECT_EQ(session_of(subscribed), session_of(heard));
    EXPECT_EQ(heard.anomalies().total() + subscribed.anomalies().total(), 0U);
    stop();
}

INSTANTIATE_TEST_SUITE_P(Wirings, ReceiversOfAnExchange,
                         ::testing::Values(Wiring::one_thread, Wiring::pipelined),
                         testing::wiring_name);

}  // namespace damrak::exchange::feed_receivers_test
