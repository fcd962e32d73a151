// Builds books from recorded order flow: adds, executions, cancels and replaces are applied as they
// happened, without matching rules. A consumer (recorded.hpp) on the hot path of `damrak replay`:
// O(1) and no allocation per message, except when the store is full: it is then replaced by one
// twice as large.
//
// Every id is checked. A message that cannot be applied is an anomaly; it is applied as far as
// possible. An observer sees each change and what was traded (market_statistics.hpp); NoObserver
// leaves no trace in the generated code.
//
// Source: TotalView-ITCH 5.0 specification, sections on adding, modifying and replacing orders.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <damrak/book/book_store.hpp>
#include <damrak/book/order_book.hpp>
#include <damrak/order_flow/anomalies.hpp>
#include <damrak/order_flow/look_ahead.hpp>
#include <damrak/order_flow/recorded.hpp>

namespace damrak::order_flow {

/// Kind of message, passed to an observer with the book. In days of limited depth what the view
/// reveals comes before the participant's message that shows it, and is passed with that; what it
/// conceals comes after.
enum class Change : std::uint8_t { added, executed, reduced, removed, replaced, concealed };
inline constexpr std::size_t k_changes = 6;

/// The observer of a builder that nobody observes; costs nothing.
struct NoObserver {
    static constexpr bool k_observes = false;
};

/// Prices of an instrument are counted in cents until a finer one comes.
class PriceScale {
  public:
    static constexpr unsigned k_coarse_units = 100;

    /// The price in ticks; empty if it needs a finer scale. The price must not be negative.
    [[nodiscard]] std::optional<Tick> tick_of(Price price) const {
        if (fine_) return price.value;
        const auto units = static_cast<std::uint64_t>(price.value);
        const std::uint64_t tick = units / k_coarse_units;
        if (tick * k_coarse_units != units) return std::nullopt;
        return static_cast<Tick>(tick);
    }
    [[nodiscard]] Price price_of(Tick tick) const { return {fine_ ? tick : tick * k_coarse_units}; }
    [[nodiscard]] bool fine() const { return fine_; }
    void refine() { fine_ = true; }

  private:
    bool fine_ = false;
};

/// The book of an instrument with the scale of its prices.
struct BuiltBook {
    OrderBook book;
    PriceScale scale;
};

template <class Observer = NoObserver>
class BookBuilder {
  public:
    /// Enough for most days; it grows as needed.
    static constexpr BookCapacity k_first_capacity{
        .orders = 28'000, .extensions = 0, .levels = 1U << 15U, .ladder_nodes = 1U << 14U};

    explicit BookBuilder(const BookCapacity& capacity = k_first_capacity, Observer observer = {})
        : capacity_{capacity}, store_{capacity}, observer_{std::move(observer)} {}

    InstrumentId declare(std::string_view symbol) {
        books_.emplace_back();
        const InstrumentId id{static_cast<std::uint32_t>(books_.size())};
        if constexpr (Observer::k_observes) observer_.declare(id, symbol);
        return id;
    }

    bool on_add(const At& at, OrderId id, Side side, Price price, Quantity quantity) {
        const Found found = look_up(at.instrument, id);
        if (found.index != 0) [[unlikely]]
            return anomalies_.note(Anomaly::duplicate_order);
        if (!is_sound(quantity)) [[unlikely]]
            return anomalies_.note(Anomaly::invalid_quantity);
        if (!is_sound(price)) [[unlikely]]
            return anomalies_.note(Anomaly::invalid_price);
        insert(found.key, at.instrument, id, side, price, quantity);
        changed(at, Change::added);
        return true;
    }

    bool on_execute(const At& at, OrderId id, Quantity quantity) {
        const Found found = look_up(at.instrument, id);
        if (found.index == 0) [[unlikely]]
            return anomalies_.note(Anomaly::unknown_order);
        if constexpr (Observer::k_observes)
            if (!at.is_broken)
                tell_execution(at, found.index, quantity, price_of(store_.order(found.index)));
        const bool sound = take(found, at.instrument, quantity);
        changed(at, Change::executed);
        return sound;
    }

    bool on_execute_at(const At& at, OrderId id, Quantity quantity, Price price, bool printable) {
        const Found found = look_up(at.instrument, id);
        if (found.index == 0) [[unlikely]]
            return anomalies_.note(Anomaly::unknown_order);
        if constexpr (Observer::k_observes)
            if (printable && !at.is_broken) tell_execution(at, found.index, quantity, price);
        const bool sound = take(found, at.instrument, quantity);
        changed(at, Change::executed);
        return sound;
    }

    bool on_reduce(const At& at, OrderId id, Quantity quantity) {
        const Found found = look_up(at.instrument, id);
        if (found.index == 0) [[unlikely]]
            return anomalies_.note(Anomaly::unknown_order);
        const bool sound = take(found, at.instrument, quantity);
        changed(at, Change::reduced);
        return sound;
    }

    bool on_remove(const At& at, OrderId id) {
        const Found found = look_up(at.instrument, id);
        if (found.index == 0) [[unlikely]]
            return anomalies_.note(Anomaly::unknown_order);
        remove(found, at.instrument);
        changed(at, Change::removed);
        return true;
    }

    /// The new order is on the same side, at the back of its price. If it is invalid, the old order
    /// is removed nevertheless.
    bool on_replace(const At& at, OrderId id, OrderId fresh, Price price, Quantity quantity) {
        const Found found = look_up(at.instrument, id);
        if (found.index == 0) [[unlikely]]
            return anomalies_.note(Anomaly::unknown_order);
        const Side side = store_.order(found.index).terms().side();
        remove(found, at.instrument);
        const Found place = look_up(at.instrument, fresh);
        const bool sound = place.index == 0 && is_sound(quantity) && is_sound(price);
        if (sound) [[likely]]
            insert(place.key, at.instrument, fresh, side, price, quantity);
        changed(at, Change::replaced);
        if (sound) [[likely]]
            return true;
        return anomalies_.note(place.index != 0      ? Anomaly::duplicate_order
                               : !is_sound(quantity) ? Anomaly::invalid_quantity
                                                     : Anomaly::invalid_price);
    }

    bool on_trade(const At& at, TradeKind kind, Price price, Quantity quantity,
                  std::optional<Side> aggressor) {
        if constexpr (Observer::k_observes)
            if (!at.is_broken) observer_.traded(at, kind, price, quantity, aggressor);
        return true;
    }

    bool on_phase(const At& at, StateChange phase) {
        if constexpr (Observer::k_observes) observer_.phase(at, phase);
        return true;
    }

    /// A message that says why an instrument stops or continues: see halt_state.hpp.
    template <class M>
    void on_halt(const At& at, const M& message)
        requires requires(Observer& observer) { observer.halt(at, message); }
    {
        observer_.halt(at, message);
    }

    bool on_indicative(const At& at, const Indicative& value)
        requires requires(Observer& observer) { observer.indicative(at, value); }
    {
        observer_.indicative(at, value);
        return true;
    }

    /// Prefetches what a message about this order will need some messages later. Fetches levels and
    /// neighbouring orders only if there are too many for the nearer caches.
    void ahead(InstrumentId instrument, OrderId id) {
        look_ahead_.tell(store_, instrument, id);
        const bool many_books = books_.size() > k_books_in_cache;
        if (many_books && instrument.value - 1 < books_.size()) fetch(books_[instrument.value - 1]);
        if (!many_books && store_.order_pool.used() < k_orders_in_cache) return;
        const Order& order = look_ahead_.told(store_, 12);
        __builtin_prefetch(&store_.level(order.level), 1);
        __builtin_prefetch(&store_.order(order.next), 1);
        __builtin_prefetch(&store_.order(order.previous), 1);
    }

    /// The current order with this id, or null.
    [[nodiscard]] const Order* find(InstrumentId instrument, OrderId id) const {
        const OrderIndex index = store_.find(instrument, id);
        return index == 0 ? nullptr : &store_.order(index);
    }
    [[nodiscard]] Price price_of(const Order& order) const {
        return scale(order.instrument).price_of(order.tick);
    }

    /// Quantity resting at a price.
    [[nodiscard]] Quantity displayed_at(InstrumentId instrument, Side side, Price price) const {
        const BuiltBook& built = book(instrument);
        const std::optional<Tick> tick =
            price.value < 0 ? std::nullopt : built.scale.tick_of(price);
        if (!tick) return Quantity{0};
        const LevelIndex level = built.book.side(side).find(store_.nodes, price_key(side, *tick));
        return level == 0 ? Quantity{0} : store_.level(level).total;
    }

    [[nodiscard]] std::size_t instruments() const { return books_.size(); }
    [[nodiscard]] const BuiltBook& book(InstrumentId id) const { return books_[id.value - 1]; }
    [[nodiscard]] const BookStore& store() const { return store_; }
    [[nodiscard]] Anomalies& anomalies() { return anomalies_; }
    [[nodiscard]] const Anomalies& anomalies() const { return anomalies_; }
    [[nodiscard]] Observer& observer() { return observer_; }
    [[nodiscard]] const Observer& observer() const { return observer_; }

  private:
    /// As TouchedPrices is.
    static constexpr bool k_tells_prices =
        requires(Observer& one, Price price) { one.touched(Side{}, price); };
    /// With more orders, their cache lines and those of their levels exceed a second-level cache.
    static constexpr std::uint32_t k_orders_in_cache = 1U << 15U;
    static constexpr std::size_t k_books_in_cache = 64;

    static void fetch(const BuiltBook& built) {
        constexpr std::size_t k_line = 64;
        const auto* bytes = reinterpret_cast<const std::byte*>(&built);
        for (std::size_t at = 0; at < sizeof built; at += k_line) __builtin_prefetch(bytes + at, 1);
        __builtin_prefetch(bytes + sizeof built - 1, 1);
    }

    [[nodiscard]] const PriceScale& scale(InstrumentId id) const {
        return books_[id.value - 1].scale;
    }

    // From 1 to 2^32: the range of ITCH, and no sum over orders overflows.
    template <class Tag>
    static bool is_sound(Measure<Tag> value) {
        return static_cast<std::uint64_t>(value.value) - 1 < std::uint64_t{1} << 32U;
    }

    struct Found {
        OrderIdMap::Key key;
        OrderIndex index;
    };
    [[nodiscard, gnu::always_inline]] Found look_up(InstrumentId instrument, OrderId id) const {
        const OrderIdMap::Key key = store_.ids.key_of(instrument, id);
        return {key, store_.find(key, instrument, id)};
    }

    void changed(const At& at, Change change) {
        if constexpr (Observer::k_observes) {
            if (at.by_view) [[unlikely]] {
                if (change != Change::removed) return;
                change = Change::concealed;
            }
            observer_.changed(at, change, store_, books_[at.instrument.value - 1]);
        }
    }

    // What the message says was traded, even if less is known to rest.
    void tell_execution(const At& at, OrderIndex index, Quantity quantity, Price price) {
        if (quantity.value <= 0) return;
        observer_.executed(at, price, quantity, opposite(store_.order(index).terms().side()));
    }

    [[gnu::always_inline]] void insert(OrderIdMap::Key key, InstrumentId instrument, OrderId id,
                                       Side side, Price price, Quantity quantity) {
        std::optional<Tick> tick = scale(instrument).tick_of(price);
        if (room_-- == 0 || !tick) [[unlikely]] {
            make_way(instrument, price);
            key = store_.ids.key_of(instrument, id);
            tick = scale(instrument).tick_of(price);
        }
        put(store_, books_[instrument.value - 1], key, instrument, id, side, *tick, quantity);
        touched(side, price);
    }

    static void put(BookStore& store, BuiltBook& built, OrderIdMap::Key key,
                    InstrumentId instrument, OrderId id, Side side, Tick tick, Quantity quantity) {
        const OrderIndex index = store.order_pool.take();
        Order& order = store.order(index);
        order.id = id;
        order.quantity = quantity;
        order.tick = tick;
        order.rank =
            OrderAttributes(side, OrderType::limit, TimeInForce::day, SelfTradePrevention::none)
                .bits();
        order.instrument = instrument;
        store.ids.insert(key, index);
        built.book.add<Shape::plain>(store, index);
    }

    [[gnu::always_inline]] bool take(const Found& found, InstrumentId instrument,
                                     Quantity quantity) {
        const Quantity open = store_.order(found.index).quantity;
        if (quantity < open && quantity.value > 0) {
            books_[instrument.value - 1].book.reduce(store_, found.index, quantity);
            touched(found.index);
            return true;
        }
        if (quantity.value <= 0) [[unlikely]]
            return anomalies_.note(Anomaly::invalid_quantity);
        remove(found, instrument);
        if (quantity > open) [[unlikely]]
            return anomalies_.note(Anomaly::quantity_too_large);
        return true;
    }

    [[gnu::always_inline]] void remove(const Found& found, InstrumentId instrument) {
        touched(found.index);
        store_.ids.erase(found.key, found.index);
        books_[instrument.value - 1].book.remove(store_, found.index);
        store_.order_pool.give_back(found.index);
    }

    void touched(OrderIndex index) {
        if constexpr (k_tells_prices) {
            const Order& order = store_.order(index);
            touched(order.terms().side(), price_of(order));
        }
    }
    void touched(Side side, Price price) {
        if constexpr (k_tells_prices) observer_.touched(side, price);
    }

    // Number of orders that can certainly be added, at any prices.
    static std::uint32_t room_in(const BookStore& store) {
        return std::min({store.order_pool.available(), store.level_pool.available() / 2,
                         store.nodes.pool().available() / (2 * LadderNodes::k_path)});
    }

    // Makes a larger store, or finer prices: every level moves, so the queues are rebuilt.
    [[gnu::cold, gnu::noinline]] void make_way(InstrumentId instrument, Price price) {
        if (room_in(store_) == 0) {
            capacity_.orders *= 2;
            capacity_.levels *= 2;
            capacity_.ladder_nodes *= 2;
            rebuild({});
        }
        if (!scale(instrument).tick_of(price)) {
            rebuild(instrument);
            books_[instrument.value - 1].scale.refine();
        }
        room_ = room_in(store_) - 1;
    }

    // Moves all orders to a new store in queue order, those of `refined` to finer prices.
    void rebuild(InstrumentId refined) {
        for (;;) {
            BookStore store{capacity_};
            std::vector<BuiltBook> books(books_.size());
            if (copy_orders(store, books, refined)) {
                store_ = std::move(store);
                books_ = std::move(books);
                return;
            }
            capacity_.levels *= 2;  // finer prices share fewer ladder nodes
            capacity_.ladder_nodes *= 2;
        }
    }

    bool copy_orders(BookStore& store, std::vector<BuiltBook>& books, InstrumentId refined) const {
        bool fits = true;
        for (std::size_t i = 0; i < books.size(); ++i) {
            const InstrumentId instrument{static_cast<std::uint32_t>(i + 1)};
            const Tick factor = instrument == refined ? Tick{PriceScale::k_coarse_units} : 1;
            books[i].scale = books_[i].scale;
            for (const Side side : {Side::buy, Side::sell})
                books_[i].book.for_each_order(store_, side, [&](OrderIndex index) {
                    if (room_in(store) == 0) return fits = false;
                    const Order& order = store_.order(index);
                    put(store, books[i], store.ids.key_of(instrument, order.id), instrument,
                        order.id, side, order.tick * factor, order.quantity);
                    return true;
                });
        }
        return fits && room_in(store) > 0;
    }

    BookCapacity capacity_;
    BookStore store_;
    std::uint32_t room_ = 0;  // at least this many orders can be added without another check
    std::vector<BuiltBook> books_;
    LookAhead look_ahead_;
    Anomalies anomalies_;
    [[no_unique_address]] Observer observer_;
};

}  // namespace damrak::order_flow
