#include <damrak/convert/visible_book.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace damrak::convert {

namespace itch = wire::itch;
using lobster::EventType;
using lobster::MessageRow;

namespace {

constexpr std::size_t k_most_out_of_view = 1'000'000;

bool takes_from_order(EventType type) {
    return type == EventType::cancel || type == EventType::remove || type == EventType::execute;
}

}  // namespace

std::vector<VisibleBook::RowLevel> VisibleBook::side_of(lobster::BookRow row, Side side) {
    std::vector<RowLevel> levels;
    levels.reserve(row.size());
    for (const lobster::BookLevel& level : row) {
        const bool asks = side == Side::sell;
        const std::int64_t size = asks ? level.ask_size : level.bid_size;
        if (size > 0)
            levels.push_back({key_of(side, asks ? level.ask_price_e4 : level.bid_price_e4), size});
    }
    return levels;
}

std::int64_t VisibleBook::total(const Place& place) const {
    const auto found = levels(place.side).find(place.key);
    return found == levels(place.side).end() ? 0 : found->second.total;
}

std::int64_t VisibleBook::anonymous_at(const Place& place) const {
    const auto found = levels(place.side).find(place.key);
    std::int64_t sum = 0;
    if (found == levels(place.side).end()) return sum;
    for (const Resting& order : found->second.orders)
        if (itch::is_anonymous(order.reference)) sum += order.quantity;
    return sum;
}

std::size_t VisibleBook::order_in(const Place& place, std::uint64_t reference) const {
    const auto& orders = levels(place.side).at(place.key).orders;
    return static_cast<std::size_t>(std::ranges::find(orders, reference, &Resting::reference) -
                                    orders.begin());
}

VisibleBook::Effect VisibleBook::effect_of(const MessageRow& message) const {
    const Place named{message.side, key_of(message.side, message.price_e4)};
    if (message.type == EventType::add) return {named, message.size};
    if (!takes_from_order(message.type)) return {named, 0};
    const auto found = in_view_.find(message.order_id);
    if (found == in_view_.end()) return {named, -message.size};
    const Place& place = found->second;
    const std::int64_t left =
        levels(place.side).at(place.key).orders[order_in(place, message.order_id)].quantity;
    return {place, -(message.type == EventType::remove ? left : std::min(left, message.size))};
}

std::int64_t VisibleBook::change_at(const Effect& effect, const Place& place) const {
    const bool same = effect.place.side == place.side && effect.place.key == place.key;
    return same ? effect.quantity : 0;
}

bool VisibleBook::changes_best(const MessageRow& message, std::size_t most) const {
    if (message.type >= EventType::execute_hidden) return true;
    const Place place = effect_of(message).place;
    std::size_t better = 0;
    for (const auto& [key, level] : levels(place.side)) {
        if (key >= place.key || better == most) break;
        ++better;
    }
    return better < most;
}

bool VisibleBook::may_lead_to(const MessageRow& message, lobster::BookRow row) const {
    const Effect effect = effect_of(message);
    for (const Side side : {Side::buy, Side::sell}) {
        const auto wanted = side_of(row, side);
        const bool is_whole = wanted.size() < row.size();
        const auto is_shown = [&](Key key) { return is_whole || key <= wanted.back().key; };
        if (effect.place.side == side && message.type < EventType::execute_hidden &&
            !is_shown(effect.place.key))
            return false;
        const auto size_at = [&](Key key) {
            const auto found = std::ranges::find(wanted, key, &RowLevel::key);
            return found == wanted.end() ? 0 : found->size;
        };
        for (const auto& [key, level] : levels(side))
            if (is_shown(key) && level.total + change_at(effect, {side, key}) > size_at(key))
                return false;
        if (effect.place.side == side && effect.quantity > size_at(effect.place.key)) return false;
    }
    return true;
}

VisibleBook::Step VisibleBook::apply(const MessageRow& message, std::optional<lobster::BookRow> row,
                                     std::size_t told_levels, const TakeMessage& take) {
    take_ = &take;
    time_ns_ = message.time_ns;
    step_ = {};
    // What messages named before the first row may have gone without one.
    if (row && !horizon_[0])
        for (const Side side : {Side::buy, Side::sell}) conceal_behind(side, k_best);
    if (message.type == EventType::add && in_view_.contains(message.order_id))
        withdraw(message.order_id);
    if (takes_from_order(message.type)) bring_into_view(message);
    if (!row) {
        publish(message);
        for (const Side side : {Side::buy, Side::sell}) conceal_untold(side, told_levels);
        return std::move(step_);
    }
    const Effect effect = effect_of(message);
    std::vector<RowLevel> wanted[k_sides];
    for (const Side side : {Side::buy, Side::sell}) {
        auto& levels_of_side = wanted[static_cast<std::size_t>(side)];
        levels_of_side = side_of(*row, side);
        match(side, levels_of_side, effect, message);
    }
    publish(message);
    for (const Side side : {Side::buy, Side::sell}) {
        const auto& levels_of_side = wanted[static_cast<std::size_t>(side)];
        const bool is_full = levels_of_side.size() == row->size();
        lower_to(side, levels_of_side);
        conceal_unshown(side, levels_of_side, is_full);
        move_horizon(side, levels_of_side, is_full);
        conceal_untold(side, told_levels);
    }
    return std::move(step_);
}

// An order that the message names is in the book, with at least as much as the message takes.
void VisibleBook::bring_into_view(const MessageRow& message) {
    const auto found = in_view_.find(message.order_id);
    const bool takes_all = message.type == EventType::remove;
    if (found != in_view_.end()) {
        const Place place = found->second;
        const std::size_t order = order_in(place, message.order_id);
        const std::int64_t left = levels(place.side).at(place.key).orders[order].quantity;
        if (takes_all && left != message.size) ++inexact_removals_;
        if (left >= message.size) return;
        // It came into view with the least that it could have; it had more.
        if (take_anonymous(place, message.size - left) > 0) disagree_on_taking(message, place);
        reduce_by_view(place, order_in(place, message.order_id), left);
        return reveal(message.order_id, place, message.size);
    }
    const Place place{message.side, key_of(message.side, message.price_e4)};
    const std::int64_t anonymous = anonymous_at(place);
    std::int64_t quantity = message.size;
    if (const auto went = out_of_view_.find(message.order_id); went != out_of_view_.end()) {
        if (!takes_all) quantity = std::max(quantity, std::min(went->second, anonymous));
        out_of_view_.erase(went);
    }
    // The quantity was at this level before: nothing is revealed but its name. What the level did
    // not have comes into view now.
    reveal(message.order_id, place, quantity);
    if (take_anonymous(place, quantity) > 0) disagree_on_taking(message, place);
}

// The row before showed less at this level than the message takes from it.
void VisibleBook::disagree_on_taking(const MessageRow& message, const Place& place) {
    const std::optional<Key> horizon = horizon_[static_cast<std::size_t>(place.side)];
    if (!horizon || place.key > *horizon || !step_.disagreement.empty()) return;
    step_.disagreement = fmt::format(
        "{} at {}: order {} has {}, more than the level had left for it",
        place.side == Side::buy ? "bid" : "ask", price_of(place), message.order_id, message.size);
}

void VisibleBook::withdraw(std::uint64_t reference) {
    const Place place = in_view_.at(reference);
    const std::size_t order = order_in(place, reference);
    if (step_.disagreement.empty())
        step_.disagreement = fmt::format("order {} is added while it rests", reference);
    reduce_by_view(place, order, levels(place.side).at(place.key).orders[order].quantity);
}

// Before the message: what the row has more or less at its levels than the message explains.
void VisibleBook::match(Side side, const std::vector<RowLevel>& row, const Effect& effect,
                        const MessageRow& message) {
    const std::optional<Key> horizon = horizon_[static_cast<std::size_t>(side)];
    for (const auto& [key, size] : row) {
        const Place place{side, key};
        const std::int64_t expected = total(place) + change_at(effect, place);
        if (expected == size) continue;
        const bool was_beyond = !horizon || key > *horizon;
        if (!was_beyond || expected > size) disagree(side, key, expected, size);
        if (expected < size) {
            reveal(++anonymous_, place, size - expected);
            ++step_.revealed;
        } else if (message.type != EventType::add) {
            const std::int64_t missing = take_anonymous(place, expected - size);
            take_newest(place, missing, message.order_id);
        }
    }
}

// After the message: what is left of an order that the row does not show.
void VisibleBook::lower_to(Side side, const std::vector<RowLevel>& row) {
    for (const auto& [key, size] : row) {
        const Place place{side, key};
        for (std::int64_t more = total(place) - size; more > 0; more = total(place) - size) {
            const auto& orders = levels(side).at(key).orders;
            const Resting newest = orders.back();
            if (newest.quantity > more) {
                reduce_by_view(place, orders.size() - 1, more);
            } else {
                (*take_)(of_view<itch::OrderDelete>(newest.reference));
                lower(place, orders.size() - 1, newest.quantity);
            }
        }
    }
}

// After the message: levels within the row's that it does not show.
void VisibleBook::conceal_unshown(Side side, const std::vector<RowLevel>& row, bool is_full) {
    std::vector<Key> gone;
    for (const auto& [key, level] : levels(side)) {
        if (is_full && key > row.back().key) break;
        if (std::ranges::find(row, key, &RowLevel::key) != row.end()) continue;
        disagree(side, key, level.total, 0);
        gone.push_back(key);
    }
    for (const Key key : gone) conceal({side, key});
}

void VisibleBook::move_horizon(Side side, const std::vector<RowLevel>& row, bool is_full) {
    std::optional<Key>& horizon = horizon_[static_cast<std::size_t>(side)];
    if (!is_full)
        horizon = k_whole_side;
    else if (!horizon || *horizon < row.back().key)
        horizon = row.back().key;
}

// Orders below the best told levels can go without a message. Behind the horizon there may be
// levels that nobody named, as many as prices: only as far as there is room for all of them is a
// level certainly told of.
void VisibleBook::conceal_untold(Side side, std::size_t told_levels) {
    std::optional<Key>& horizon = horizon_[static_cast<std::size_t>(side)];
    if (!horizon) return;
    const Levels& known = levels(side);
    std::size_t room = told_levels;
    auto level = known.begin();
    for (; level != known.end() && level->first <= *horizon && room > 0; ++level) --room;
    if (room == 0) horizon = std::prev(level)->first;
    const Key told =
        *horizon == k_whole_side ? k_whole_side : *horizon + reach({side, *horizon}, room);
    conceal_behind(side, told);
}

void VisibleBook::conceal_behind(Side side, Key key) {
    std::vector<Key> gone;
    for (auto level = levels(side).upper_bound(key); level != levels(side).end(); ++level)
        gone.push_back(level->first);
    for (const Key deeper : gone) conceal({side, deeper});
}

/// The distance within which there are at most that many prices behind this one.
VisibleBook::Key VisibleBook::reach(const Place& place, std::size_t levels) {
    // Displayed prices from a dollar on lie a cent apart, or half a cent for some stocks under
    // Regulation NMS, rule 612, as amended in 2024.
    constexpr std::int64_t k_dollar_e4 = 10'000;
    constexpr std::int64_t k_half_cent_e4 = 50;
    const Key distance = static_cast<Key>(levels) * k_half_cent_e4;
    const std::int64_t lowest = price_of(place) - (place.side == Side::buy ? distance : 0);
    return lowest >= k_dollar_e4 ? distance : static_cast<Key>(levels);
}

void VisibleBook::disagree(Side side, Key key, std::int64_t expected, std::int64_t found) {
    if (!step_.disagreement.empty()) return;
    const char* const name = side == Side::buy ? "bid" : "ask";
    const std::int64_t price = price_of({side, key});
    if (found == 0)
        step_.disagreement =
            fmt::format("{} at {}: expected {}, found no such level", name, price, expected);
    else if (expected == 0)
        step_.disagreement =
            fmt::format("{} at {}: expected no level, found {}", name, price, found);
    else
        step_.disagreement =
            fmt::format("{} at {}: expected {}, found {}", name, price, expected, found);
}

void VisibleBook::reveal(std::uint64_t reference, const Place& place, std::int64_t quantity) {
    add(reference, place, quantity, itch::k_made_by_view);
}

void VisibleBook::add(std::uint64_t reference, const Place& place, std::int64_t quantity,
                      std::uint16_t tracking_number) {
    auto message = message_of<itch::AddOrder>(reference);
    message.tracking_number = tracking_number;
    message.side = place.side;
    message.shares = static_cast<std::uint32_t>(quantity);
    message.stock = stock_;
    message.price_e4 = static_cast<std::uint32_t>(price_of(place));
    (*take_)(message);
    Level& level = levels(place.side)[place.key];
    level.total += quantity;
    level.orders.push_back({reference, quantity});
    in_view_.insert_or_assign(reference, place);
}

void VisibleBook::lower(const Place& place, std::size_t order, std::int64_t quantity) {
    const auto found = levels(place.side).find(place.key);
    Level& level = found->second;
    Resting& resting = level.orders[order];
    resting.quantity -= quantity;
    level.total -= quantity;
    if (resting.quantity > 0) return;
    in_view_.erase(resting.reference);
    level.orders.erase(level.orders.begin() + static_cast<std::ptrdiff_t>(order));
    if (level.orders.empty()) levels(place.side).erase(found);
}

void VisibleBook::reduce_by_view(const Place& place, std::size_t order, std::int64_t quantity) {
    auto message =
        of_view<itch::OrderCancel>(levels(place.side).at(place.key).orders[order].reference);
    message.cancelled_shares = static_cast<std::uint32_t>(quantity);
    (*take_)(message);
    lower(place, order, quantity);
}

std::int64_t VisibleBook::take_anonymous(const Place& place, std::int64_t quantity) {
    for (;;) {
        const auto found = levels(place.side).find(place.key);
        if (quantity == 0 || found == levels(place.side).end()) return quantity;
        const auto& orders = found->second.orders;
        const auto order = std::ranges::find_if(
            orders, [](const Resting& one) { return itch::is_anonymous(one.reference); });
        if (order == orders.end()) return quantity;
        const std::int64_t part = std::min(quantity, order->quantity);
        reduce_by_view(place, static_cast<std::size_t>(order - orders.begin()), part);
        quantity -= part;
    }
}

void VisibleBook::take_newest(const Place& place, std::int64_t quantity, std::uint64_t spared) {
    while (quantity > 0) {
        const auto found = levels(place.side).find(place.key);
        if (found == levels(place.side).end()) return;
        const auto& orders = found->second.orders;
        const auto order = std::find_if(orders.rbegin(), orders.rend(), [&](const Resting& one) {
            return one.reference != spared;
        });
        if (order == orders.rend()) return;
        const std::int64_t part = std::min(quantity, order->quantity);
        reduce_by_view(place, static_cast<std::size_t>(orders.rend() - order) - 1, part);
        quantity -= part;
    }
}

void VisibleBook::conceal(const Place& place) {
    const auto found = levels(place.side).find(place.key);
    for (const Resting& order : found->second.orders) {
        (*take_)(of_view<itch::OrderDelete>(order.reference));
        ++step_.concealed;
        in_view_.erase(order.reference);
        if (!itch::is_anonymous(order.reference)) remember(order.reference, order.quantity);
    }
    levels(place.side).erase(found);
}

void VisibleBook::remember(std::uint64_t reference, std::int64_t quantity) {
    if (!out_of_view_.insert_or_assign(reference, quantity).second) return;
    went_.push_back(reference);
    if (went_.size() <= k_most_out_of_view) return;
    out_of_view_.erase(went_.front());
    went_.pop_front();
}

}  // namespace damrak::convert
