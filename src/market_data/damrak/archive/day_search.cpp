#include <damrak/archive/day_search.hpp>

#include <optional>
#include <type_traits>

#include <damrak/archive/broken_trades.hpp>
#include <damrak/archive/day_cursor.hpp>
#include <damrak/archive/into_flow.hpp>
#include <damrak/archive/known_parts.hpp>
#include <damrak/order_flow/book_builder.hpp>
#include <damrak/order_flow/itch_flow.hpp>
#include <damrak/wire/itch/view_mark.hpp>
#include <damrak/wire/itch/walk.hpp>

namespace damrak::archive {

namespace itch = wire::itch;

namespace {

/// Follows one order through the book of its instrument.
class Follower {
  public:
    Follower(const Day& day, std::uint64_t reference)
        : flow_{builder_, order_flow::Selection{.marks = day.marks()}},
          parts_(day.depth(), day.marks()),
          reference_(reference) {}

    [[nodiscard]] const OrderLife& life() const { return life_; }
    /// The order was in the book and has left it for good.
    [[nodiscard]] bool is_over() const {
        // Otherwise it can come back, or have more than is known.
        return is_followed() && !parts_.may_exist() && order() == nullptr &&
               !life_.steps.back().made_by_view;
    }

    bool on(std::uint64_t sequence, const auto& message) {
        using M = std::remove_cvref_t<decltype(message)>;
        const bool was_open = order() != nullptr;
        const bool was_part = parts_.has(reference_);
        bool names_it = false;
        if constexpr (requires { message.order_ref; }) names_it = message.order_ref == reference_;
        if constexpr (requires { flow_.on(message); }) static_cast<void>(flow_.on(message));
        parts_.note(message);
        if constexpr (std::is_same_v<M, itch::OrderReplace>)
            if (is_followed() && message.order_ref == reference_)
                reference_ = message.new_order_ref;
        if (was_open && order() == nullptr)
            has_ended_ = !flow_.marks().is_by_view(message) &&
                         (!was_part || std::is_same_v<M, itch::OrderDelete>);
        // A level that leaves the view does so order by order, and nothing happens to the others.
        if (std::is_same_v<M, itch::OrderDelete> && !names_it && parts_.may_exist() &&
            flow_.marks().is_by_view(message))
            return true;
        note({.sequence = sequence,
              .time_ns = message.timestamp_ns,
              .type = itch::Layout<M>::k_type,
              .made_by_view = flow_.marks().is_by_view(message)},
             message.stock_locate, names_it);
        return !is_over();
    }

  private:
    [[nodiscard]] bool is_followed() const { return !life_.steps.empty(); }
    [[nodiscard]] const Order* order() const {
        const InstrumentId id = flow_.instrument(life_.locate);
        return id ? builder_.find(id, OrderId{reference_}) : nullptr;
    }
    void note(OrderStep step, std::uint16_t locate, bool names_it) {
        if (is_followed() && locate != life_.locate) return;
        if (!is_followed()) {
            const InstrumentId id = flow_.instrument(locate);
            const Order* const found = id ? builder_.find(id, OrderId{reference_}) : nullptr;
            if (found == nullptr) return;
            life_.locate = locate;
            life_.side = found->terms().side();
        }
        step.reference = reference_;
        if (const Order* const open = order(); open != nullptr) {
            step.price_e4 = static_cast<std::uint32_t>(builder_.price_of(*open).value);
            step.shares = static_cast<std::uint32_t>(open->quantity.value);
            bool is_certain = is_whole(*open);
            for (OrderIndex i = open->previous; i != 0; i = builder_.store().order(i).previous) {
                const Order& ahead = builder_.store().order(i);
                is_certain &= is_whole(ahead);
                ++*step.orders_ahead;
                *step.shares_ahead += static_cast<std::uint64_t>(ahead.quantity.value);
            }
            // What came into view may have been ahead.
            for (OrderIndex i = parts_.may_exist() ? open->next : 0; i != 0;
                 i = builder_.store().order(i).next)
                is_certain &= is_whole(builder_.store().order(i));
            if (!is_whole(*open)) step.shares.reset();
            if (!is_certain) step.orders_ahead = step.shares_ahead = std::nullopt;
        } else if (is_followed()) {
            step.price_e4 = life_.steps.back().price_e4;
            if (!has_ended_) step.shares = step.orders_ahead = step.shares_ahead = std::nullopt;
        }
        if (!is_followed() || names_it || changes(life_.steps.back(), step))
            life_.steps.push_back(step);
    }
    [[nodiscard]] bool is_whole(const Order& order) const {
        return !itch::is_anonymous(order.id.value) && !parts_.has(order.id.value);
    }
    [[nodiscard]] static bool changes(const OrderStep& before, const OrderStep& now) {
        return before.reference != now.reference || before.shares != now.shares ||
               before.price_e4 != now.price_e4 || before.orders_ahead != now.orders_ahead ||
               before.shares_ahead != now.shares_ahead;
    }

    order_flow::BookBuilder<> builder_;
    order_flow::ItchFlow<order_flow::BookBuilder<>> flow_;
    KnownParts parts_;
    bool has_ended_ = false;  ///< it is known that nothing is left of the order
    std::uint64_t reference_;
    OrderLife life_;
};

/// The instrument of the order with this reference.
Answer<std::optional<std::uint16_t>> locate_of(const Day& day, std::uint64_t reference) {
    Answer<std::optional<std::uint16_t>> answer;
    std::optional<std::uint16_t>& found = answer.value;
    DayCursor cursor{day};
    answer.completeness = read_messages(cursor, [&](std::uint64_t, const auto& message) {
        if constexpr (requires { message.attribution; } ||
                      std::is_same_v<std::remove_cvref_t<decltype(message)>, itch::AddOrder>) {
            if (message.order_ref == reference) found = message.stock_locate;
        } else if constexpr (requires { message.new_order_ref; }) {
            if (message.new_order_ref == reference) found = message.stock_locate;
        }
        return !found;
    });
    return answer;
}

}  // namespace

Completeness for_each_message(const Day& day, const DayRange& range, const OnMessage& on_message) {
    DayCursor cursor{day, range};
    return read_messages(cursor, [&](std::uint64_t sequence, const auto& message) {
        if (message.timestamp_ns > range.until_ns || sequence > range.until) return false;
        if ((!range.locate || message.stock_locate == *range.locate) &&
            message.timestamp_ns >= range.from_ns && sequence > range.after)
            on_message(sequence, itch::Message{message});
        return true;
    });
}

Answer<std::vector<DayTrade>> trades(const Day& day, std::uint16_t locate,
                                     const TradeWindow& window) {
    Answer<std::vector<DayTrade>> answer;
    std::vector<DayTrade>& found = answer.value;
    const auto broken = broken_trades(day);
    order_flow::BookBuilder<> builder;
    order_flow::ItchFlow flow{builder, order_flow::Selection{.marks = day.marks()}};
    const auto on_message = [&](std::uint64_t sequence, const auto& message) {
        using M = std::remove_cvref_t<decltype(message)>;
        if (message.timestamp_ns > window.to_ns || found.size() == window.limit) return false;
        if (message.stock_locate != locate) return true;
        if constexpr (requires { message.match_number; } && !std::is_same_v<M, itch::BrokenTrade>) {
            const DayTrade trade = trade_of(sequence, message, flow, builder);
            // An auction of nothing is no trade.
            if (message.timestamp_ns >= window.from_ns && sequence > window.after &&
                trade.shares > 0) {
                found.push_back(trade);
                found.back().is_broken = broken.value.has(message.match_number);
            }
        }
        if constexpr (requires { flow.on(message); }) static_cast<void>(flow.on(message));
        return true;
    };
    DayCursor cursor =
        DayCursor::with_books(day,
                              {.locate = locate,
                               .from_ns = window.from_ns,
                               .until_ns = window.to_ns,
                               .after = window.after},
                              [&flow](std::span<const std::byte> frames) {
                                  IntoFlow visitor{flow};
                                  return itch::walk(frames, visitor).end != itch::WalkEnd::fault;
                              });
    answer.completeness = read_messages(cursor, on_message);
    answer.completeness.add(broken.completeness);
    return answer;
}

Answer<OrderLife> order_life(const Day& day, std::uint64_t reference) {
    const auto locate = locate_of(day, reference);
    if (!locate.value) return {.value = {}, .completeness = locate.completeness};
    Follower follower{day, reference};
    DayCursor cursor{day, {.locate = locate.value}};
    auto completeness = read_messages(cursor, [&](std::uint64_t sequence, const auto& message) {
        return message.stock_locate != *locate.value || follower.on(sequence, message);
    });
    return {.value = follower.life(), .completeness = std::move(completeness)};
}

}  // namespace damrak::archive
