#include <damrak/sequencer/allowance.hpp>

#include <algorithm>
#include <limits>

#include <damrak/book/price_ladder.hpp>

namespace damrak::sequencer {

namespace {

// What an engine wants to be free for one more price (BookStore::has_room_for_price), which is the
// most that one order takes by coming to rest.
constexpr std::int64_t k_levels_of_order = 3;
constexpr std::int64_t k_nodes_of_order = 2 * LadderNodes::k_path;

// The most that the quantity can count for, which may be more than 64 bits hold: then the largest.
std::int64_t value_of(const Command& command, bool may_reprice, Price maximum_price) {
    if (command.quantity.value <= 0) return 0;  // is refused
    const bool own_price = command.kind == CommandKind::replace_order ||
                           command.order_type == OrderType::limit || is_stop(command.order_type);
    Price price = std::max(command.price, command.order.stop_price);
    if (!own_price || may_reprice) price = std::max(price, maximum_price);
    std::int64_t value = 0;
    if (__builtin_mul_overflow(std::max<std::int64_t>(price.value, 0), command.quantity.value,
                               &value))
        return std::numeric_limits<std::int64_t>::max();
    return value;
}

}  // namespace

Allowance::Allowance(const EngineConfig& config)
    : config_(config), places_(0), by_participant_(config.maximum_participants + std::size_t{1}) {
    renew({}, 0);
}

// A stop takes a place while it waits, and may take another one once it is triggered.
std::int64_t Allowance::places_of(const Command& command) {
    if (command.kind == CommandKind::replace_order) return 1;
    return is_stop(command.order_type) ? 2 : 1;
}

bool Allowance::take(const Command& command, Price maximum_price) {
    switch (command.kind) {
        case CommandKind::new_order:
        case CommandKind::replace_order:
            break;
        case CommandKind::continue_cascade:
            return places_ >= 0;
        case CommandKind::cancel_order:
        case CommandKind::query_order:
            return true;
        default:
            return false;
    }
    const std::int64_t places = places_of(command);
    if (places > places_) return false;
    // Whoever does not exist is refused for that.
    if (!command.participant || command.participant.value >= by_participant_.size()) return true;
    Left& left = by_participant_[command.participant.value];
    const bool is_new = command.kind == CommandKind::new_order;
    left.may_reprice |= is_new && has_flag(command, CommandFlags::k_post_only_reprice);
    const std::int64_t value = value_of(command, left.may_reprice, maximum_price);
    if (value > left.notional || (is_new && left.orders < 1)) return false;
    left.notional -= value;
    left.orders -= is_new ? 1 : 0;
    places_ -= places;
    return true;
}

void Allowance::renew(const PoolPlaces& used, std::uint32_t waiting_stops) {
    const auto left = [](std::uint32_t capacity, std::uint32_t in_use) {
        return std::int64_t{capacity} - in_use;
    };
    const std::int64_t prices =
        std::min(left(config_.maximum_levels, used.levels) / k_levels_of_order,
                 left(config_.maximum_ladder_nodes, used.nodes) / k_nodes_of_order);
    places_ = std::min({prices - waiting_stops, left(config_.maximum_orders, used.orders),
                        left(config_.maximum_extensions, used.extensions),
                        left(config_.maximum_accounts, used.accounts)});
}

void Allowance::renew(ParticipantId id, const LimitDetails& limits, const OpenTally& open) {
    Left& left = by_participant_[id.value];
    left.orders = limits.open_orders - open.orders;
    left.notional = limits.open_notional - open.notional;
}

}  // namespace damrak::sequencer
