// The public books of all instruments, rebuilt from the engine's events alone: the displayed
// quantity at each price. Excludes hidden and held orders and the reserves of icebergs.
//
// Runs behind the exchange, on the publishing thread. An event costs a look-up of its order and a
// descent of a tree of prices. A price that is new in its book takes memory, bounded by the
// engine's capacity for levels.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include <damrak/base/index_pool.hpp>
#include <damrak/base/reserved_array.hpp>
#include <damrak/book/order_id_map.hpp>
#include <damrak/book/price_ladder.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/engine/engine.hpp>

namespace damrak::views {

/// Public view of a price.
struct PublicLevel {
    Price price{};
    Quantity quantity{};
    std::uint32_t orders = 0;
    friend bool operator==(const PublicLevel&, const PublicLevel&) = default;
};

class MarketDepth {
  public:
    /// For the events of an engine with this configuration.
    explicit MarketDepth(const EngineConfig& config);

    /// Call for each event of the engine in order. True if the event changed or created the public
    /// book of its instrument.
    bool on_event(const Event& event);

    /// Loads the current books of an engine, to follow its next events. The view must be empty.
    void load(const Engine& engine);

    /// Instruments have ids from 1 to this; some may not exist.
    [[nodiscard]] std::uint32_t highest_instrument() const {
        return static_cast<std::uint32_t>(books_.size());
    }
    [[nodiscard]] bool has(InstrumentId id) const {
        return id.value - 1 < books_.size() && books_[id.value - 1].exists;
    }

    /// Best price first, `f(PublicLevel)` for each until it returns false.
    template <class F>
    void for_each_level(InstrumentId id, Side side, F&& f) const {
        if (!has(id)) return;
        for (const auto& [key, level] : books_[id.value - 1].sides[index_of(side)])
            if (!f(PublicLevel{Price{tick_of(side, key)}, level.quantity, level.orders})) return;
    }
    /// Top of the book; zero orders if the side is empty.
    [[nodiscard]] PublicLevel best(InstrumentId id, Side side) const;

  private:
    struct Level {
        Quantity quantity{};
        std::uint32_t orders = 0;
    };
    /// Best first: the smallest key, see price_key().
    using Levels = std::map<PriceKey, Level>;
    struct Book {
        std::array<Levels, 2> sides;
        bool exists = false;
    };
    struct Displayed {
        OrderId id{};
        Price price{};
        Quantity quantity{};
        InstrumentId instrument{};
        Side side{};
    };

    [[nodiscard]] static std::size_t index_of(Side side) { return static_cast<std::size_t>(side); }
    [[nodiscard]] std::uint32_t find(InstrumentId instrument, OrderId id) const;
    void add_instrument(InstrumentId id);
    bool show(InstrumentId instrument, OrderId id, Side side, Price price, Quantity displayed);
    bool show_less(std::uint32_t index, Quantity displayed);
    bool replace(const Event& event);
    bool move(const Event& event);
    void change(const Displayed& order, Quantity more, std::int32_t orders);

    std::uint32_t maximum_instruments_;
    std::vector<Book> books_;
    IndexPool pool_;
    ReservedArray<Displayed> orders_;
    OrderIdMap ids_;
};

inline void MarketDepth::load(const Engine& engine) {
    for (std::uint32_t id = 1; id <= maximum_instruments_; ++id) {
        const InstrumentState* const in = engine.instrument(InstrumentId{id});
        if (in == nullptr) continue;
        add_instrument(in->id());
        for (const Side side : {Side::buy, Side::sell})
            in->book.for_each_order(engine.store(), side, [&](OrderIndex index) {
                const Order& order = engine.store().order(index);
                if (!order.terms().undisplayed())
                    show(in->id(), order.id, side, in->price_of(order.tick), order.quantity);
                return true;
            });
    }
}

}  // namespace damrak::views
