// Parts of simulations of the order-by-order feed: an engine with its feed in sessions, packets in
// transit, and connections that break; without sockets and clocks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <damrak/base/byte_order.hpp>
#include <damrak/base/random.hpp>
#include <damrak/client/itch/detail/snapshot_client.hpp>
#include <damrak/client/itch/feed_books.hpp>
#include <damrak/engine/engine.hpp>
#include <damrak/feed/itch/publisher.hpp>
#include <damrak/feed/message_block.hpp>
#include <damrak/wire/soupbin/packets.hpp>

#include "support/bytes.hpp"
#include "support/command_stream.hpp"
#include "support/differential/engine_subject.hpp"
#include "support/message_list.hpp"

namespace damrak::simulation {

/// An engine, and its feed in sessions.
class FeedMarket {
    CommandStream stream_;
    EngineConfig config_;

  public:
    FeedMarket(const StreamProfile& profile, std::uint64_t seed)
        : stream_(profile, seed),
          config_(differential::config_of(stream_.settings())),
          engine(config_),
          publisher_(config_, {}) {
        publisher_.load(engine, false);
        begin_session();
    }

    void command() {
        const Command command = stream_.next();
        std::vector<Event> events;
        engine.apply(command, [&](const Event& event) { events.push_back(event); });
        publisher_.on_command(command);
        for (const Event& event : events) publisher_.on_event(event, {}, block_);
        publisher_.end_command(block_);
        stream_.observe(command, events);
        publish();
    }
    void turn_day() {
        publisher_.end_session({}, block_);
        publish();
        sessions.back().complete = true;
        begin_session();
    }
    /// As packets of SoupBinTCP, with the number from which to continue.
    [[nodiscard]] testing::Bytes snapshot() const {
        feed::MessageBlock block;
        publisher_.snapshot({}, block);
        testing::Bytes bytes = accepted(sessions.size() - 1, 1);
        for_each_message(block, [&](const std::string& message) { append(bytes, message); });
        append(bytes, fmt::format("G{:020}", sessions.back().messages.size() + 1));
        append_empty(bytes, wire::soupbin::PacketType::end_of_session);
        return bytes;
    }
    [[nodiscard]] static wire::moldudp::SessionName name(std::size_t session) {
        return client::session_name(fmt::format("20261123{:02}", session));
    }
    [[nodiscard]] static testing::Bytes accepted(std::size_t session, std::uint64_t next) {
        testing::Bytes bytes(64);
        const wire::moldudp::SessionName text = name(session);
        bytes.resize(wire::soupbin::encode_login_accepted({text.data(), text.size()}, next, bytes));
        return bytes;
    }
    static void append(testing::Bytes& bytes, std::string_view message) {
        const std::size_t at = bytes.size();
        bytes.resize(at + wire::soupbin::k_header_bytes + message.size());
        (void)wire::soupbin::encode(wire::soupbin::PacketType::sequenced_data,
                                    std::as_bytes(std::span{message}),
                                    std::span{bytes}.subspan(at));
    }
    static void append_empty(testing::Bytes& bytes, wire::soupbin::PacketType type) {
        const std::size_t at = bytes.size();
        bytes.resize(at + wire::soupbin::k_header_bytes);
        (void)wire::soupbin::encode(type, std::span{bytes}.subspan(at));
    }

    /// New elements do not move earlier ones: readers point to them.
    std::deque<testing::MessageList> sessions;
    Engine engine;

  private:
    void begin_session() {
        sessions.emplace_back();
        publisher_.begin_session({}, block_);
        publish();
    }
    template <class F>
    static void for_each_message(const feed::MessageBlock& block, F&& f) {
        const auto bytes = block.bytes();
        for (std::size_t at = 0; at < bytes.size();) {
            const std::size_t length = load_be<std::uint16_t>(bytes.data() + at);
            f(testing::text_of(bytes.subspan(at + 2, length)));
            at += 2 + length;
        }
    }
    void publish() {
        for_each_message(block_, [&](const std::string& message) {
            sessions.back().messages.push_back(message);
        });
        block_.clear();
    }

    feed::ItchPublisher publisher_;
    feed::MessageBlock block_;
};

using OrderLine = std::tuple<std::int64_t, std::int64_t, std::uint64_t>;

inline std::vector<OrderLine> orders_of(const Engine& engine, const InstrumentState& in,
                                        Side side) {
    std::int64_t scale = 1;
    for (unsigned i = in.definition().price_decimals; i < 4; ++i) scale *= 10;
    std::vector<OrderLine> lines;
    const BookStore& store = engine.store();
    in.book.for_each_order(store, side, [&](OrderIndex index) {
        const Order& order = store.order(index);
        if (order.terms().undisplayed()) return true;
        lines.emplace_back(in.price_of(order.tick).value * scale, order.quantity.value,
                           order.extension == 0 ? order.id.value
                                                : store.extension(order.extension).public_id.value);
        return true;
    });
    return lines;
}

inline std::vector<OrderLine> orders_of(const client::FeedBooks& books,
                                        const client::FeedInstrument& instrument, Side side) {
    std::vector<OrderLine> lines;
    for (const client::BookOrder& order : books.orders(instrument, side))
        lines.emplace_back(order.price.value, order.quantity.value, order.reference);
    return lines;
}

/// Returns the number of orders compared.
inline std::size_t expect_the_engines_books(const Engine& engine, std::uint32_t instruments,
                                            const client::FeedBooks& books) {
    std::size_t orders = 0;
    for (std::uint32_t id = 1; id <= instruments; ++id) {
        const InstrumentState* const in = engine.instrument({id});
        if (in == nullptr || !feed::is_published(in->definition())) continue;
        const auto* const found = books.find(static_cast<std::uint16_t>(id));
        EXPECT_NE(found, nullptr);
        if (found == nullptr) continue;
        for (const Side side : {Side::buy, Side::sell}) {
            const auto expected = orders_of(engine, *in, side);
            EXPECT_EQ(orders_of(books, *found, side), expected);
            orders += expected.size();
        }
    }
    EXPECT_EQ(books.anomalies().total(), 0U);
    EXPECT_EQ(books.faults(), 0U);
    EXPECT_TRUE(books.is_whole());
    return orders;
}

/// Packets in transit.
class FeedWay {
  public:
    FeedWay(RandomStream& random, std::uint64_t loss_percent)
        : random_(&random), loss_(loss_percent) {}

    void send(std::span<const std::byte> packet, std::int64_t now) {
        const std::uint64_t copies = random_->below(100) < 3 ? 2 : 1;
        for (std::uint64_t i = 0; i < copies; ++i) {
            if (dark || random_->below(100) < loss_) continue;
            const auto delay = static_cast<std::int64_t>(random_->below(2'000'000));
            packets_.emplace(now + delay, testing::Bytes{packet.begin(), packet.end()});
        }
    }
    [[nodiscard]] std::optional<testing::Bytes> receive(std::int64_t now) {
        if (packets_.empty() || packets_.begin()->first > now) return {};
        testing::Bytes packet = std::move(packets_.begin()->second);
        packets_.erase(packets_.begin());
        return packet;
    }
    void heal() {
        dark = false;
        loss_ = 0;
    }

    bool dark = false;

  private:
    RandomStream* random_;
    std::uint64_t loss_;
    std::multimap<std::int64_t, testing::Bytes> packets_;
};

/// A connection to a follower that may break, and that delivers its bytes in pieces.
template <class Follower>
class FeedConnection {
  public:
    FeedConnection(Follower& follower, RandomStream& random)
        : follower_(&follower), random_(&random) {}

    [[nodiscard]] bool open() const { return open_; }
    void begin(std::int64_t now) {
        open_ = true;
        to_client_.clear();
        unread_.clear();
        follower_->on_connected({now});
    }
    void put(const testing::Bytes& bytes) {
        to_client_.insert(to_client_.end(), bytes.begin(), bytes.end());
    }
    /// Delivers a piece or, if `cuts`, ends the connection.
    void turn(std::int64_t now, bool cuts) {
        if (!open_) return;
        follower_->sent(follower_->unsent().size());
        if (cuts && !follower_->wants_close() && random_->below(100) < 3)
            return end("the connection was cut", now);
        const std::size_t piece =
            std::min<std::size_t>(to_client_.size(), 1 + random_->below(2'000));
        unread_.insert(unread_.end(), to_client_.begin(),
                       to_client_.begin() + static_cast<std::ptrdiff_t>(piece));
        to_client_.erase(to_client_.begin(),
                         to_client_.begin() + static_cast<std::ptrdiff_t>(piece));
        const auto done = follower_->on_bytes(unread_, {now});
        unread_.erase(unread_.begin(),
                      unread_.begin() + static_cast<std::ptrdiff_t>(done.consumed_bytes));
        if (follower_->wants_close()) end({}, now);
    }

  private:
    void end(std::string_view why, std::int64_t now) {
        open_ = false;
        follower_->on_lost(why, {now});
    }

    Follower* follower_;
    RandomStream* random_;
    testing::Bytes to_client_;
    testing::Bytes unread_;
    bool open_ = false;
};

}  // namespace damrak::simulation
