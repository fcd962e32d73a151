// All state of one engine: what commands change, and the progress of the current command. The parts
// of the engine in detail/ are functions of it; engine.hpp is its public interface.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <damrak/auction/allocation.hpp>
#include <damrak/auction/curves.hpp>
#include <damrak/base/inline.hpp>
#include <damrak/base/reserved_array.hpp>
#include <damrak/book/book_store.hpp>
#include <damrak/domain/command.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/engine/accounts.hpp>
#include <damrak/engine/combinations.hpp>
#include <damrak/engine/cross_shard.hpp>
#include <damrak/engine/detail/changed_trades.hpp>
#include <damrak/engine/detail/expiry_queue.hpp>
#include <damrak/engine/detail/incoming.hpp>
#include <damrak/engine/detail/quote_protections.hpp>
#include <damrak/engine/engine_config.hpp>
#include <damrak/engine/instrument_state.hpp>

namespace damrak::detail {

/// A step that may emit this many events needs as much room in the slice.
inline constexpr std::uint32_t k_event_margin = 8;
/// Per participant and instrument.
inline constexpr std::uint32_t k_most_held_orders = 100;

/// Progress of the current command.
struct Progress {
    CommandKind command{};
    Timestamp now{};                ///< of the command
    Work work{};                    ///< left for the next slice
    Work behind{};                  ///< continues after that
    OrderIndex latest_stopped = 0;  ///< the order stopped last outside a turn
    OrderIndex turning = 0;         ///< the order whose turn it is
    /// Of the trades of this command since trailing stops moved last; zero: none.
    Tick highest_trade = 0;
    Tick lowest_trade = 0;
    OrderList due;                       ///< orders that are due because of another one
    CommandInSteps* in_steps = nullptr;  ///< set if the command is applied in steps
    Suspended suspended{};
    std::array<Round, 2> rounds{};  ///< matching: the first; auction of a batch: by side
    std::optional<Lent> lent;
    TradeAcross across{};
    OwnPrices own_prices{};
};

/// Room for the orders at one price while they share an incoming order, or for those that trade in
/// the auction of a batch.
struct Sharing {
    explicit Sharing(std::size_t most_orders)
        : orders(most_orders), terms(most_orders), fills(most_orders), scratch(most_orders) {}

    ReservedArray<OrderIndex> orders;
    ReservedArray<auction::RestingOrder> terms;
    ReservedArray<Quantity> fills;
    ReservedArray<std::uint32_t> scratch;
};

struct EngineState {
    /// Reserves all memory. Throws std::bad_alloc if there is not enough.
    explicit EngineState(const EngineConfig& configuration)
        : config(configuration),
          store(config.book_capacity()),
          accounts(config.maximum_participants, config.maximum_accounts),
          expiries(config.maximum_extensions),
          changed_trades(config.maximum_instruments),
          quote_protections(config.maximum_instruments),
          combinations(config.maximum_instruments),
          instruments(config.maximum_instruments),
          private_order_numbers(config.maximum_instruments),
          call_levels(config.maximum_prices()),
          sharing(config.maximum_orders),
          events(config.maximum_events),
          next_event(events.data()) {}

    EngineConfig config;  ///< with the current capacities
    BookStore store;
    Accounts accounts;
    ExpiryQueue expiries;
    ChangedTrades changed_trades;
    QuoteProtections quote_protections;
    Combinations combinations;
    std::vector<InstrumentState> instruments;  ///< by instrument index
    /// Number of the last order that has a private id, by instrument index.
    std::vector<std::uint64_t> private_order_numbers;
    std::uint32_t anonymous_share = 100;  ///< percent of each pool
    PoolPlaces kept_free{};               ///< slots that anonymous participants must leave

    ReservedArray<auction::PriceLevel> call_levels;  ///< of the auction whose price is sought
    Sharing sharing;
    ReservedArray<Event> events;  ///< of the current slice
    Event* next_event;
    Progress progress{};

    DAMRAK_HOT void emit(const Event& event) { *next_event++ = event; }
    /// In the current slice.
    [[nodiscard]] std::uint32_t events_used() const {
        return static_cast<std::uint32_t>(next_event - events.data());
    }
    [[nodiscard]] std::uint32_t events_left() const {
        return config.maximum_events - events_used();
    }
    /// The slice is full: the next one continues with `work`.
    void suspend(Work work, InstrumentState& in) {
        progress.work = work;
        progress.suspended.in = &in;
    }
    /// Whether this engine emits the events of that step.
    [[nodiscard]] bool tells(CommandInSteps::Step step) const {
        return progress.in_steps == nullptr || progress.in_steps->step == step;
    }

    /// A few instruments stay in the first-level cache anyway.
    [[nodiscard]] bool has_many_instruments() const { return config.maximum_instruments > 16; }
    [[nodiscard]] CapacityDetails capacities() const { return config.capacities(anonymous_share); }

    /// Null if there is no such instrument.
    [[nodiscard]] DAMRAK_HOT InstrumentState* find_instrument(InstrumentId id) {
        const std::uint32_t index = id.value - 1;
        if (index >= config.maximum_instruments || !instruments[index].exists()) return nullptr;
        return &instruments[index];
    }
    [[nodiscard]] const InstrumentState* find_instrument(InstrumentId id) const {
        return const_cast<EngineState*>(this)->find_instrument(id);  // it changes nothing
    }
    [[nodiscard]] InstrumentState& instrument_of(const Order& order) {
        return instruments[order.instrument.value - 1];
    }
    /// For an order that is not displayed when it comes in.
    [[nodiscard]] OrderId next_private_id(InstrumentId id) {
        return {allocated_id(id, ++private_order_numbers[id.value - 1] | k_private_order)};
    }
    [[nodiscard]] ParticipantId owner_of(const Order& order) const {
        return accounts.account(order.account).participant;
    }
    [[nodiscard]] OrderIdMap::Key key_of(const Order& order) const {
        return store.ids.key_of(order.instrument, order.id);
    }
    [[nodiscard]] OrderIdMap::Key key_of(const Command& command) const {
        return store.ids.key_of(command.instrument, command.order_id);
    }
};

}  // namespace damrak::detail
