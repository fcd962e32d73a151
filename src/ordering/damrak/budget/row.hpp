// A finite thing that clients have places in: the connections of a gateway, its users, its
// subscriptions. Everything that a client could use up for others is a row, with the same rules:
//
// - An identity of the configuration may have a quarter of a row, whatever strangers do.
// - Strangers, all others, have a part of the row together, and a host a sixteenth of that part.
//   Loopback is no host: the whole part may be its.
// - Neither part is less than 16 places, so of a small row one of them may have all.
// - Who has not said yet who it is waits. It takes what is left over; the owner of the row ends who
//   has waited longest when another one comes and nothing is left.
//
// A row belongs to one thread; its figures may be read by others. A place costs two look-ups and
// no allocation.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <expected>
#include <string_view>
#include <utility>

#include <damrak/budget/counts.hpp>
#include <damrak/domain/identifiers.hpp>
#include <damrak/net/client_address.hpp>

namespace damrak::budget {

/// Who takes a place: an identity of the configuration or, if that is zero, a stranger, from this
/// host if it is known.
struct Who {
    ParticipantId identity{};
    net::ClientAddress host{};

    friend constexpr bool operator==(const Who&, const Who&) = default;
};

/// Why there is no place.
enum class Refusal : std::uint8_t { full, strangers, host, identity };

/// For the client and the operator.
[[nodiscard]] constexpr std::string_view text(Refusal refusal) {
    switch (refusal) {
        case Refusal::full:
            return "as many as may be are in use";
        case Refusal::strangers:
            return "those that the configuration does not name use all that they may have together";
        case Refusal::host:
            return "its address uses all that one address may have";
        case Refusal::identity:
            return "its participant uses all that one participant may have";
    }
    return {};
}

class Row {
  public:
    /// The part of a row that each may have.
    struct Parts {
        std::uint32_t total = 0;
        std::uint32_t strangers = 0;  ///< together
        std::uint32_t one_host = 0;   ///< strangers
        std::uint32_t one_identity = 0;

        [[nodiscard]] static Parts of(std::uint32_t total, std::uint32_t strangers) {
            constexpr std::uint32_t k_hosts = 16;
            constexpr std::uint32_t k_identities = 4;
            constexpr std::uint32_t k_few = 16;
            strangers = std::min(strangers, total);
            return {.total = total,
                    .strangers = strangers,
                    .one_host = std::max(k_few, strangers / k_hosts),
                    .one_identity = std::max(k_few, total / k_identities)};
        }
    };
    /// Any thread.
    struct Figures {
        std::uint32_t used = 0;
        std::uint32_t strangers = 0;  ///< of these
        std::uint32_t total = 0;
        std::uint32_t most_strangers = 0;
        /// Strangers use most of what they may have: one that needs its place no longer gives it
        /// up.
        [[nodiscard]] bool is_crowded() const { return strangers >= most_strangers / 4 * 3; }
    };

    /// Taken until it is destroyed.
    class Place {
      public:
        Place() = default;
        Place(Place&& other) noexcept
            : row_(std::exchange(other.row_, nullptr)), who_(other.who_), kind_(other.kind_) {}
        Place& operator=(Place&& other) noexcept {
            std::swap(row_, other.row_);
            std::swap(who_, other.who_);
            std::swap(kind_, other.kind_);
            return *this;
        }
        Place(const Place&) = delete;
        Place& operator=(const Place&) = delete;
        ~Place() { give_back(); }

        [[nodiscard]] explicit operator bool() const { return row_ != nullptr; }
        [[nodiscard]] bool is_waiting() const { return row_ != nullptr && kind_ == Kind::waiting; }
        [[nodiscard]] bool is_stranger() const {
            return row_ != nullptr && kind_ == Kind::stranger;
        }
        /// From now on it is that one's. If that one may have no more, it stays whose it is.
        [[nodiscard]] std::expected<void, Refusal> pass_to(const Who& who);
        void give_back() {
            if (row_ != nullptr) std::exchange(row_, nullptr)->leave(who_, kind_);
        }

      private:
        friend class Row;
        enum class Kind : std::uint8_t { waiting, stranger, identity };
        Place(Row& row, const Who& who, Kind kind) : row_(&row), who_(who), kind_(kind) {}
        Row* row_ = nullptr;
        Who who_;
        Kind kind_{};
    };

    explicit Row(const Parts& parts) { set(parts); }
    Row(const Row&) = delete;
    Row& operator=(const Row&) = delete;

    /// Places that are taken stay. Only the owner's thread.
    void set(const Parts& parts) {
        parts_ = parts;
        // Some may be of before a restart, above the total.
        of_host_.grow(2 * parts.total);
        of_identity_.grow(2 * parts.total);
        publish(total_, parts.total);
        publish(most_strangers_, parts.strangers);
    }

    [[nodiscard]] std::expected<Place, Refusal> take(const Who& who) {
        if (used() >= parts_.total) return std::unexpected{Refusal::full};
        const Place::Kind kind = kind_of(who);
        if (const auto refusal = enter(who, kind); !refusal)
            return std::unexpected{refusal.error()};
        publish(used_, used() + 1);
        return Place{*this, who, kind};
    }
    /// For somebody who has not said who it is.
    [[nodiscard]] std::expected<Place, Refusal> wait() {
        if (used() >= parts_.total) return std::unexpected{Refusal::full};
        publish(used_, used() + 1);
        return Place{*this, {}, Place::Kind::waiting};
    }
    /// A stranger of before a restart has its place, whether or not that exceeds a part.
    [[nodiscard]] Place take_again(const Who& who) {
        const Place::Kind kind = kind_of(who);
        note(who, kind);
        publish(used_, used() + 1);
        return Place{*this, who, kind};
    }

    [[nodiscard]] Figures figures() const {
        return {.used = used(),
                .strangers = strangers(),
                .total = total_.load(std::memory_order_relaxed),
                .most_strangers = most_strangers_.load(std::memory_order_relaxed)};
    }

  private:
    using Count = std::atomic<std::uint32_t>;

    static void publish(Count& count, std::uint32_t value) {
        count.store(value, std::memory_order_relaxed);
    }
    [[nodiscard]] static Place::Kind kind_of(const Who& who) {
        return who.identity ? Place::Kind::identity : Place::Kind::stranger;
    }
    [[nodiscard]] std::uint32_t used() const { return used_.load(std::memory_order_relaxed); }
    [[nodiscard]] std::uint32_t strangers() const {
        return strangers_.load(std::memory_order_relaxed);
    }
    [[nodiscard]] std::expected<void, Refusal> enter(const Who& who, Place::Kind kind) {
        if (kind == Place::Kind::identity) {
            if (of_identity_.of(who.identity.value) >= parts_.one_identity)
                return std::unexpected{Refusal::identity};
        } else {
            if (strangers() >= parts_.strangers) return std::unexpected{Refusal::strangers};
            if (who.host && of_host_.of(who.host.value) >= parts_.one_host)
                return std::unexpected{Refusal::host};
        }
        note(who, kind);
        return {};
    }
    void note(const Who& who, Place::Kind kind) {
        if (kind == Place::Kind::identity) {
            of_identity_.add(who.identity.value);
            return;
        }
        publish(strangers_, strangers() + 1);
        if (who.host) of_host_.add(who.host.value);
    }
    void forget(const Who& who, Place::Kind kind) {
        if (kind == Place::Kind::identity) of_identity_.drop(who.identity.value);
        if (kind != Place::Kind::stranger) return;
        publish(strangers_, strangers() - 1);
        if (who.host) of_host_.drop(who.host.value);
    }
    void leave(const Who& who, Place::Kind kind) {
        forget(who, kind);
        publish(used_, used() - 1);
    }

    Parts parts_;
    Count used_{0};
    Count strangers_{0};
    Count total_{0};
    Count most_strangers_{0};
    Counts of_host_;
    Counts of_identity_;
};

inline std::expected<void, Refusal> Row::Place::pass_to(const Who& who) {
    const Kind kind = kind_of(who);
    row_->forget(who_, kind_);
    if (const auto entered = row_->enter(who, kind); !entered) {
        if (kind_ != Kind::waiting) row_->note(who_, kind_);
        return entered;
    }
    who_ = who;
    kind_ = kind;
    return {};
}

}  // namespace damrak::budget
