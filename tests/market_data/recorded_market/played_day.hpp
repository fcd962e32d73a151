// A recorded day played into an engine, with the books of the recording beside it. For tests.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/archive/import.hpp>
#include <damrak/engine/engine.hpp>
#include <damrak/lobster/pair.hpp>
#include <damrak/order_flow/book_builder.hpp>
#include <damrak/order_flow/itch_flow.hpp>
#include <damrak/recorded_market/playback.hpp>

#include "support/recorded_engine.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::recorded_market {

inline constexpr ParticipantId k_recording{1};
inline constexpr ParticipantId k_client{2};

inline archive::Day import(const std::filesystem::path& from, const std::filesystem::path& to,
                           const std::string& symbol = "") {
    const archive::Import import{
        .from = from, .to = to, .date = 20120621, .symbol = symbol, .trust_messages = true};
    const auto done = archive::import_day(import, [](std::uint64_t, std::uint64_t) {});
    if (!done) ADD_FAILURE() << done.error();
    auto day = archive::Day::open(to);
    if (!day) ADD_FAILURE() << day.error();
    return *std::move(day);
}

inline archive::Day import_pair(const lobster::Pair& pair, const std::filesystem::path& to) {
    const archive::Import import{.from = pair.messages, .to = to, .book = pair.book};
    const auto done = archive::import_day(import, [](std::uint64_t, std::uint64_t) {});
    if (!done) ADD_FAILURE() << done.error();
    auto day = archive::Day::open(to);
    if (!day) ADD_FAILURE() << day.error();
    return *std::move(day);
}

/// Orders of one side of a public book, in priority: price and quantity.
using Orders = std::vector<std::pair<std::int64_t, std::int64_t>>;

class PlayedDay {
  public:
    explicit PlayedDay(archive::Day day, const Window& window = {})
        : day_(std::move(day)),
          playback_(*RecordedMessages::make(day_, window), k_recording, 100'000, 16),
          recorded_(*RecordedMessages::make(day_, window)) {
        for (const archive::Instrument& one : day_.instruments()) {
            Command command{};
            command.kind = CommandKind::add_instrument;
            command.instrument = InstrumentId{one.locate};
            command.definition = InstrumentDetails{};
            command.definition.symbol = Symbol::of(one.symbol);
            command.definition.tick_size = Price{1};
            command.definition.lot_size = Quantity{1};
            command.definition.price_decimals = 4;
            command.definition.maximum_price = k_published_maximum_price;
            command.definition.maximum_quantity = k_published_maximum_quantity;
            apply(command, {});
        }
    }

    std::vector<Event> apply(const Command& command, const Origin& origin) {
        recorder_.events.clear();
        engine_.apply(command);
        for (const Event& event : recorder_.events) playback_.on_event(event, origin);
        playback_.on_command_end(origin);
        return recorder_.events;
    }
    /// An order of a client; its events.
    std::vector<Event> order(Side side, std::int64_t quantity, std::int64_t cents) {
        Command command{};
        command.kind = CommandKind::new_order;
        command.instrument = InstrumentId{1};
        command.participant = k_client;
        command.side = side;
        command.quantity = Quantity{quantity};
        command.price = Price{cents * 100};
        return apply(command, {});
    }

    /// The next command of the recording up to this time, applied to both; false: none is due.
    bool step(std::int64_t until_ns = std::numeric_limits<std::int64_t>::max()) {
        const auto due = playback_.next(until_ns);
        if (!due) return false;
        for (const Recorded* next = recorded_.front();
             next != nullptr && next->sequence <= due->sequence && next->time_ns <= due->time_ns;
             next = recorded_.front()) {
            std::visit(
                [&](const auto& message) {
                    if constexpr (requires { flow_.on(message); })
                        static_cast<void>(flow_.on(message));
                },
                next->message);
            last_ = *next;
            recorded_.pop();
            if (next->sequence == 0) break;  // of the first books, one for one
        }
        apply(due->command, Playback::origin_of(*due));
        return true;
    }
    void play(std::int64_t until_ns = std::numeric_limits<std::int64_t>::max()) {
        while (step(until_ns)) {
        }
    }

    /// The message that the last step was of, and what the engine told.
    [[nodiscard]] const Recorded& last() const { return last_; }
    [[nodiscard]] const std::vector<Event>& events() const { return recorder_.events; }
    [[nodiscard]] Playback& playback() { return playback_; }
    [[nodiscard]] const Engine& engine() const { return engine_; }
    [[nodiscard]] DriftCounts drift() const { return playback_.drift().of(InstrumentId{1}); }

    [[nodiscard]] Orders played(std::uint16_t locate, Side side, std::size_t most) const {
        const InstrumentState& in = *engine_.instrument(InstrumentId{locate});
        return orders_of(in.book, engine_.store(), side, most,
                         [&](const Order& order) { return in.price_of(order.tick).value; });
    }
    [[nodiscard]] Orders recorded(std::uint16_t locate, Side side, std::size_t most) const {
        const InstrumentId id = flow_.instrument(locate);
        if (!id) return {};
        return orders_of(builder_.book(id).book, builder_.store(), side, most,
                         [&](const Order& order) { return builder_.price_of(order).value; });
    }

  private:
    template <class PriceOf>
    static Orders orders_of(const OrderBook& book, const BookStore& store, Side side,
                            std::size_t most, const PriceOf& price_of) {
        Orders orders;
        book.for_each_order(store, side, [&](OrderIndex index) {
            const Order& order = store.order(index);
            if (!order.terms().undisplayed())
                orders.emplace_back(price_of(order), order.quantity.value);
            return orders.size() < most;
        });
        return orders;
    }
    static EngineConfig config() {
        EngineConfig config;
        config.maximum_instruments = 16;
        config.maximum_participants = 8;
        config.maximum_orders = 100'000;
        return config;
    }

    archive::Day day_;
    Playback playback_;
    RecordedMessages recorded_;
    Recorded last_{};
    order_flow::BookBuilder<> builder_;
    order_flow::ItchFlow<order_flow::BookBuilder<>> flow_{builder_, {}};
    EventRecorder recorder_;
    EngineInto<EventRecorder> engine_{config(), recorder_};
};

}  // namespace damrak::recorded_market
