// The matching engine: `apply(state, command) -> events`, for as many instruments as it was started
// for. The rules are those of docs/matching-rules.md, whose sections the parts in detail/ cite.
//
// A command returns its events in slices: a command of many events is not done before the last of
// them, and until then the engine takes no other. One thread owns it. A command costs its fills and
// what it passes over; nothing is allocated (but by set_capacities), locked, thrown or called
// virtually after construction, and time is only what commands say.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include <damrak/base/reserved_array.hpp>
#include <damrak/book/book_store.hpp>
#include <damrak/domain/command.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/engine/accounts.hpp>
#include <damrak/engine/cross_shard.hpp>
#include <damrak/engine/detail/incoming.hpp>
#include <damrak/engine/engine_config.hpp>
#include <damrak/engine/expiry_queue.hpp>
#include <damrak/engine/instrument_state.hpp>
#include <damrak/engine/slice.hpp>

namespace damrak {

class Engine {
  public:
    /// Reserves all memory. Throws std::bad_alloc if there is not enough.
    explicit Engine(const EngineConfig& config);

    /// Does what the command says, up to the first slice of its events.
    [[nodiscard]] Slice apply(const Command& command);
    /// Goes on with the command whose last slice said that there is more.
    [[nodiscard]] Slice resume();
    /// Does all of it: `f(event)` for each event.
    template <class F>
    void apply(const Command& command, F&& f);

    /// The same for commands that are queued already, looking ahead at what the next ones touch:
    /// `f(i, slice)` for each slice of the events of `commands[i]`.
    template <class F>
    void apply_queued(std::span<const Command> commands, F&& f);

    /// Under the rules of version 1: the last command left work for a continuation.
    [[nodiscard]] bool left_work() const { return left_work_; }

    /// A digest of all state that later events depend on: orders with their priority, positions,
    /// limits, counters. Equal after equal commands, on every machine. O(instruments).
    [[nodiscard]] std::uint64_t state_hash() const;

    /// Null if there is no such instrument.
    [[nodiscard]] const InstrumentState* instrument(InstrumentId id) const {
        return id.value - 1 < instruments_.size() && instruments_[id.value - 1].exists()
                   ? &instruments_[id.value - 1]
                   : nullptr;
    }
    [[nodiscard]] const BookStore& store() const { return store_; }
    [[nodiscard]] const Accounts& accounts() const { return accounts_; }
    /// With the capacities that hold now.
    [[nodiscard]] const EngineConfig& config() const { return config_; }
    [[nodiscard]] CapacityDetails capacities() const {
        return config_.capacities(anonymous_share_);
    }
    /// When the next order expires, or the largest time if none does: what a `tick` is due for.
    [[nodiscard]] Timestamp next_expiry() const;
    /// Saves or loads all state; see base/archive.hpp. Loaded into an engine that is new, which has
    /// the capacities of the one that was saved then.
    template <class Self, class Archive>
    static void transfer(Self& self, Archive& archive);
    /// Changes with the layout of what is saved.
    [[nodiscard]] static constexpr std::uint32_t state_layout();
    /// Makes a state of rules version 1 that was just loaded one of today's rules. Set-up only.
    void adopt_rules_1();

    // For several engines that do together what one does (cross_shard.hpp):

    [[nodiscard]] StateDigest digest() const;
    [[nodiscard]] PoolPlaces used() const;
    [[nodiscard]] OpenTally open_tally(ParticipantId id) const;
    [[nodiscard]] Holding holding(ParticipantId id) const;
    /// Closes its accounts, of which it has no orders, and makes it as new.
    void release(ParticipantId id);
    /// What anonymous participants have to leave free.
    [[nodiscard]] const PoolPlaces& kept_free() const { return kept_free_; }
    /// Stops that wait and orders aside, each of which may take another price when its turn comes.
    /// Walks over the stops.
    [[nodiscard]] std::uint32_t waiting_orders() const;
    /// When the next order expires, and which of those that expire at the same time is first.
    [[nodiscard]] ExpiryQueue::Rank next_expiry_rank() const;
    /// Drops all other instruments, with their orders and accounts, as if they had never been.
    /// `wanted` is by instrument index.
    void keep_only(const std::vector<bool>& wanted);
    /// A command for one instrument, where other engines have other instruments.
    [[nodiscard]] Slice apply_beside(const Command& command, const OtherShards& others);
    /// One step of a command for all instruments. `part` stays where it is until it is done.
    [[nodiscard]] Slice apply_step(const Command& command, CommandInSteps& in_steps,
                                   const OtherShards& others);

    /// Walks over everything and asserts what must hold, the hash included. Slow: for tests.
    void check_invariants() const;

  private:
    using Incoming = detail::Incoming;
    using Walk = detail::Walk;
    using Supply = detail::Supply;
    using Trade = detail::Trade;
    using Matched = detail::Matched;
    using Work = detail::Work;
    using Ending = detail::Ending;

    // detail/apply.hpp
    [[nodiscard]] Reason dispatch(const Command& command, OrderIdMap::Key key);
    void do_apply(const Command& command, OrderIdMap::Key key);
    void refuse(const Command& command, Reason reason);
    void begin();
    [[nodiscard]] Slice end_slice();
    void suspend(Work work, InstrumentState& in);
    [[nodiscard]] std::size_t apply_run(std::span<const Command> commands, std::size_t first);
    void look_close(const Command& command, OrderIdMap::Key key);
    [[nodiscard]] OrderIdMap::Key key_of(const Command& command) const {
        return store_.ids.key_of(command.instrument, command.order_id);
    }

    // detail/checks.hpp: what is refused, and why.
    [[nodiscard]] InstrumentState* find_instrument(InstrumentId id);
    [[nodiscard]] AccountIndex find_account(InstrumentState& in, ParticipantId participant) const;
    template <OrderType k_type>
    [[nodiscard]] static bool is_plain(const Command& command, OrderAttributes terms);
    [[nodiscard]] Reason check_special(const Command& command, const InstrumentState& in) const;
    [[nodiscard]] Reason check_standing(ParticipantId participant, const InstrumentState& in) const;
    [[nodiscard]] Reason check_prices(const InstrumentState& in, const Command& command,
                                      OrderType type, bool has_stop) const;
    [[nodiscard]] Reason check_details(const Command& command, const InstrumentState& in) const;
    [[nodiscard]] bool may_show(Quantity display, Quantity quantity) const;
    [[nodiscard]] bool may_be_held(const Command& command, AccountIndex account) const;
    [[nodiscard]] Reason check_id(const Command& command, OrderIdMap::Key key) const;
    [[nodiscard]] Reason check_room(AccountIndex account, ParticipantId participant) const;
    [[nodiscard]] Reason check_share(ParticipantId participant, bool is_short) const;
    [[nodiscard]] bool is_short_of_prices() const;
    [[nodiscard]] Reason check_room_special(const Command& command, AccountIndex account) const;
    [[nodiscard]] Reason check_post_only(const InstrumentState& in, OrderAttributes terms,
                                         Quantity open, Tick& tick, bool& repriced) const;
    template <Shape k_shape>
    [[nodiscard]] Reason check_replace(const Command& command, const InstrumentState& in,
                                       const Order& order, Quantity& open, Tick& tick) const;
    template <Shape k_shape>
    [[nodiscard]] Reason check_exposure(const InstrumentState& in, const Order& order,
                                        Quantity open, Price at) const;
    [[nodiscard]] Reason find_own(const Command& command, OrderIdMap::Key key,
                                  OrderIndex& index) const;
    [[nodiscard]] Price reference_price(const InstrumentState& in, OrderType type, Price limit,
                                        Price stop) const;

    // detail/entry.hpp: new orders, and how an order comes to rest.
    [[nodiscard]] Reason new_order(const Command& command, OrderIdMap::Key key);
    template <OrderType k_type>
    [[nodiscard]] Reason new_plain_order(InstrumentState& in, const Command& command,
                                         OrderAttributes terms, OrderIdMap::Key key);
    [[nodiscard]] Reason new_special_order(InstrumentState& in, const Command& command,
                                           OrderIdMap::Key key);
    [[nodiscard]] OrderId admit(InstrumentState& in, const Command& command, OrderIdMap::Key& key,
                                AccountIndex& account);
    void rest_plain(InstrumentState& in, const Command& command, OrderAttributes terms, OrderId id,
                    OrderIdMap::Key key, AccountIndex account, Tick tick, std::int64_t value);
    void enter_plain(InstrumentState& in, const Command& command, OrderAttributes terms, OrderId id,
                     OrderIdMap::Key key, AccountIndex account, Tick tick);
    template <Shape k_shape = Shape::any>
    void enter(Incoming& order, EventKind kind, std::uint64_t reference);
    void enter_crossing(Incoming& order);
    void match_incoming(Incoming& order);
    [[nodiscard]] static bool may_rest(const Incoming& order);
    template <Shape k_shape = Shape::any>
    void rest(Incoming& order);
    void rest_remainder(Incoming& order);
    void drop_remainder(Incoming& order, Reason reason);
    void cancel_incoming(Incoming& order, Quantity quantity, Reason reason);
    void finish(Incoming& order);
    template <Shape k_shape = Shape::any>
    Order& settle(Incoming& order);
    void extend(Incoming order, Order& resting);

    // detail/matching.hpp: price-time matching, and the quantity that is available to it.
    [[nodiscard]] Matched match(Incoming& order);
    [[nodiscard]] Matched match_fronts(Incoming& order);
    [[nodiscard]] Matched match_choosing(Incoming& order);
    [[nodiscard]] bool match_queue(Incoming& order, LevelIndex queue, Walk& walk);
    [[nodiscard]] bool visit(Incoming& order, OrderIndex index, Walk& walk);
    [[nodiscard]] bool match_undisplayed(Incoming& order, PriceKey key, LevelIndex hidden,
                                         Walk& walk);
    [[nodiscard]] bool pass_over(Incoming& order, Walk& walk) const;
    [[nodiscard]] bool prevent_self_trade(Incoming& order, OrderIndex index, Walk& walk);
    bool trade(Incoming& order, OrderIndex index);
    template <bool k_with_conditional>
    bool trade_with(Incoming& order, OrderIndex index);
    void take_level(Incoming& order, Side resting);
    void emit_trade(const Incoming& order, const Order& maker, const Trade& trade);
    void note_trade(InstrumentState& in, Tick tick);
    void release_hold(InstrumentState& in, OrderIndex index);
    void refresh(InstrumentState& in, OrderIndex index);
    [[nodiscard]] bool needs_choice(const Incoming& order) const;

    // detail/available.hpp
    [[nodiscard]] bool available(const Incoming& order, Quantity needed) const;
    void count_queue(const Incoming& order, LevelIndex queue, bool choice, Supply& supply) const;
    void count_supply(const Incoming& order, LevelIndex queue, Supply& supply) const;
    void count_undisplayed(const Incoming& order, PriceKey key, LevelIndex hidden,
                           Supply& supply) const;
    [[nodiscard]] bool note_own(const Incoming& order, const Order& resting, Supply& supply) const;
    [[nodiscard]] std::int64_t slices_of(const Order& order) const;

    // detail/aside.hpp: orders in no queue.
    [[nodiscard]] PriceKey key_of(OrderIndex aside) const;
    [[nodiscard]] PriceKey touch(const InstrumentState& in, Side side, Quantity open) const;
    void hold(Incoming& order) const;
    template <class Open, class F>
    bool for_each_undisplayed(const OrderBook& book, Side side, PriceKey key, LevelIndex hidden,
                              Open&& open, F&& f) const;
    bool release_stopped(InstrumentState& in, Work behind = Work::none);
    void go_on_behind();
    [[nodiscard]] OrderIndex next_released(InstrumentState& in) const;
    [[nodiscard]] bool must_wait(const InstrumentState& in, OrderIndex index) const;
    void enter_again(Incoming order);

    // earlier_rules.cpp
    void set_held_aside(InstrumentState& in);
    void uncross(InstrumentState& in);
    void set_aside(InstrumentState& in, OrderIndex index);

    // detail/cascade.hpp: stops.
    void enter_stop(Incoming order, EventKind kind, std::uint64_t reference, Tick stop_tick);
    void trigger(Incoming order);
    void elect_stops(InstrumentState& in);
    void cascade(InstrumentState& in);
    void take_turns(InstrumentState& in);
    [[nodiscard]] Incoming withdraw(InstrumentState& in, OrderIndex index);
    [[nodiscard]] Reason continue_cascade(const Command& command);

    // detail/amend.hpp: cancel, replace, query.
    [[nodiscard]] Reason cancel_order(const Command& command, OrderIdMap::Key key);
    [[nodiscard]] Reason replace_order(const Command& command, OrderIdMap::Key key);
    void cancel_plain(InstrumentState& in, OrderIndex index, ParticipantId owner,
                      OrderIdMap::Key key);
    void cancel_special(InstrumentState& in, OrderIndex index, OrderIdMap::Key key);
    template <Shape k_shape>
    [[nodiscard]] Reason replace(InstrumentState& in, OrderIndex index, const Command& command);
    void move_plain(InstrumentState& in, OrderIndex index, const Command& command, Quantity open,
                    Tick tick);
    [[nodiscard]] OrderId replaced_id(InstrumentState& in, const Command& command);
    void replace_in_place(InstrumentState& in, OrderIndex index, Quantity open);
    void replace_anew(InstrumentState& in, OrderIndex index, const Command& command, Quantity open,
                      Tick tick, bool repriced);
    void rename(OrderIndex index, OrderId id);
    [[nodiscard]] Reason query_order(const Command& command, OrderIdMap::Key key);

    // detail/admin.hpp: many orders at once, instruments, participants, time.
    template <class F>
    bool visit_orders(InstrumentState& in, F&& f);
    template <class Wanted>
    [[nodiscard]] bool end_orders_in(InstrumentState& in, const Ending& ending, Wanted&& wanted);
    template <class Wanted>
    void end_orders(const Ending& ending, Wanted&& wanted);
    void begin_ending(const Command& command);
    void go_on_ending();
    [[nodiscard]] Reason mass_cancel(const Command& command);
    [[nodiscard]] Reason set_participant_state(const Command& command);
    [[nodiscard]] Reason end_day(const Command& command);
    [[nodiscard]] Reason tick(const Command& command);
    void expire();
    [[nodiscard]] Reason add_instrument(const Command& command);
    [[nodiscard]] Reason add_tick_band(const Command& command);
    [[nodiscard]] Reason set_trading_state(const Command& command);
    [[nodiscard]] Reason set_limits(const Command& command);
    [[nodiscard]] Reason release_participant(const Command& command);
    [[nodiscard]] Reason set_capacities(const Command& command);
    void keep_free(std::uint32_t anonymous_share);
    void reserve(const CapacityDetails& capacities);
    void grow(const CapacityDetails& capacities);
    template <class Self, class Archive>
    static void transfer_state(Self& self, Archive& archive);

    // detail/cross_shard.hpp
    void lend(const OtherShards& others, ParticipantId participant);
    void take_back();
    [[nodiscard]] bool tells(CommandInSteps::Step step) const {
        return in_steps_ == nullptr || in_steps_->step == step;
    }

    // detail/orders.hpp: open orders, their tallies and their end.
    [[nodiscard]] InstrumentState& instrument_of(const Order& order) {
        return instruments_[order.instrument.value - 1];
    }
    [[nodiscard]] ParticipantId owner_of(const Order& order) const {
        return accounts_.account(order.account).participant;
    }
    [[nodiscard]] OrderIdMap::Key key_of(const Order& order) const {
        return store_.ids.key_of(order.instrument, order.id);
    }
    template <Shape k_shape = Shape::any>
    [[nodiscard]] Quantity reserve_of(const Order& order) const;
    template <Shape k_shape = Shape::any>
    [[nodiscard]] Quantity open_of(const Order& order) const;
    template <Shape k_shape = Shape::any>
    [[nodiscard]] Price limit_price(const InstrumentState& in, const Order& order) const;
    template <Shape k_shape = Shape::any>
    [[nodiscard]] std::int64_t value_of(const InstrumentState& in, const Order& order,
                                        Quantity quantity) const;
    template <Shape k_shape = Shape::any>
    [[nodiscard]] std::uint64_t hash_of(const Order& order) const;
    template <Shape k_shape = Shape::any>
    void add_tallies(InstrumentState& in, OrderIndex index);
    void remove_tallies(InstrumentState& in, OrderIndex index);
    void unqueue(InstrumentState& in, OrderIndex index);
    void count_aside(InstrumentState& in, OrderIndex index, std::uint32_t more);
    void release_extension(OrderIndex index);
    template <Shape k_shape = Shape::any>
    void forget(OrderIndex index, OrderIdMap::Key key);
    void take_away(InstrumentState& in, OrderIndex index, Quantity quantity);
    void end_order(InstrumentState& in, OrderIndex index, EventKind kind, Reason reason,
                   OrderIdMap::Key key);
    void cancel_part(InstrumentState& in, OrderIndex index, Quantity quantity, Reason reason);

    // detail/events.hpp
    void emit(const Event& event);
    void emit_entry(Event& event, const Incoming& order, std::uint64_t reference);
    void emit_reject(const Command& command, Reason reason);
    void emit_plain(EventKind kind, InstrumentId instrument, ParticipantId participant,
                    std::int64_t quantity, std::int64_t remaining = 0);
    [[nodiscard]] Event event_of(const Incoming& order, EventKind kind, Reason reason) const;
    template <Shape k_shape = Shape::any>
    [[nodiscard]] Event event_of(const InstrumentState& in, const Order& order, EventKind kind,
                                 Reason reason) const;
    /// In this slice.
    [[nodiscard]] std::uint32_t events_used() const {
        return static_cast<std::uint32_t>(next_event_ - events_.data());
    }
    [[nodiscard]] std::uint32_t events_left() const {
        return config_.maximum_events - events_used();
    }
    /// A few stay in the nearest cache by themselves.
    [[nodiscard]] bool has_many_instruments() const { return config_.maximum_instruments > 16; }
    /// Whether the events of a command are bounded, as they were once.
    [[nodiscard]] bool bounded() const { return config_.rules_version == 1; }

    /// Before a step that may take so many events, so many must be left.
    static constexpr std::uint32_t k_event_margin = 8;
    /// Of an order that rests under a condition.
    static constexpr std::uint16_t k_conditional =
        OrderAttributes::k_held | OrderAttributes::k_aside;
    /// Of a participant in an instrument.
    static constexpr std::uint32_t k_most_held_orders = 100;
    /// How far apply_queued() looks ahead, and how many commands it applies before it tells.
    static constexpr std::size_t k_far = 8;
    static constexpr std::size_t k_run = 64;

    EngineConfig config_;
    BookStore store_;
    Accounts accounts_;
    ExpiryQueue expiries_;
    std::vector<InstrumentState> instruments_;  ///< by instrument index
    std::uint32_t anonymous_share_ = 100;
    PoolPlaces kept_free_{};

    // Of the command that is applied.
    ReservedArray<Event> events_;  ///< of this slice
    Event* next_event_;
    CommandKind command_{};
    Work work_{};                    ///< that is left for the next slice
    Work behind_{};                  ///< and what goes on then
    OrderIndex latest_stopped_ = 0;  ///< otherwise than in a turn
    OrderIndex turning_ = 0;         ///< whose turn it is
    bool left_work_ = false;
    CommandInSteps* in_steps_ = nullptr;  ///< of a command that is done step by step
    detail::Suspended suspended_{};
    std::optional<detail::Lent> lent_;
    std::array<OrderIdMap::Key, k_far> keys_{};     ///< of the commands that come
    std::array<const Event*, k_run> event_ends_{};  ///< of the commands of a run
};

}  // namespace damrak

#include <damrak/engine/detail/apply.hpp>
#include <damrak/engine/detail/saved.hpp>
