#include <damrak/engine/accounts.hpp>

namespace damrak {

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

void Accounts::set_limits(ParticipantId id, const LimitDetails& limits) {
    rules_hash_ -= hash_of(id);
    participants_[id.value].limits = limits;
    rules_hash_ += hash_of(id);
}

void Accounts::set_state(ParticipantId id, ParticipantState state) {
    rules_hash_ -= hash_of(id);
    participants_[id.value].state = state;
    rules_hash_ += hash_of(id);
}

std::uint64_t Accounts::hash_of(ParticipantId id) const {
    const Participant& participant = participants_[id.value];
    std::uint64_t hash = mix(id.value + 1ULL, static_cast<std::uint64_t>(participant.state) + 3);
    if (participant.limits == LimitDetails{}) return hash;
    const LimitDetails& limits = participant.limits;
    for (const std::int64_t limit :
         {limits.order_quantity.value, limits.order_notional, limits.open_orders,
          limits.open_notional, limits.position.value})
        hash = mix(hash ^ 0xA0761D6478BD642FU, static_cast<std::uint64_t>(limit) + 5);
    return hash;
}

}  // namespace damrak
