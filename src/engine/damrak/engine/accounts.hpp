// Participants with their limits, and accounts: one for each pair of a participant and an
// instrument in which it ever had an order. Pre-trade limits are checked against the totals here,
// which follow every order and trade. One thread, O(1) a call, no allocation.
//
// The state hash includes positions, limits and states; open quantities follow from the orders.
#pragma once

#include <array>
#include <cstdint>

#include <damrak/base/index_pool.hpp>
#include <damrak/base/inline.hpp>
#include <damrak/base/reserved_array.hpp>
#include <damrak/base/wide_integer.hpp>
#include <damrak/book/order.hpp>
#include <damrak/book/order_id_map.hpp>
#include <damrak/domain/command.hpp>
#include <damrak/domain/reason.hpp>
#include <damrak/engine/cross_shard.hpp>

namespace damrak {

/// What a participant has in one instrument.
struct alignas(64) Account {
    ParticipantId participant;
    InstrumentId instrument;
    Quantity position;                      ///< bought less sold
    std::array<Quantity, 2> open_quantity;  ///< by side
    std::array<std::uint32_t, 2> open_orders;
    std::uint64_t hash_key;
    std::uint32_t held_orders;         ///< resting until their minimum quantity can trade
    std::uint32_t following_orders;    ///< pegged orders and trailing stops
    std::array<OrderIndex, 2> quotes;  ///< the sides of its quote; zero: none
};
static_assert(sizeof(Account) == 64);

/// A participant's limits and what counts against them.
struct alignas(64) Participant {
    LimitDetails limits;
    std::int64_t notional;  ///< value of its open orders: Accounts::open_notional(), or the most
    std::uint32_t open_orders;
    ParticipantState state;
    bool configured;           ///< has its own limits; without them it is anonymous
    bool exceeds;              ///< the value does not fit into 64 bits
    std::uint32_t generation;  ///< number of earlier participants with this id
    std::uint32_t accounts;    ///< open accounts
};
static_assert(sizeof(Participant) == 64);

/// The quantity, negated for sells. Branchless, because sides are unpredictable.
[[nodiscard]] constexpr Quantity signed_by(Side side, Quantity quantity) {
    const std::int64_t sign = -static_cast<std::int64_t>(side);
    return Quantity{(quantity.value ^ sign) - sign};
}

class Accounts {
  public:
    Accounts(std::uint32_t maximum_participants, std::uint32_t maximum_accounts)
        : pool_(maximum_accounts),
          map_(maximum_accounts),
          accounts_(maximum_accounts + std::size_t{1}),
          participants_(maximum_participants + std::size_t{1}),
          excess_(maximum_participants + std::size_t{1}) {
        for (std::size_t i = 0; i < participants_.size(); ++i) participants_[i].limits = {};
    }

    [[nodiscard]] bool is_valid(ParticipantId id) const {
        return id.value != 0 && id.value < participants_.size();
    }
    [[nodiscard]] Participant& participant(ParticipantId id) { return participants_[id.value]; }
    [[nodiscard]] const Participant& participant(ParticipantId id) const {
        return participants_[id.value];
    }
    /// Its own limits, or else the default limits, which are stored with participant 0.
    [[nodiscard]] const LimitDetails& limits_of(const Participant& participant) const {
        return (participant.configured ? participant : participants_[0]).limits;
    }
    [[nodiscard]] const LimitDetails& limits_of(ParticipantId id) const {
        return limits_of(participants_[id.value]);
    }
    [[nodiscard]] Account& account(AccountIndex index) { return accounts_[index]; }
    [[nodiscard]] const Account& account(AccountIndex index) const { return accounts_[index]; }

    /// Zero if the participant never had an order in the instrument.
    [[nodiscard]] DAMRAK_HOT AccountIndex find(ParticipantId participant,
                                               InstrumentId instrument) const {
        return map_.find(key_of(participant, instrument), [=, this](AccountIndex i) {
            return accounts_[i].participant == participant && accounts_[i].instrument == instrument;
        });
    }
    void prefetch(AccountIndex index) const { __builtin_prefetch(&accounts_[index], 1); }
    [[nodiscard]] bool full() const { return pool_.empty(); }
    [[nodiscard]] std::uint32_t available() const { return pool_.available(); }
    [[nodiscard]] std::uint32_t capacity() const { return pool_.capacity(); }
    /// The account must not exist yet, and the accounts must not be full.
    AccountIndex open(ParticipantId participant, InstrumentId instrument);
    /// The account must have no orders. Its position is discarded.
    void close(AccountIndex index);

    /// Why an order may not be entered, or `none`. For a replace, `released` is the old order's
    /// share, which is taken out first. `value` is quantity times reference price. A replace that
    /// does not raise a value passes its limit, unless the check is `strict`.
    struct Exposure {
        Quantity quantity{};
        std::int64_t value = 0;
        std::uint32_t orders = 0;
    };
    [[nodiscard]] DAMRAK_HOT Reason check(ParticipantId id, AccountIndex account, Side side,
                                          const Exposure& wanted, const Exposure& released,
                                          bool strict = true) const {
        const Participant& participant = participants_[id.value];
        const Account& held = accounts_[account];
        const LimitDetails& limits = limits_of(participant);
        const auto more_quantity = [&] { return strict || wanted.quantity > released.quantity; };
        const auto more_value = [&] { return strict || wanted.value > released.value; };
        if (wanted.quantity > limits.order_quantity && more_quantity())
            return Reason::limit_order_quantity;
        if (wanted.value > limits.order_notional && more_value())
            return Reason::limit_order_notional;
        if (wanted.orders > 0 && participant.open_orders + 1LL > limits.open_orders)
            return Reason::limit_open_orders;
        // Accepted values fit into 64 bits. A sum that overflows is above any limit.
        std::int64_t notional = participant.notional - released.value;
        if (released.value != 0 && participant.exceeds) [[unlikely]]
            notional = without(id, released.value);
        if ((__builtin_add_overflow(notional, wanted.value, &notional) ||
             notional > limits.open_notional) &&
            more_value())
            return Reason::limit_open_notional;
        const Quantity open = held.open_quantity[static_cast<std::size_t>(side)];
        std::int64_t reach =
            signed_by(side, held.position).value + open.value - released.quantity.value;
        if ((__builtin_add_overflow(reach, wanted.quantity.value, &reach) ||
             reach > limits.position.value) &&
            more_quantity())
            return Reason::limit_position;
        return Reason::none;
    }

    /// The value of a participant's open orders. Its orders are accepted only while the sum fits
    /// into 64 bits, but orders that move to other prices may take it further.
    [[nodiscard]] Int128 open_notional(ParticipantId id) const {
        return participants_[id.value].notional + excess_[id.value];
    }

    /// An order came to rest or to wait. Here and below, `id` is the participant of the account.
    void add_open(ParticipantId id, AccountIndex index, Side side, Quantity quantity,
                  std::int64_t value) {
        add_checked(id, index, side, quantity, 0);
        move_open(id, value);
    }
    /// The same for a value that check() has just allowed.
    DAMRAK_HOT void add_checked(ParticipantId id, AccountIndex index, Side side, Quantity quantity,
                                std::int64_t value) {
        accounts_[index].open_quantity[static_cast<std::size_t>(side)] += quantity;
        participants_[id.value].notional += value;
        ++accounts_[index].open_orders[static_cast<std::size_t>(side)];
        ++participants_[id.value].open_orders;
    }
    /// The open quantity of an order increased or decreased, its value by what check() has allowed.
    /// `k_fits`: the caller knows that the participant does not exceed 64 bits.
    template <bool k_fits = false>
    DAMRAK_HOT void change_open(ParticipantId id, AccountIndex index, Side side, Quantity more,
                                std::int64_t more_value) {
        accounts_[index].open_quantity[static_cast<std::size_t>(side)] += more;
        if (!k_fits && participants_[id.value].exceeds) [[unlikely]]
            move_open(id, more_value);
        else
            participants_[id.value].notional += more_value;
    }
    /// An order moved to a price at which it has another value, or the other shards join or leave.
    DAMRAK_COLD void move_open(ParticipantId id, Int128 more_value);
    /// An order left with this open quantity.
    template <bool k_fits = false>
    DAMRAK_HOT void remove_open(ParticipantId id, AccountIndex index, Side side, Quantity quantity,
                                std::int64_t value) {
        change_open<k_fits>(id, index, side, -quantity, -value);
        --accounts_[index].open_orders[static_cast<std::size_t>(side)];
        --participants_[id.value].open_orders;
    }

    DAMRAK_HOT void trade(AccountIndex index, Side side, Quantity quantity) {
        Account& account = accounts_[index];
        const Quantity change = signed_by(side, quantity);
        account.position += change;
        positions_hash_ += account.hash_key * static_cast<std::uint64_t>(change.value);
    }

    void set_limits(ParticipantId id, const LimitDetails& limits, bool own = true);
    /// Resets the id for its next participant. All accounts of the previous one must be closed.
    void begin_generation(ParticipantId id);
    void set_state(ParticipantId id, ParticipantState state);

    /// Open accounts, which have indices from 1 to highest_account().
    [[nodiscard]] std::uint32_t account_count() const { return pool_.used(); }
    [[nodiscard]] std::uint32_t highest_account() const { return pool_.highest(); }
    /// Drops the accounts of other instruments, which have no orders, and all traces of them.
    template <class Wanted>
    void keep_only(Wanted&& wanted) {
        for (AccountIndex i = 1; i <= pool_.highest(); ++i) {
            const Account& account = accounts_[i];
            if (account.participant && !wanted(account.instrument)) close(i);
        }
    }
    [[nodiscard]] std::uint32_t participant_count() const {
        return static_cast<std::uint32_t>(participants_.size() - 1);
    }
    /// Sums over all positions, and over the limits and states of all participants.
    [[nodiscard]] std::uint64_t positions_hash() const { return positions_hash_; }
    [[nodiscard]] std::uint64_t rules_hash() const { return rules_hash_; }

    /// Hides room for this many accounts until restore().
    void withhold(std::uint32_t accounts) { pool_.withhold(accounts); }
    void restore(std::uint32_t accounts) { pool_.restore(accounts); }
    [[nodiscard]] std::size_t bytes() const {
        return pool_.bytes() + map_.bytes() + accounts_.bytes() + participants_.bytes() +
               excess_.bytes();
    }
    /// See base/serialize.hpp.
    template <class Self, class Archive>
    static void transfer(Self& self, Archive& archive) {
        IndexPool::transfer(self.pool_, archive);
        archive.values(self.accounts_.data(), self.pool_.highest() + std::size_t{1});
        OrderIdMap::transfer(self.map_, archive, self.pool_.highest(), [&self](AccountIndex i) {
            return self.key_of(self.accounts_[i].participant, self.accounts_[i].instrument);
        });
        std::uint64_t participants = self.participants_.size();
        archive.count(participants, self.participants_.size());
        archive.values(self.participants_.data(), participants);
        archive.values(self.excess_.data(), participants);
        archive.value(self.positions_hash_);
        archive.value(self.rules_hash_);
    }

  private:
    /// The open value less that of an order, or the most that fits.
    [[nodiscard]] DAMRAK_COLD std::int64_t without(ParticipantId id, std::int64_t value) const;
    [[nodiscard]] OrderIdMap::Key key_of(ParticipantId participant, InstrumentId instrument) const {
        return map_.key_of(instrument, OrderId{participant.value});
    }
    [[nodiscard]] std::uint64_t hash_of(ParticipantId id) const;

    IndexPool pool_;
    OrderIdMap map_;
    ReservedArray<Account> accounts_;
    ReservedArray<Participant> participants_;
    ReservedArray<Int128> excess_;  ///< by participant: of its open value above 64 bits
    std::uint64_t positions_hash_ = 0;
    std::uint64_t rules_hash_ = 0;
};

}  // namespace damrak
