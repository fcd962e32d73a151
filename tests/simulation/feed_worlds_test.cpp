// Receivers of the order-by-order feed on networks that lose, repeat and reorder packets, cut
// connections and fall silent for a while: a client that follows the protocol ends with the
// engine's book, order by order. Worlds from seeds, without sockets and clocks.
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>

#include <gtest/gtest.h>

#include <damrak/base/random.hpp>
#include <damrak/client/itch/detail/feed_follower.hpp>
#include <damrak/client/itch/feed_books.hpp>
#include <damrak/client/itch/soup_follower.hpp>
#include <damrak/feed/mold_sender.hpp>
#include <damrak/feed/retransmission.hpp>

#include "support/bytes.hpp"
#include "support/command_stream.hpp"
#include "support/message_list.hpp"
#include "support/simulation/feed_market.hpp"
#include "support/test_size.hpp"

namespace damrak::simulation::feed_worlds_test {
namespace {

using testing::Bytes;
using testing::MessageList;
using testing::MessageReader;
using wire::moldudp::SessionName;
namespace soupbin = wire::soupbin;

constexpr std::int64_t k_ms = 1'000'000;

struct Tally {
    std::uint64_t orders = 0;
    std::uint64_t gaps = 0;
    std::uint64_t requests = 0;
    std::uint64_t snapshots = 0;
    std::uint64_t logins = 0;
};

const StreamProfile& profile_of(std::uint64_t seed) {
    const auto all = stream_profiles();
    return all[seed % all.size()];
}

/// One of which the ids are those of an exchange, as in all others of these tests.
std::uint64_t sound_seed(const StreamProfile& profile, std::uint64_t seed) {
    while (CommandStream{profile, seed}.settings().ids_in_commands) seed += 1'000;
    return seed;
}

/// MoldUDP64: two lines, retransmission, GLIMPSE.
class MulticastWorld {
  public:
    explicit MulticastWorld(std::uint64_t seed)
        : random_(seed),
          market_(profile_of(seed), sound_seed(profile_of(seed), seed)),
          follower_(books_, settings(seed)),
          ways_{FeedWay{random_, seed % 4 * 5}, FeedWay{random_, seed % 3 * 10},
                FeedWay{random_, 10}, FeedWay{random_, 10}} {}

    void run(Tally& tally) {
        for (int i = 0; i < 600; ++i) {
            for (auto n = random_.below(6); n > 0; --n) market_.command();
            if (random_.below(200) == 0) market_.turn_day();
            if (random_.below(60) == 0) darken();
            step(true);
        }
        for (FeedWay& way : ways_) way.heal();
        snapshots_are_dark_ = false;
        for (int i = 0; i < 20'000 && !caught_up(); ++i) step(false);
        EXPECT_TRUE(caught_up());
        tally.orders += expect_the_engines_books(market_.engine, 64, books_);
        tally.gaps += follower_.arbiter().counters().gaps;
        tally.requests += follower_.arbiter().counters().requests;
        tally.snapshots += follower_.snapshots();
    }

  private:
    using Follower = client::FeedFollower<client::FeedBooks>;
    using Sender = feed::MoldSender<MessageReader>;
    enum Place : std::size_t { line_a, line_b, to_server, from_server, places };

    static client::FeedSettings settings(std::uint64_t seed) {
        return {.arbiter = {.packets = 64,
                            .patience_ns = k_ms,
                            .retry_ns = 5 * k_ms,
                            .attempts = 4,
                            .waits_for_join = false},
                .has_snapshots = seed % 5 != 0,
                .begins_with_snapshot = seed % 2 == 0,
                .login = {},
                .soup = {},
                .pauses = {.first_ns = k_ms, .longest_ns = 8 * k_ms}};
    }
    void darken() {
        for (FeedWay& way : ways_) way.dark = random_.below(2) == 0;
        snapshots_are_dark_ = random_.below(4) == 0;
    }
    [[nodiscard]] bool caught_up() const {
        const std::size_t last = market_.sessions.size() - 1;
        return books_.is_whole() && books_.session() == FeedMarket::name(last) &&
               books_.sequence() == market_.sessions.back().messages.size();
    }

    void step(bool faulty) {
        now_ += static_cast<std::int64_t>(random_.below(k_ms));
        send_lines();
        serve_requests();
        for (const Place way : {line_a, line_b, from_server})
            while (const auto packet = ways_[way].receive(now_))
                follower_.on_datagram(*packet, {now_});
        follower_.on_time({now_});
        while (const auto request = follower_.next_request({now_})) {
            std::array<std::byte, wire::moldudp::HeaderLayout::k_length> datagram;
            wire::moldudp::encode(*request, datagram);
            ways_[to_server].send(datagram, now_);
        }
        if (!connection_.open() && follower_.wants({now_})) {
            if (snapshots_are_dark_) {
                follower_.on_lost("nobody listens", {now_});
            } else {
                connection_.begin(now_);
                if (!follower_.wants_close()) connection_.put(market_.snapshot());
            }
        }
        connection_.turn(now_, faulty);
    }
    void send_lines() {
        while (senders_.size() < market_.sessions.size()) {
            const std::size_t session = senders_.size();
            senders_.emplace_back(
                feed::MoldConfig{.delay_ns = 0, .heartbeat_ns = 3 * k_ms, .end_ns = 30 * k_ms},
                FeedMarket::name(session), MessageReader{market_.sessions[session], 1},
                Timestamp{now_});
        }
        for (Sender& sender : senders_)
            for (auto packet = sender.poll({now_}); !packet.empty(); packet = sender.poll({now_}))
                for (const Place line : {line_a, line_b}) ways_[line].send(packet, now_);
    }
    void serve_requests() {
        while (const auto request = ways_[to_server].receive(now_)) {
            const auto open = [&](const SessionName& session, std::uint64_t sequence) {
                std::optional<MessageReader> place;
                // The exchange answers for its last two sessions.
                const std::size_t count = market_.sessions.size();
                for (std::size_t i = count < 2 ? 0 : count - 2; i < count; ++i)
                    if (session == FeedMarket::name(i) &&
                        sequence <= market_.sessions[i].messages.size())
                        place.emplace(market_.sessions[i], sequence);
                return place;
            };
            const auto answer = server_.answer(*request, {}, {now_}, open);
            if (!answer.empty()) ways_[from_server].send(answer, now_);
        }
    }

    RandomStream random_;
    FeedMarket market_;
    client::FeedBooks books_;
    Follower follower_;
    FeedConnection<Follower> connection_{follower_, random_};
    std::array<FeedWay, places> ways_;
    std::deque<Sender> senders_;
    feed::RetransmissionServer server_{feed::RetransmissionConfig{.packets_per_second = 0,
                                                                  .burst_packets = 1,
                                                                  .all_packets_per_second = 0,
                                                                  .all_burst_packets = 1,
                                                                  .addresses = 8}};
    std::int64_t now_ = 0;
    bool snapshots_are_dark_ = false;
};

/// SoupBinTCP, with or without GLIMPSE.
class SubscriberWorld {
  public:
    explicit SubscriberWorld(std::uint64_t seed)
        : random_(seed),
          market_(profile_of(seed), sound_seed(profile_of(seed), seed)),
          follower_(books_, settings(seed)) {}

    void run(Tally& tally) {
        for (int i = 0; i < 600; ++i) {
            for (auto n = random_.below(6); n > 0; --n) market_.command();
            if (random_.below(200) == 0) market_.turn_day();
            if (random_.below(60) == 0) dark_ = random_.below(2) == 0;
            step(true);
        }
        dark_ = false;
        for (int i = 0; i < 20'000 && !caught_up(); ++i) step(false);
        EXPECT_TRUE(caught_up());
        tally.orders += expect_the_engines_books(market_.engine, 64, books_);
        tally.logins += follower_.logins();
    }

  private:
    using Follower = client::SoupFollower<client::FeedBooks>;

    static client::SoupSettings settings(std::uint64_t seed) {
        return {.login = {},
                .begins_with_snapshot = seed % 2 == 0,
                .follows_sessions = true,
                .session_pause_ns = 2 * k_ms,
                .soup = {},
                .pauses = {.first_ns = k_ms, .longest_ns = 8 * k_ms}};
    }
    [[nodiscard]] bool caught_up() const {
        const std::size_t last = market_.sessions.size() - 1;
        return books_.is_whole() && books_.session() == FeedMarket::name(last) &&
               books_.sequence() == market_.sessions.back().messages.size();
    }

    void step(bool faulty) {
        now_ += static_cast<std::int64_t>(random_.below(k_ms));
        follower_.on_time({now_});
        if (!connection_.open()) connect();
        if (connection_.open() && reader_) serve();
        connection_.turn(now_, faulty);
    }
    void connect() {
        reader_.reset();
        const auto gateway = follower_.wants({now_});
        if (!gateway) return;
        if (dark_) return follower_.on_lost("nobody listens", {now_});
        connection_.begin(now_);
        if (*gateway == client::SoupGateway::snapshots) return connection_.put(market_.snapshot());
        const auto packet = soupbin::decode(follower_.unsent());
        ASSERT_TRUE(packet && packet->type == soupbin::PacketType::login_request);
        const auto login = soupbin::decode_login_request(packet->payload);
        ASSERT_TRUE(login);
        log_in(*login);
    }
    void log_in(const soupbin::LoginRequest& login) {
        session_ = market_.sessions.size() - 1;
        const SessionName name = FeedMarket::name(session_);
        const bool known = login.session_text().empty() ||
                           login.session_text() == std::string_view{name.data(), name.size()};
        const std::uint64_t end = market_.sessions.back().messages.size() + 1;
        if (!known || login.sequence > end) {
            Bytes bytes(8);
            bytes.resize(soupbin::encode_login_rejected(
                soupbin::RejectReason::session_not_available, bytes));
            return connection_.put(bytes);
        }
        connection_.put(FeedMarket::accepted(session_, login.sequence));
        reader_.emplace(market_.sessions[session_], login.sequence);
    }
    void serve() {
        const MessageList& list = market_.sessions[session_];
        Bytes bytes;
        for (std::uint64_t i = reader_->next(); i <= list.messages.size(); ++i)
            FeedMarket::append(bytes, list.messages[i - 1]);
        reader_.emplace(list, list.messages.size() + 1);
        if (list.complete) {
            FeedMarket::append_empty(bytes, soupbin::PacketType::end_of_session);
            reader_.reset();
        }
        connection_.put(bytes);
    }

    RandomStream random_;
    FeedMarket market_;
    client::FeedBooks books_;
    Follower follower_;
    FeedConnection<Follower> connection_{follower_, random_};
    std::size_t session_ = 0;
    std::optional<MessageReader> reader_;
    std::int64_t now_ = 0;
    bool dark_ = false;
};

}  // namespace

class FeedWorlds : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(FeedWorlds, ByMulticastEndWithTheBooksOfTheEngine) {
    Tally tally;
    constexpr std::uint64_t k_worlds = 15;
    for (std::uint64_t i = 1; i <= k_worlds; ++i) {
        const std::uint64_t seed = GetParam() * k_worlds + i;
        MulticastWorld{seed}.run(tally);
        ASSERT_FALSE(HasFailure()) << "seed " << seed;
    }
    EXPECT_GT(tally.orders, 100U);
    EXPECT_GT(tally.gaps, 100U);
    EXPECT_GT(tally.requests, 100U);
    EXPECT_GT(tally.snapshots, 10U);
}

TEST_P(FeedWorlds, ByTcpEndWithTheBooksOfTheEngine) {
    Tally tally;
    constexpr std::uint64_t k_worlds = 15;
    for (std::uint64_t i = 1; i <= k_worlds; ++i) {
        const std::uint64_t seed = GetParam() * k_worlds + i;
        SubscriberWorld{seed}.run(tally);
        ASSERT_FALSE(HasFailure()) << "seed " << seed;
    }
    EXPECT_GT(tally.orders, 100U);
    EXPECT_GT(tally.logins, 100U);
}

INSTANTIATE_TEST_SUITE_P(Seeds, FeedWorlds,
                         ::testing::Range(std::uint64_t{0}, test_size::scaled(std::uint64_t{4})));

}  // namespace damrak::simulation::feed_worlds_test
