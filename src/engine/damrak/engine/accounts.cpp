#include <damrak/engine/accounts.hpp>

#include <algorithm>
#include <limits>

namespace damrak {

namespace {

constexpr Int128 k_largest_total = std::numeric_limits<std::int64_t>::max();

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
    ++participants_[participant.value].accounts;
    return index;
}

void Accounts::close(AccountIndex index) {
    Account& account = accounts_[index];
    positions_hash_ -= account.hash_key * static_cast<std::uint64_t>(account.position.value);
    map_.erase(key_of(account.participant, account.instrument), index);
    --participants_[account.participant.value].accounts;
    account = {};
    pool_.give_back(index);
}

void Accounts::move_open(ParticipantId id, Int128 more_value) {
    Participant& participant = participants_[id.value];
    const Int128 sum = open_notional(id) + more_value;
    participant.notional = static_cast<std::int64_t>(std::min<Int128>(sum, k_largest_total));
    excess_[id.value] = sum - participant.notional;
    participant.exceeds = excess_[id.value] != 0;
}

std::int64_t Accounts::without(ParticipantId id, std::int64_t value) const {
    return static_cast<std::int64_t>(std::min<Int128>(open_notional(id) - value, k_largest_total));
}

void Accounts::begin_generation(ParticipantId id) {
    rules_hash_ -= hash_of(id);
    ++participants_[id.value].generation;
    rules_hash_ += hash_of(id);
}

void Accounts::set_limits(ParticipantId id, const LimitDetails& limits, bool own) {
    rules_hash_ -= hash_of(id);
    participants_[id.value].limits = limits;
    participants_[id.value].configured = own;
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
    if (participant.generation != 0) hash = mix(hash ^ 0x9FB21C651E98DF25U, participant.generation);
    // Limits other than none are always the participant's own.
    if (participant.limits == LimitDetails{})
        return participant.configured ? mix(hash, 0xD6E8FEB86659FD93U) : hash;
    const LimitDetails& limits = participant.limits;
    for (const std::int64_t limit :
         {limits.order_quantity.value, limits.order_notional, limits.open_orders,
          limits.open_notional, limits.position.value})
        hash = mix(hash ^ 0xA0761D6478BD642FU, static_cast<std::uint64_t>(limit) + 5);
    return hash;
}

}  // namespace damrak
