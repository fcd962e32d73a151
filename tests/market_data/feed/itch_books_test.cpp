// Every view of the market at the same moment: the books that the replay builder makes of the
// order-by-order feed (levels, best prices, orders in priority, the last trade), those of the L2
// feed, and the engine's own.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/engine/engine.hpp>
#include <damrak/feed/itch/publisher.hpp>
#include <damrak/feed/message_block.hpp>
#include <damrak/order_flow/book_builder.hpp>
#include <damrak/order_flow/itch_flow.hpp>
#include <damrak/views/market_depth.hpp>
#include <damrak/wire/itch/walk.hpp>

#include "support/command_stream.hpp"
#include "support/differential/engine_subject.hpp"

namespace damrak::feed::itch_books_test {
namespace {

using LastTrade = std::tuple<std::int64_t, std::int64_t>;                       // price, quantity
using LevelLine = std::tuple<std::int64_t, std::int64_t, std::uint32_t>;        // and orders
using OrderLine = std::tuple<Side, std::int64_t, std::int64_t, std::uint64_t>;  // and reference

// Hears the trades of the feed.
class TradeListener {
  public:
    static constexpr bool k_observes = true;

    void declare(InstrumentId, std::string_view) {}
    void executed(const order_flow::At& at, Price price, Quantity quantity, Side) {
        last_[at.instrument] = {price.value, quantity.value};
    }
    void changed(const order_flow::At&, order_flow::Change, const BookStore&,
                 const order_flow::BuiltBook&) {}
    void traded(const order_flow::At& at, order_flow::TradeKind, Price price, Quantity quantity,
                std::optional<Side>) {
        if (quantity.value > 0) last_[at.instrument] = {price.value, quantity.value};
    }
    void phase(const order_flow::At&, order_flow::StateChange) {}

    [[nodiscard]] LastTrade last(InstrumentId id) const {
        const auto found = last_.find(id);
        return found == last_.end() ? LastTrade{} : found->second;
    }

  private:
    std::map<InstrumentId, LastTrade> last_;
};

// An engine, and those who know only its events or its messages.
class Views {
  public:
    explicit Views(const EngineConfig& config)
        : engine(config), depth(config), flow_(books, {}), publisher_(config, {}) {
        publisher_.load(engine, false);
        publisher_.begin_session({0}, block_);
        hear();
    }

    void follow(const Command& command) {
        events.clear();
        engine.apply(command, [&](const Event& event) { events.push_back(event); });
        publisher_.on_command(command);
        std::int64_t auction_shares = 0;
        for (const Event& event : events) {
            publisher_.on_event(event, {}, block_);
            depth.on_event(event);
            // The feed reports an auction as one trade.
            const bool in_auction = has_flag(event, EventFlags::k_cross);
            if (event.kind == EventKind::uncrossed) auction_shares = 0;
            if (event.kind != EventKind::executed || !is_listed(event.instrument)) continue;
            if (in_auction && has_flag(event, EventFlags::k_aggressor)) continue;
            auction_shares += event.quantity.value;
            last_trade[event.instrument] = {event.price.value * scale(event.instrument),
                                            in_auction ? auction_shares : event.quantity.value};
        }
        publisher_.end_command(block_);
        hear();
    }

    [[nodiscard]] bool is_listed(InstrumentId id) const {
        const InstrumentState* const in = engine.instrument(id);
        return in != nullptr && is_published(in->definition());
    }
    // As the builder names it.
    [[nodiscard]] InstrumentId built(InstrumentId id) const {
        return flow_.instrument(static_cast<std::uint16_t>(id.value));
    }
    // Of the engine's price unit in that of the feed.
    [[nodiscard]] std::int64_t scale(InstrumentId id) const {
        std::int64_t scale = 1;
        for (unsigned i = engine.instrument(id)->definition().price_decimals; i < 4; ++i)
            scale *= 10;
        return scale;
    }

    Engine engine;
    views::MarketDepth depth;
    order_flow::BookBuilder<TradeListener> books;
    std::vector<Event> events;  ///< of the last command
    std::map<InstrumentId, LastTrade> last_trade;

  private:
    void hear() {
        const auto walked = wire::itch::walk(block_.bytes(), flow_);
        EXPECT_EQ(walked.messages, block_.messages());
        EXPECT_EQ(books.anomalies().total(), 0U);
        block_.clear();
    }

    order_flow::ItchFlow<order_flow::BookBuilder<TradeListener>> flow_;
    ItchPublisher publisher_;
    MessageBlock block_;
};

std::vector<OrderLine> orders_of_engine(const Views& views, InstrumentId id) {
    std::vector<OrderLine> lines;
    const InstrumentState* const in = views.engine.instrument(id);
    const auto& store = views.engine.store();
    for (const Side side : {Side::buy, Side::sell})
        in->book.for_each_order(store, side, [&](OrderIndex index) {
            const Order& order = store.order(index);
            if (order.terms().undisplayed()) return true;
            lines.emplace_back(
                side, in->price_of(order.tick).value * views.scale(id), order.quantity.value,
                order.extension == 0 ? order.id.value
                                     : store.extension(order.extension).public_id.value);
            return true;
        });
    return lines;
}

std::vector<OrderLine> orders_of_feed(const Views& views, InstrumentId id) {
    std::vector<OrderLine> lines;
    const order_flow::BuiltBook& built = views.books.book(views.built(id));
    for (const Side side : {Side::buy, Side::sell})
        built.book.for_each_order(views.books.store(), side, [&](OrderIndex index) {
            const Order& order = views.books.store().order(index);
            lines.emplace_back(side, built.scale.price_of(order.tick).value, order.quantity.value,
                               order.id.value);
            return true;
        });
    return lines;
}

std::vector<LevelLine> levels_of_l2(const Views& views, InstrumentId id, Side side) {
    std::vector<LevelLine> lines;
    views.depth.for_each_level(id, side, [&](const views::PublicLevel& level) {
        lines.emplace_back(level.price.value * views.scale(id), level.quantity.value, level.orders);
        return true;
    });
    return lines;
}

std::vector<LevelLine> levels_of_feed(const Views& views, InstrumentId id, Side side) {
    std::vector<LevelLine> lines;
    const order_flow::BuiltBook& built = views.books.book(views.built(id));
    built.book.for_each_level(views.books.store(), side, [&](const DepthLevel& level) {
        lines.emplace_back(built.scale.price_of(level.tick).value, level.quantity.value,
                           level.orders);
        return true;
    });
    return lines;
}

// Of how many orders.
std::size_t expect_agreement(const Views& views, InstrumentId id) {
    const std::vector<OrderLine> orders = orders_of_engine(views, id);
    EXPECT_EQ(orders_of_feed(views, id), orders);
    for (const Side side : {Side::buy, Side::sell})
        EXPECT_EQ(levels_of_feed(views, id, side), levels_of_l2(views, id, side));
    const auto last = views.last_trade.find(id);
    EXPECT_EQ(views.books.observer().last(views.built(id)),
              last == views.last_trade.end() ? LastTrade{} : last->second);
    return orders.size();
}

#ifdef NDEBUG
constexpr std::uint64_t k_streams = 4;
#else
constexpr std::uint64_t k_streams = 1;
#endif
constexpr std::size_t k_commands = 3'000;

}  // namespace

class ItchBooks : public ::testing::TestWithParam<StreamProfile> {};

TEST_P(ItchBooks, ByOrderAndByPriceAgreeWithTheEngineAfterEachCommand) {
    std::uint64_t streams = 0;
    std::uint64_t orders = 0;
    std::uint64_t traded = 0;
    bool is_listed = false;
    for (std::uint64_t seed = 101; streams < k_streams; ++seed) {
        CommandStream stream{GetParam(), seed};
        if (stream.settings().ids_in_commands) continue;  // not the ids of an exchange
        ++streams;
        Views views{differential::config_of(stream.settings())};
        for (std::size_t i = 0; i < k_commands; ++i) {
            const Command command = stream.next();
            views.follow(command);
            stream.observe(command, views.events);
            for (std::uint32_t id = 1; id <= stream.settings().maximum_instruments; ++id)
                if (views.is_listed({id})) {
                    is_listed = true;
                    orders += expect_agreement(views, {id});
                }
            ASSERT_FALSE(HasFailure()) << "seed " << seed << ", command " << i;
        }
        traded += views.last_trade.size();
    }
    // The instruments of one stream are all unpublished.
    EXPECT_EQ(orders > 0, is_listed);
    EXPECT_EQ(traded > 0, is_listed);
}

INSTANTIATE_TEST_SUITE_P(All, ItchBooks,
                         ::testing::ValuesIn(stream_profiles().begin(), stream_profiles().end()),
                         [](const auto& each) { return std::string{each.param.name}; });

}  // namespace damrak::feed::itch_books_test
