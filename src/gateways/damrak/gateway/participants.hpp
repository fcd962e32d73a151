// Assigns participants to clients: the identities of the configuration, and a participant for
// everybody else. One for all gateways of an exchange, on the thread that polls them. A call costs
// a few comparisons.
//
// Ids of anonymous participants are reused. When its connection or sender is gone, the gateway
// leaves the participant; when it has nothing open, the exchange is asked to release it; then the
// next client gets its id. They are a row (budget/row.hpp): while their share, or that of one host,
// is used up, no new client gets one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <damrak/budget/row.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/domain/identifiers.hpp>
#include <damrak/engine/accounts.hpp>
#include <damrak/engine/engine_config.hpp>
#include <damrak/gateway/identities.hpp>

namespace damrak::gateway {

class Participants {
  public:
    explicit Participants(const EngineConfig& engine)
        : kinds_(engine.maximum_participants + std::size_t{1}),
          named_(kinds_.size()),
          has_traded_(kinds_.size()),
          row_(budget::Row::Parts::of(engine.maximum_participants, engine.maximum_participants)),
          places_(kinds_.size()) {
        unused_.reserve(engine.maximum_participants);
        to_release_.reserve(engine.maximum_participants);
    }

    /// Applies to later logins; logged-in clients stay.
    void set_identities(Identities identities) {
        identities_ = std::move(identities);
        named_.assign(named_.size(), false);
        identities_.for_each_participant([this](ParticipantId id) {
            if (id.value >= named_.size()) return;
            named_[id.value] = true;
            places_[id.value].give_back();
            kinds_[id.value] = Kind::named;
        });
    }
    [[nodiscard]] const Identities& identities() const { return identities_; }
    /// Whether logging in as this participant takes a credential.
    [[nodiscard]] bool is_named(ParticipantId id) const {
        return id.value < named_.size() && named_[id.value];
    }
    /// The client of the exchange itself, over restarts and reloads.
    void note_own(ParticipantId id) { own_ = id; }
    /// Neither named nor the exchange's own.
    [[nodiscard]] bool is_stranger(ParticipantId id) const { return !is_named(id) && id != own_; }
    [[nodiscard]] bool any_named() const { return std::ranges::find(named_, true) != named_.end(); }
    /// Share of the capacity, in percent.
    void set_anonymous_share(std::uint32_t percent) {
        row_.set(budget::Row::Parts::of(
            capacity(), static_cast<std::uint32_t>(std::uint64_t{capacity()} * percent / 100)));
    }

    /// Excludes this participant from assignment.
    void reserve(ParticipantId id) {
        if (id.value < kinds_.size()) kinds_[id.value] = Kind::named;
    }

    // At a restart, in this order:

    /// Its client may return: a FIX client or a sender.
    void note_taken(ParticipantId id) {
        if (id.value >= kinds_.size() || kinds_[id.value] != Kind::none) return;
        kinds_[id.value] = Kind::anonymous;
        places_[id.value] = row_.take_again({});
    }
    /// An earlier run assigned ids up to this one.
    void note_given_out(ParticipantId id) { last_ = std::max(last_, id); }
    /// Takes the state of each participant from the accounts.
    void note_accounts(const Accounts& accounts) {
        for (AccountIndex i = 1; i <= accounts.highest_account(); ++i)
            if (const Account& one = accounts.account(i); one.position.value != 0)
                note_traded(one.participant);
        for (std::uint32_t i = 1; i < kinds_.size() && i <= accounts.participant_count(); ++i) {
            const Participant& one = accounts.participant(ParticipantId{i});
            const bool held = one.accounts > 0 || one.open_orders > 0;
            if (!held) continue;
            last_ = std::max(last_, ParticipantId{i});
            if (kinds_[i] == Kind::none) kinds_[i] = Kind::left;
        }
    }
    /// Assigned ids without a client become free, or are to be released.
    template <class OpenOrders>
    void settle(OpenOrders&& open_orders) {
        for (std::uint32_t i = std::min<std::uint32_t>(last_.value, capacity()); i > 0; --i) {
            const ParticipantId id{i};
            if (kinds_[i] == Kind::none) unused_.push_back(id);
            if (kinds_[i] != Kind::left) continue;
            places_[i] = row_.take_again({});
            if (open_orders(id) == 0) to_release_.push_back(id);
        }
    }

    /// For an anonymous client from this host. Zero if the share or the ids are used up.
    [[nodiscard]] ParticipantId take(net::ClientAddress host) {
        return take({.identity = {}, .host = host});
    }
    /// The same for a client that holds its places as this one.
    [[nodiscard]] ParticipantId take(const budget::Who& who) {
        auto place = row_.take(who);
        if (!place) return {};
        ParticipantId id{};
        while (!unused_.empty() && !id) {
            if (kinds_[unused_.back().value] == Kind::none) id = unused_.back();
            unused_.pop_back();
        }
        while (!id && last_.value < capacity())
            if (kinds_[++last_.value] == Kind::none) id = last_;
        if (id) {
            kinds_[id.value] = Kind::anonymous;
            places_[id.value] = *std::move(place);
        }
        return id;
    }
    /// Returns a participant that never entered an order.
    void give_back(ParticipantId id) {
        if (kinds_[id.value] == Kind::named) return;  // since a reload
        places_[id.value].give_back();
        kinds_[id.value] = Kind::none;
        has_traded_[id.value] = 0;
        unused_.push_back(id);
    }
    /// No client will be this participant again; it has this many open orders. Whether its release
    /// is asked for: not yet with orders, and never for one that had a name.
    bool leave(ParticipantId id, std::uint32_t open_orders) {
        if (kinds_[id.value] != Kind::anonymous) return false;
        kinds_[id.value] = Kind::left;
        if (open_orders == 0) to_release_.push_back(id);
        return open_orders == 0;
    }
    /// A client is this participant again, unless it is released by then.
    void come_back(ParticipantId id) {
        if (kinds_[id.value] == Kind::left) kinds_[id.value] = Kind::anonymous;
    }
    /// It may have a position, as it had one at the start or has traded since. Until the end of
    /// the day.
    [[nodiscard]] bool has_traded(ParticipantId id) const {
        return id.value < has_traded_.size() && has_traded_[id.value] != 0;
    }
    void note_traded(ParticipantId id) {
        if (id.value < has_traded_.size()) has_traded_[id.value] = 1;
    }
    /// The day of all instruments is over: no trade of before keeps a place any more.
    void end_day() { std::ranges::fill(has_traded_, std::uint8_t{0}); }
    /// An event after which the participant has nothing open.
    void note_closed(ParticipantId id) {
        if (kinds_[id.value] == Kind::left) to_release_.push_back(id);
    }

    /// The next participant that the exchange is to release; zero: none.
    [[nodiscard]] ParticipantId next_to_release() {
        while (!to_release_.empty()) {
            const ParticipantId id = to_release_.back();
            to_release_.pop_back();
            if (kinds_[id.value] != Kind::left) continue;
            kinds_[id.value] = Kind::released;
            return id;
        }
        return {};
    }
    [[nodiscard]] bool any_to_release() const { return !to_release_.empty(); }
    /// Result of a release. A refused one, because an order was on its way, waits for the order's
    /// end.
    void on_release(const Event& event) {
        const ParticipantId id = event.participant;
        if (id.value >= kinds_.size() || kinds_[id.value] != Kind::released) return;
        if (event.kind == EventKind::participant_released) return give_back(id);
        kinds_[id.value] = Kind::left;
    }

    /// The largest possible id.
    [[nodiscard]] std::uint32_t capacity() const {
        return static_cast<std::uint32_t>(kinds_.size() - 1);
    }
    /// Anonymous participants in use; any thread.
    [[nodiscard]] budget::Row::Figures figures() const { return row_.figures(); }

  private:
    enum class Kind : std::uint8_t {
        none,       ///< unassigned
        named,      ///< configured, now or before a reload
        anonymous,  ///< used by a connection, a FIX client or a sender
        left,       ///< its client is gone
        released,   ///< the exchange was asked to release it
    };

    Identities identities_;
    ParticipantId own_{};
    ParticipantId last_{};
    std::vector<Kind> kinds_;
    std::vector<bool> named_;  ///< in the current identities
    std::vector<std::uint8_t> has_traded_;
    std::vector<ParticipantId> unused_;
    std::vector<ParticipantId> to_release_;
    budget::Row row_;
    std::vector<budget::Row::Place> places_;  ///< of anonymous ones, by id
};

}  // namespace damrak::gateway
