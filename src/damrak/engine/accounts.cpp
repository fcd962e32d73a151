#include <damrak/engine/accounts.hpp>

namespace damrak {

namespace {

/// The sum of some counts, which may pass 64 bits and is then above any limit.
template <class... Count>
Int128 sum(Count... counts) {
    return (Int128{counts} + ...);
}

}  // namespace

AccountIndex Accounts::open(ParticipantId participant, InstrumentId instrument) {
    const AccountIndex index = pool_.take();
    Account& account = accounts_[index];
    account = {};
    account.participant = participant;
    account.instrument = instrument;
    account.hash_key = mix(std::uint64_t{participant.value} + 0x2545F4914F6CDD1DU,
                           std::uint64_t{instrument.value} + 0x9E3779B97F4A7C15U) |
                       1U;
    map_.insert(key_of(participant, instrument), index);
    return index;
}

Reason Accounts::check_limits(const Participant& participant, const Account& account, Side side,
                              const Exposure& wanted, const Exposure& released) {
    const LimitDetails limits = participant.limited ? participant.limits : LimitDetails{};
    if (wanted.quantity > limits.order_quantity) return Reason::limit_order_quantity;
    if (wanted.value > limits.order_notional) return Reason::limit_order_notional;
    if (participant.open_orders + std::int64_t{wanted.orders} > limits.open_orders &&
        wanted.orders > 0)
        return Reason::limit_open_orders;
    if (sum(participant.open_notional, -released.value, wanted.value) > limits.open_notional)
        return Reason::limit_open_notional;
    const Quantity held = side == Side::buy ? account.position : -account.position;
    const Quantity open = account.open_quantity[static_cast<std::size_t>(side)];
    if (sum(held.value, open.value, -released.quantity.value, wanted.quantity.value) >
        limits.position.value)
        return Reason::limit_position;
    return Reason::none;
}

void Accounts::set_limits(ParticipantId id, const LimitDetails& limits) {
    hash_ -= hash_of(id);
    participants_[id.value].limits = limits;
    participants_[id.value].limited = limits != LimitDetails{};
    hash_ += hash_of(id);
}

void Accounts::set_state(ParticipantId id, ParticipantState state) {
    hash_ -= hash_of(id);
    participants_[id.value].state = state;
    hash_ += hash_of(id);
}

std::uint64_t Accounts::hash_of(ParticipantId id) const {
    const Participant& participant = participants_[id.value];
    std::uint64_t hash = mix(id.value + 1ULL, static_cast<std::uint64_t>(participant.state) + 3);
    if (!participant.limited) return hash;
    const LimitDetails& limits = participant.limits;
    for (const std::int64_t limit :
         {limits.order_quantity.value, limits.order_notional, limits.open_orders,
          limits.open_notional, limits.position.value})
        hash = mix(hash ^ 0xA0761D6478BD642FU, static_cast<std::uint64_t>(limit) + 5);
    return hash;
}

}  // namespace damrak
