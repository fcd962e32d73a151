#include <damrak/sequencer/detail/shard_budget.hpp>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include <damrak/book/price_ladder.hpp>

namespace damrak::sequencer {

namespace {

// Free levels that an engine requires for a new price (BookStore::has_room_for_price): the most
// that one order uses by resting.
constexpr std::int64_t k_levels_of_order = 3;
constexpr std::int64_t k_nodes_of_order = std::int64_t{2} * LadderNodes::k_path;

// The most that the quantity can add to the open value, saturated at the largest 64-bit number.
std::int64_t value_of(const Command& command, bool may_reprice, Price largest_value) {
    if (command.quantity.value <= 0) return 0;  // rejected anyway
    // A pegged order may move to any price; a replace does not say whether its order is one.
    const bool own_price =
        command.kind == CommandKind::replace_order ||
        (!has_flag(command, CommandFlags::k_pegged) &&
         (command.order_type == OrderType::limit || is_stop(command.order_type)));
    const auto size = [](Price signed_price) {
        return std::abs(std::max(signed_price.value, -std::numeric_limits<std::int64_t>::max()));
    };
    std::int64_t price = std::max(size(command.price), size(command.order.stop_price));
    if (!own_price || may_reprice) price = std::max(price, largest_value.value);
    std::int64_t value = 0;
    if (__builtin_mul_overflow(price, command.quantity.value, &value))
        return std::numeric_limits<std::int64_t>::max();
    return value;
}

// Orders whose limits change while they are open, or that have none yet.
constexpr CommandFlags::Bits k_moving =
    CommandFlags::k_pegged | CommandFlags::k_trailing | CommandFlags::k_to_limit;

// A quote as one order of at least its value.
Command as_order(const Command& quote) {
    Command order{};
    order.kind = CommandKind::new_order;
    constexpr std::int64_t k_most = std::numeric_limits<std::int64_t>::max();
    for (const Price price : {quote.price, quote.quote.ask_price})
        order.price.value =
            std::max({order.price.value, price.value, -std::max(price.value, -k_most)});
    if (__builtin_add_overflow(quote.quantity.value, quote.quote.ask_quantity.value,
                               &order.quantity.value))
        order.quantity.value = k_most;
    return order;
}

}  // namespace

ShardBudget::ShardBudget(const EngineConfig& config)
    : config_(config), by_participant_(config.maximum_participants + std::size_t{1}) {
    renew({}, 0);
}

ShardBudget::Room ShardBudget::needs_of(const Command& command) {
    if (command.kind == CommandKind::replace_order) return {.prices = 1};
    if (command.kind == CommandKind::quote)
        return {.prices = 2, .orders = 2, .extensions = 2, .accounts = 1};
    const bool pegged = has_flag(command, CommandFlags::k_pegged);
    const bool linked = has_flag(command, CommandFlags::k_linked);
    const bool moves = is_stop(command.order_type) || pegged || linked;
    const bool extended =
        moves || has_flag(command, CommandFlags::k_to_limit) ||
        command.time_in_force == TimeInForce::gtd || command.order.display_quantity != Quantity{} ||
        command.order.minimum_quantity != Quantity{} || is_for_auctions(command.time_in_force);
    // A stop takes a price level while it waits, and may take another one once triggered; a pegged
    // order leaves one for another. The order that a new one is linked to needs an extension, too.
    return {.prices = moves ? 2 : 1,
            .orders = 1,
            .extensions = linked     ? 2
                          : extended ? 1
                                     : 0,
            .accounts = 1};
}

bool ShardBudget::take(const Command& command, Price largest_value) {
    switch (command.kind) {
        case CommandKind::new_order:
        case CommandKind::replace_order:
        case CommandKind::quote:
            break;
        case CommandKind::cancel_order:  // orders that it stopped may then be displayed
            return room_.prices >= 0;
        case CommandKind::recorded_trade:
            return room_.prices >= 0 && take_account(command.participant);
        case CommandKind::query_order:
            return true;
        default:
            return false;
    }
    const Room needs = needs_of(command);
    const ParticipantId id = command.participant;
    const bool anonymous =
        id.value >= by_participant_.size() || by_participant_[id.value].anonymous;
    const Room kept = anonymous ? kept_free_ : Room{};
    if (needs.prices > room_.prices - kept.prices || needs.orders > room_.orders - kept.orders ||
        needs.extensions > room_.extensions - kept.extensions ||
        needs.accounts > room_.accounts - kept.accounts)
        return false;
    // The engine rejects unknown participants.
    if (id && id.value < by_participant_.size() && !take_of(id, command, largest_value))
        return false;
    room_.prices -= needs.prices;
    room_.orders -= needs.orders;
    room_.extensions -= needs.extensions;
    room_.accounts -= needs.accounts;
    return true;
}

bool ShardBudget::take_account(ParticipantId id) {
    const bool anonymous =
        id.value >= by_participant_.size() || by_participant_[id.value].anonymous;
    if (room_.accounts - (anonymous ? kept_free_.accounts : 0) < 1) return false;
    --room_.accounts;
    return true;
}

bool ShardBudget::take_of(ParticipantId id, const Command& command, Price largest_value) {
    Left& left = by_participant_[id.value];
    const bool is_new = command.kind == CommandKind::new_order;
    const bool is_quote = command.kind == CommandKind::quote;
    left.may_reprice |= is_new && has_flag(command, CommandFlags::k_post_only_reprice);
    left.moves |= is_new && (command.flags & k_moving) != 0;
    left.waits |=
        is_new && (is_stop(command.order_type) || has_flag(command, CommandFlags::k_linked));
    // What the other shards have open may be worth more than at the last look.
    const bool grows = left.moves || (left.waits && reprices_);
    if (grows && left.notional < LimitDetails::k_unlimited / 2) return false;
    const std::int64_t value = value_of(is_quote ? as_order(command) : command,
                                        left.may_reprice || reprices_, largest_value);
    const std::int64_t orders = is_quote ? 2 : is_new ? 1 : 0;
    if (value > left.notional || (orders > 0 && left.orders < orders)) return false;
    left.notional -= value;
    left.orders -= orders;
    return true;
}

void ShardBudget::renew(const PoolPlaces& used, std::uint32_t waiting_orders) {
    const auto left = [](std::uint32_t capacity, std::uint32_t in_use) {
        return std::int64_t{capacity} - in_use;
    };
    const std::int64_t prices =
        std::min(left(config_.maximum_levels, used.levels) / k_levels_of_order,
                 left(config_.maximum_ladder_nodes, used.nodes) / k_nodes_of_order);
    room_ = {.prices = prices - waiting_orders,
             .orders = left(config_.maximum_orders, used.orders),
             .extensions = left(config_.maximum_extensions, used.extensions),
             .accounts = left(config_.maximum_accounts, used.accounts)};
}

// Reserves as many levels and nodes as the engine's check may require of any pool.
void ShardBudget::keep_free(const PoolPlaces& places) {
    const auto needed = [](std::int64_t kept, std::int64_t a_price) {
        return (kept + a_price - 1) / a_price;
    };
    kept_free_ = {.prices = std::max(needed(places.levels, k_levels_of_order),
                                     needed(places.nodes, k_nodes_of_order)),
                  .orders = places.orders,
                  .extensions = places.extensions,
                  .accounts = places.accounts};
}

void ShardBudget::renew(ParticipantId id, const LimitDetails& limits, bool anonymous,
                        const OpenTally& open) {
    Left& left = by_participant_[id.value];
    left.anonymous = anonymous;
    if (open.orders == 0) left.moves = left.waits = false;
    left.orders = limits.open_orders - open.orders;
    left.notional = static_cast<std::int64_t>(std::max<Int128>(
        limits.open_notional - open.notional, std::numeric_limits<std::int64_t>::min()));
}

}  // namespace damrak::sequencer
