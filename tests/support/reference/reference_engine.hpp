// The rule book, docs/matching-rules.md, in the slowest and simplest C++: lists, linear searches,
// sums recomputed for every check. It shares only the vocabulary with the real engine and is the
// reference for tests. A call costs time in proportion to all open orders.
//
// Not modelled: `levels_full`, since the storage of prices is internal to the engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <damrak/domain/command.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/domain/reason.hpp>

#include "support/reference/state.hpp"

namespace damrak::reference {

/// Section 1: the settings that the rules mention.
struct Settings {
    bool ids_in_commands = false;
    bool ids_apart =
        false;  ///< otherwise: orders that come in undisplayed are counted with all others
    std::uint32_t maximum_instruments = 16;
    std::uint32_t maximum_participants = 64;
    std::uint32_t maximum_orders = 100'000;
    std::uint32_t maximum_extensions = 100'000;
    std::uint32_t maximum_accounts = 1'024;
    /// Of a slice of the engine that is compared; the model has no slices.
    std::uint32_t maximum_events = 4'096;
};

class ReferenceEngine {
  public:
    explicit ReferenceEngine(const Settings& settings) : settings_{settings} {}

    /// Applies one command and replaces the contents of `events` by its events.
    void apply(const Command& command, std::vector<Event>& events);

    [[nodiscard]] const State& state() const { return state_; }

  private:
    /// The entry event of an order: accepted, replaced or triggered.
    struct Announcement {
        EventKind kind{};
        std::uint64_t reference = 0;
        OrderId order_id{};
        Quantity quantity{};
        EventFlags::Bits flags = 0;
    };
    /// Section 5: the progress of matching over the levels.
    struct Matching {
        bool passed_own_in_level = false;
        Reason stopped = Reason::none;
    };
    /// Section 6.
    struct Sum {
        Quantity available{};
        bool final = false;
        bool own_in_level = false;
    };

    void dispatch(const Command& command);
    void reject(const Command& command, Reason reason);

    // Section 2, in checks.cpp: the first reason to reject, or none.
    [[nodiscard]] Reason check_new_order(const Command& command);
    [[nodiscard]] Reason check_terms(const Command& command) const;
    [[nodiscard]] Reason check_phase(const Instrument& instrument, const Command& command) const;
    [[nodiscard]] Reason check_quantity(const Instrument& instrument, Quantity quantity) const;
    [[nodiscard]] Reason check_price(const Instrument& instrument, Price price,
                                     Reason if_not_positive) const;
    [[nodiscard]] Reason check_prices(const Instrument& instrument, OrderType type, Price price,
                                      Price stop_price, bool trails) const;
    [[nodiscard]] Reason check_attributes(const Instrument& instrument,
                                          const Command& command) const;
    [[nodiscard]] static bool may_show(Quantity display, Quantity quantity);
    [[nodiscard]] Reason check_capacity(const Order& order);
    [[nodiscard]] Reason check_target(const Command& command);
    [[nodiscard]] Reason check_cancel(const Command& command);
    [[nodiscard]] Reason check_replace(const Command& command);
    [[nodiscard]] Reason check_mass_cancel(const Command& command) const;
    [[nodiscard]] Reason check_post_only(const Order& order) const;
    [[nodiscard]] bool knows(InstrumentId id) const { return state_.instruments.contains(id); }
    [[nodiscard]] bool knows(ParticipantId id) const;

    // Section 9, in checks.cpp. `replaced` is the order whose share is taken out.
    [[nodiscard]] Reason check_limits(const Order& order, const Order* replaced) const;
    [[nodiscard]] std::int64_t value(const Order& order) const;

    // Sections 4 to 8 and 10, in matching.cpp.
    void enter(Order order, const Announcement& announcement);
    void enter_or_wait(Order order, const Announcement& announcement);
    void enter_crossing(Order& order);
    void collect(Order& order, const Announcement& announcement);
    void announce(const Announcement& announcement, const Order& order);
    [[nodiscard]] bool crosses(const Order& order) const { return first_price(order).has_value(); }
    [[nodiscard]] std::optional<Price> touch(const Order& order) const;
    void match_and_rest(Order& order, bool turn = false);
    [[nodiscard]] bool is_stopped(InstrumentId instrument_id, OrderId id);
    void rest_remainder(Order& order);
    void rest(Order& order);
    [[nodiscard]] Matching match(Order& order);
    void match_level(Order& order, Level& level, Matching& matching);
    void match_queue(Order& order, Queue& queue, Matching& matching);
    void match_undisplayed(Order& order, Level& level, Matching& matching);
    Queue::iterator meet(Order& order, Queue& queue, Queue::iterator at, Matching& matching);
    Queue::iterator prevent_self_trade(Order& order, Queue& queue, Queue::iterator at,
                                       Matching& matching);
    Queue::iterator trade(Order& order, Queue& queue, Queue::iterator at,
                          std::optional<Price> recorded = {}, std::optional<Quantity> most = {});
    [[nodiscard]] bool is_available(const Order& order, Quantity wanted) const;
    void count_queue(const Order& order, const Queue& queue, Sum& sum, bool shared = false) const;
    void count_undisplayed(const Order& order, const Level& level, Sum& sum) const;
    [[nodiscard]] Price price_behind(const Order& order) const;
    [[nodiscard]] bool would_meet_any(const Order& order) const;
    void note_trade(Instrument& instrument, Price traded);
    void elect(Instrument& instrument, Price traded);
    void trigger(Order order);
    void cascade(InstrumentId instrument);
    void take_turns(Instrument& market);
    bool release_next(Instrument& instrument);
    [[nodiscard]] bool must_wait(const Order& order) const;

    // Section 11 and the commands of operators, in reference_engine.cpp.
    void new_order(const Command& command);
    void cancel_order(const Command& command);
    void replace_order(const Command& command);
    void replace_in_place(Order& order, Quantity open);
    void replace_anew(Order fresh, const Command& command, bool repriced);
    void query_order(const Command& command);
    void mass_cancel(const Command& command);
    void add_instrument(const Command& command);
    void add_tick_band(const Command& command);
    void set_trading_state(const Command& command);
    void set_limits(const Command& command);
    void set_participant_state(const Command& command);
    void release_participant(const Command& command);
    void change_trade(const Command& command);
    [[nodiscard]] bool is_sound_correction(const Instrument& market, const Command& command) const;
    void tick(const Command& command);
    void end_day(const Command& command);

    /// Ends orders in visiting order; returns their number.
    std::int64_t end_orders(const Command& scope, EventKind kind, Reason reason,
                            const std::function<bool(const Order&)>& wanted);

    // Section 12, in recorded.cpp.
    void recorded_trade(const Command& command);
    [[nodiscard]] Reason check_recorded_trade(const Command& command);
    [[nodiscard]] std::optional<Found> first_ahead(const Command& command, const Order& tape,
                                                   const Order* target);
    void print_rest(Order& tape, Price price);

    // docs/rule-book/allocation.md, in sharing.cpp.
    void set_allocation(const Command& command);
    void set_lead_maker(const Command& command);
    void note_top(Order& order);
    void match_sharing(Order& order, Queue& queue, Matching& matching);

    // docs/rule-book/phases.md, in auctions.cpp.
    void set_phase(const Command& command);
    void uncross(const Command& command);
    void trade_all(Instrument& market, Price price, std::int64_t executable);
    void trade_in_cross(const Found& buy, const Found& sell, Price price, Quantity quantity);
    void end_batch(Instrument& market);
    void fill(Order& order, Quantity quantity);
    void refresh_slice(const Found& found);
    void end_market_orders(Instrument& instrument, Side side, std::optional<Price> price);

    // docs/rule-book/price-limits.md, in price_limits.cpp.
    [[nodiscard]] Reason check_price_limits(const Order& order) const;
    [[nodiscard]] Price price_of_market_order(const Order& order) const;
    bool limit_prices(Order& order);
    [[nodiscard]] std::optional<Price> next_trade(Order order) const;
    void breach(Order& order);
    [[nodiscard]] bool settle_own_cross(Order& order);
    void cancel_outside_band(Instrument& market);
    void enforce_band(InstrumentId id);
    [[nodiscard]] bool is_in_auction_corridor(const Instrument& market, Price price) const;
    void set_price_limits(const Command& command);
    void set_price_band(const Command& command);

    // docs/rule-book/pegged-orders.md, in pegs.cpp.
    [[nodiscard]] Reason check_peg(const Command& command) const;
    [[nodiscard]] std::optional<Price> peg_price(const Order& order) const;
    [[nodiscard]] Reason peg(Order& order) const;
    void add_peg(Instrument& market, OrderId id);
    static void rename_follower(Instrument& market, OrderId from, OrderId to);
    bool move_next_peg(Instrument& market);
    [[nodiscard]] OrderId next_id(const Order& order);
    [[nodiscard]] std::uint64_t next_public_id(const Order& order);
    [[nodiscard]] static bool comes_into_sight(const Order& order);
    void renew_public_id(Order& order);

    // docs/rule-book/trailing-stops.md and market-to-limit.md, in following.cpp.
    [[nodiscard]] Reason check_trail(const Command& command) const;
    [[nodiscard]] Reason check_to_limit(const Command& command) const;
    [[nodiscard]] Reason set_first_price(Order& order) const;
    [[nodiscard]] Reason set_first_stop(Order& order) const;
    void follow_trades(Instrument& market);
    bool rest_at(const Found& found, Price price);

    // docs/rule-book/combinations.md, in combinations.cpp.
    /// What one unit trades in another book of a combination: with orders of this side.
    struct Share {
        InstrumentId instrument{};
        Side side{};
        std::int64_t ratio = 0;
    };
    struct Implied {
        InstrumentId combination{};
        Price price{};
        std::int64_t units = 0;
    };
    void set_combination(const Command& command);
    [[nodiscard]] bool is_combined(InstrumentId id) const;
    [[nodiscard]] std::vector<Share> shares_of(const Order& order, InstrumentId combination) const;
    [[nodiscard]] bool may_trade_across(const Order& order, const std::vector<Share>& shares) const;
    [[nodiscard]] std::optional<Implied> implied_by(const Order& order,
                                                    InstrumentId combination) const;
    [[nodiscard]] std::optional<Implied> best_implied(const Order& order) const;
    [[nodiscard]] std::optional<Price> first_price(const Order& order) const;
    void fill_across(Instrument& market, Queue& queue, Queue::iterator at, Event event, Price price,
                     Quantity quantity);
    [[nodiscard]] Price trade_shares(const std::vector<Share>& shares, Side side,
                                     std::int64_t units, const Event& event);
    [[nodiscard]] Event new_trade(InstrumentId combination);
    void trade_across(Order& order, InstrumentId combination, std::int64_t units);
    void trade_waiting(InstrumentId id);
    bool trade_waiting(InstrumentId spread, Side side);
    [[nodiscard]] Matching match_combined(Order& order);
    [[nodiscard]] std::optional<Price> price_of_unit(const Order& order, std::int64_t unit) const;
    void enter_basket(Order& order);

    // docs/rule-book/auction-orders.md, in auction_orders.cpp.
    [[nodiscard]] Reason check_auction_terms(const Command& command) const;
    [[nodiscard]] Reason check_auction_phase(const Instrument& market,
                                             const Command& command) const;
    [[nodiscard]] Reason check_changes(const Instrument& market, const Order& order) const;
    void enter_auction_order(Order order, const Announcement& announcement);
    void settle_auction_order(Order& order);
    void join_call(Order& order);
    void attend_call(Instrument& market);
    void trade_surplus(Instrument& market, Price price, Side surplus);
    void end_auction_orders(Instrument& market);

    // docs/rule-book/linked-orders.md, in linked.cpp.
    [[nodiscard]] Reason check_link(const Command& command) const;
    [[nodiscard]] Reason find_other(const Command& command);
    [[nodiscard]] Reason check_change(const Order& order, Price limit);
    void link(const Order& order);
    void unlink(Order& order);
    void count_trades(Order& order);
    void end_link(Order& order, bool filled);
    void cancel_other(Order& order);
    void settle_due();

    // docs/rule-book/quotes.md, in quotes.cpp.
    void quote(const Command& command);
    [[nodiscard]] Reason check_quote(const Command& command);
    [[nodiscard]] Reason check_quote_prices(const Command& command);
    [[nodiscard]] Reason check_quote_limits(const Command& command);
    [[nodiscard]] Reason check_quote_room(const Command& command);
    [[nodiscard]] std::optional<Found> old_side(const Command& command, Side side);
    [[nodiscard]] bool stays(const Command& command, Side side);
    void apply_side(const Command& command, Side side);
    void set_quote_protection(const Command& command);
    void note_quote_trade(const Order& order, Quantity quantity);

    // Events, section 3.
    void emit(const Event& particular, const Order& order);
    void take_away(Order& order, Quantity quantity, Reason reason,
                   EventKind kind = EventKind::cancelled);
    void emit_notice(const Command& command, EventKind kind, std::int64_t quantity,
                     std::int64_t remaining = 0);

    [[nodiscard]] Instrument& instrument(InstrumentId id) { return state_.instruments.at(id); }
    [[nodiscard]] const Instrument& instrument(InstrumentId id) const {
        return state_.instruments.at(id);
    }

    Settings settings_;
    State state_;
    CommandKind current_{};
    Timestamp now_{};
    std::vector<Event>* events_ = nullptr;
    std::uint64_t arrivals_ = 0;
    OrderId latest_stopped_{};                ///< by this command, outside a turn
    std::vector<InstrumentId> combinations_;  ///< as they were set
    std::vector<InstrumentId> due_;           ///< their turns come next
    std::vector<Consequence> consequences_;   ///< before them, as they arose
};

}  // namespace damrak::reference
