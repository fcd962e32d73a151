// The combinations of an engine: for each its legs, and for each leg the combinations that use it
// (docs/rule-book/combinations.md). Also the instruments whose turns come after trades across
// books. One thread; no allocation after construction; a call costs O(1), or O(uses of a leg).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <damrak/base/reserved_array.hpp>
#include <damrak/base/wide_integer.hpp>
#include <damrak/book/order.hpp>
#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/market_rules.hpp>

namespace damrak {

/// A leg of a combination: its instrument id times eight, and the index of the leg. Zero: none.
using CombinationUse = std::uint32_t;

/// A combination with the links to the other ones of its legs.
struct Combination {
    CombinationDetails details{};
    /// By leg: the next use of its instrument.
    std::array<CombinationUse, CombinationDetails::k_maximum_legs> next_use{};

    [[nodiscard]] std::size_t legs() const {
        std::size_t count = 0;
        while (count < details.legs.size() && details.legs[count].ratio != 0) ++count;
        return count;
    }
};

class Combinations {
  public:
    static constexpr std::uint32_t k_most_uses = 8;  ///< of one leg

    /// An instrument whose orders traded with one of another instrument, and at which prices.
    struct Due {
        InstrumentId instrument{};
        Tick highest_trade = 0;
        Tick lowest_trade = 0;
    };

    explicit Combinations(std::uint32_t maximum_instruments)
        : by_instrument_(maximum_instruments + std::size_t{1}),
          due_(maximum_instruments + std::size_t{1}) {}

    [[nodiscard]] const Combination& operator[](InstrumentId id) const {
        return by_instrument_[id.value];
    }
    [[nodiscard]] static InstrumentId instrument_of(CombinationUse use) {
        return InstrumentId{use / k_places};
    }
    [[nodiscard]] CombinationUse next_use(CombinationUse use) const {
        return by_instrument_[use / k_places].next_use.at(use % k_places);
    }
    [[nodiscard]] std::uint32_t uses(CombinationUse first) const {
        std::uint32_t count = 0;
        for (CombinationUse use = first; use != 0; use = next_use(use)) ++count;
        return count;
    }

    /// Whether the leg has implied prices. For that, a unit of it must be one of the combination.
    [[nodiscard]] bool implies(CombinationUse use) const {
        const CombinationDetails& details = by_instrument_[use / k_places].details;
        const std::int32_t ratio = details.legs.at(use % k_places).ratio;
        return details.kind == CombinationKind::spread && (ratio == 1 || ratio == -1);
    }

    void set(InstrumentId id, const CombinationDetails& details) {
        by_instrument_[id.value].details = details;
    }
    /// The leg joins the uses of its instrument, behind the others.
    void use_leg(CombinationUse& first, InstrumentId id, std::size_t leg) {
        CombinationUse* last = &first;
        while (*last != 0) last = &by_instrument_[*last / k_places].next_use.at(*last % k_places);
        *last = static_cast<CombinationUse>(std::size_t{id.value} * k_places + leg);
    }
    [[nodiscard]] std::uint64_t hash(InstrumentId id) const {
        std::uint64_t hash = static_cast<std::uint64_t>((*this)[id].details.kind);
        for (const CombinationDetails::Leg& leg : (*this)[id].details.legs)
            hash = mix(hash ^ 0xA0761D6478BD642FU, std::uint64_t{leg.instrument.value} << 32U |
                                                       static_cast<std::uint32_t>(leg.ratio));
        return hash;
    }

    // Instruments that wait for their turns, in order; each at most once.
    [[nodiscard]] bool any_due() const { return due_begin_ != due_end_; }
    void add_due(InstrumentId id, Tick trade) {
        std::uint64_t i = due_begin_;
        while (i != due_end_ && due_[i % due_.size()].instrument != id) ++i;
        Due& due = due_[i % due_.size()];
        if (i == due_end_) {
            ++due_end_;
            due = {id, trade, trade};
        }
        due.highest_trade = std::max(due.highest_trade, trade);
        due.lowest_trade = std::min(due.lowest_trade, trade);
    }
    [[nodiscard]] Due take_due() { return due_[due_begin_++ % due_.size()]; }

    /// See base/serialize.hpp. Between commands no instrument is due.
    template <class Self, class Archive>
    static void transfer(Self& self, Archive& archive) {
        archive.sparse(self.by_instrument_);
    }

  private:
    static constexpr std::uint32_t k_places = 8;
    static_assert(CombinationDetails::k_maximum_legs <= k_places);

    ReservedArray<Combination> by_instrument_;
    ReservedArray<Due> due_;
    std::uint64_t due_begin_ = 0;
    std::uint64_t due_end_ = 0;
};

}  // namespace damrak
