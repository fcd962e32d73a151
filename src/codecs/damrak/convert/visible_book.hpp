// The part of an instrument's book that a LOBSTER pair shows, order by order where it names them:
// each message of the pair, and the row of the order book file after it, become ITCH messages that
// lead from one such book to the next (wire/itch/view_mark.hpp). After each step the levels are
// those of the row. One thread; some hundred nanoseconds a step. Memory: the visible orders, and
// the last million orders that went out of view.
//
// What a row shows beyond the known orders is anonymous quantity. A message about an order that is
// not in view takes it out of that quantity first, so that the order lives on under its reference.
// Anonymous quantity stands ahead of the orders added after it. Where message and row disagree, the
// row wins and the step says so.
//
// Feeds of levels have rows alone: show() tells what changed within the view as orders of anonymous
// quantity that participants enter and cancel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <damrak/lobster/pair.hpp>
#include <damrak/wire/itch/messages.hpp>
#include <damrak/wire/itch/view_mark.hpp>

namespace damrak::convert {

using TakeMessage = std::function<void(const wire::itch::Message&)>;

class VisibleBook {
  public:
    VisibleBook(const wire::itch::Stock& stock, std::uint16_t locate)
        : stock_{stock},
          locate_{locate},
          anonymous_{wire::itch::k_anonymous | std::uint64_t{locate - 1U} << k_locate_shift} {}

    /// What a message and its row changed in the visible book, and whether they agree.
    struct Step {
        std::string disagreement;  ///< of message and row, the first of them; empty: none
        std::uint64_t revealed = 0;
        std::uint64_t concealed = 0;
    };

    /// The message, and the row after it if there is one; passes what happens to `take`. Messages
    /// tell all that happens at the best `told_levels` of each side, at least as many as a row has;
    /// a level stays in view as long as it is certainly one of them. Prices and sizes must be
    /// within what ITCH carries (check() of lobster_day.cpp).
    Step apply(const lobster::MessageRow& message, std::optional<lobster::BookRow> row,
               std::size_t told_levels, const TakeMessage& take);

    /// A row that no message explains. What it shows comes into view, leaves it, or was changed by
    /// participants; the book is never crossed meanwhile unless a row is.
    void show(std::int64_t time_ns, lobster::BookRow row, const TakeMessage& take);

    /// Whether the message changes one of the best `levels` of its side.
    [[nodiscard]] bool changes_best(const lobster::MessageRow& message, std::size_t levels) const;
    /// Whether the book after this message may be the row: nothing that is known contradicts it.
    [[nodiscard]] bool may_lead_to(const lobster::MessageRow& message, lobster::BookRow row) const;

    /// Rows of type 3 whose size is not what was left of the order.
    [[nodiscard]] std::uint64_t inexact_removals() const { return inexact_removals_; }

  private:
    struct Resting {
        std::uint64_t reference;
        std::int64_t quantity;
    };
    struct Level {
        std::int64_t total = 0;
        std::vector<Resting> orders;  ///< by priority
    };
    /// A price so that the best of a side comes first: negative for bids.
    using Key = std::int64_t;
    using Levels = std::map<Key, Level>;
    struct Place {
        Side side;
        Key key;
    };
    /// What the message does to the total of one level.
    struct Effect {
        Place place;
        std::int64_t quantity;
    };
    struct RowLevel {
        Key key;
        std::int64_t size;
    };

    static Key key_of(Side side, std::int64_t price_e4) {
        return side == Side::sell ? price_e4 : -price_e4;
    }
    static std::int64_t price_of(const Place& place) {
        return place.side == Side::sell ? place.key : -place.key;
    }
    static std::vector<RowLevel> side_of(lobster::BookRow row, Side side);

    [[nodiscard]] Levels& levels(Side side) { return sides_[static_cast<std::size_t>(side)]; }
    [[nodiscard]] const Levels& levels(Side side) const {
        return sides_[static_cast<std::size_t>(side)];
    }
    [[nodiscard]] std::int64_t total(const Place& place) const;
    [[nodiscard]] std::int64_t anonymous_at(const Place& place) const;
    [[nodiscard]] Effect effect_of(const lobster::MessageRow& message) const;
    [[nodiscard]] std::int64_t change_at(const Effect& effect, const Place& place) const;

    void bring_into_view(const lobster::MessageRow& message);
    void disagree_on_taking(const lobster::MessageRow& message, const Place& place);
    void withdraw(std::uint64_t reference);
    void match(Side side, const std::vector<RowLevel>& row, const Effect& effect,
               const lobster::MessageRow& message);
    void lower_to(Side side, const std::vector<RowLevel>& row);
    void conceal_unshown(Side side, const std::vector<RowLevel>& row, bool is_full);
    void move_horizon(Side side, const std::vector<RowLevel>& row, bool is_full);
    void conceal_untold(Side side, std::size_t told_levels);
    [[nodiscard]] static Key reach(const Place& place, std::size_t levels);
    void conceal_behind(Side side, Key key);
    void publish(const lobster::MessageRow& message);
    void execute(const lobster::MessageRow& message, const Place& place);

    void reveal(std::uint64_t reference, const Place& place, std::int64_t quantity);
    void reduce_by_view(const Place& place, std::size_t order, std::int64_t quantity);
    /// Takes from the anonymous quantity of a level, oldest first; returns what was missing.
    std::int64_t take_anonymous(const Place& place, std::int64_t quantity);
    void take_newest(const Place& place, std::int64_t quantity, std::uint64_t spared);
    void conceal(const Place& place);
    void remember(std::uint64_t reference, std::int64_t quantity);
    /// Takes from an order in the book, and drops it and its level when nothing is left.
    void lower(const Place& place, std::size_t order, std::int64_t quantity);
    [[nodiscard]] std::size_t order_in(const Place& place, std::uint64_t reference) const;
    void disagree(Side side, Key key, std::int64_t expected, std::int64_t found);
    void reveal_deeper(Side side, const std::vector<RowLevel>& row);
    void take_what_went(Side side, const std::vector<RowLevel>& row, bool is_full);
    void add_what_came(Side side, const std::vector<RowLevel>& row);
    void add(std::uint64_t reference, const Place& place, std::int64_t quantity,
             std::uint16_t tracking_number);

    template <class M>
    [[nodiscard]] M message_of(std::uint64_t reference) const;
    template <class M>
    [[nodiscard]] M of_view(std::uint64_t reference) const;

    wire::itch::Stock stock_;
    std::uint16_t locate_;
    static constexpr std::size_t k_sides = 2;
    Levels sides_[k_sides];
    std::unordered_map<std::uint64_t, Place> in_view_;
    /// What was left of orders that went out of view, and in which order they went.
    std::unordered_map<std::uint64_t, std::int64_t> out_of_view_;
    std::deque<std::uint64_t> went_;
    static constexpr Key k_whole_side = std::numeric_limits<Key>::max();
    static constexpr Key k_best = std::numeric_limits<Key>::min();  ///< before every price
    /// All is known up to here: the deepest level that a row showed and messages told of ever
    /// since; empty: no row came yet.
    std::optional<Key> horizon_[k_sides];
    /// References of different instruments differ.
    static constexpr unsigned k_locate_shift = 40;
    std::uint64_t anonymous_;  ///< the last reference
    std::uint64_t matches_ = 0;
    std::uint64_t inexact_removals_ = 0;
    // Of the step that is being made.
    const TakeMessage* take_ = nullptr;
    std::int64_t time_ns_ = 0;
    Step step_;
};

template <class M>
M VisibleBook::message_of(std::uint64_t reference) const {
    M message;
    message.stock_locate = locate_;
    message.timestamp_ns = time_ns_;
    message.order_ref = reference;
    return message;
}

template <class M>
M VisibleBook::of_view(std::uint64_t reference) const {
    M message = message_of<M>(reference);
    message.tracking_number = wire::itch::k_made_by_view;
    return message;
}

}  // namespace damrak::convert
