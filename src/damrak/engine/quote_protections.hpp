// The protections of quotes, and what the quotes of each have traded (docs/rule-book/quotes.md).
// One thread; a trade of a quote costs a search among all protections; no allocation after
// construction.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <damrak/base/reserved_array.hpp>
#include <damrak/base/wide_integer.hpp>
#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/market_rules.hpp>
#include <damrak/domain/measures.hpp>

namespace damrak {

struct QuoteProtection {
    ParticipantId participant{};
    InstrumentId instrument{};
    QuoteProtectionDetails details{};
    Timestamp begin{};  ///< of the window
    Quantity traded{};  ///< in the window; zero: it begins with the next trade

    /// Whether a trade now reaches the maximum. Then the next window begins.
    [[nodiscard]] bool reached_by(Quantity quantity, Timestamp now) {
        if (traded.value == 0 || now.value - begin.value >= details.window) {
            begin = now;
            traded = Quantity{0};
        }
        traded += quantity;
        if (traded < details.maximum) return false;
        traded = Quantity{0};
        return true;
    }
};

[[nodiscard]] inline std::uint64_t hash_of(const QuoteProtection& each) {
    std::uint64_t hash = mix(each.participant.value + 0x2127599BF4325C37U, each.instrument.value);
    for (const std::int64_t word :
         {each.details.maximum.value, each.details.window, each.begin.value, each.traded.value})
        hash = mix(hash ^ 0x880355F21E6D1965U, static_cast<std::uint64_t>(word) + 13);
    return hash;
}

class QuoteProtections {
  public:
    static constexpr std::size_t k_most = 1'024;

    QuoteProtections() : protections_(k_most) {}

    [[nodiscard]] bool full() const { return count_ == k_most; }
    [[nodiscard]] std::span<const QuoteProtection> all() const {
        return {protections_.data(), count_};
    }
    /// Null if there is none.
    [[nodiscard]] QuoteProtection* find(ParticipantId participant, InstrumentId instrument) {
        const std::span mine{protections_.data(), count_};
        const auto found = std::ranges::find_if(mine, [&](const QuoteProtection& each) {
            return each.participant == participant && each.instrument == instrument;
        });
        return found == mine.end() ? nullptr : &*found;
    }
    /// There must be room.
    void add(const QuoteProtection& protection) { protections_[count_++] = protection; }
    template <class Wanted>
    void remove_if(Wanted&& wanted) {
        QuoteProtection* const begin = protections_.data();
        count_ = static_cast<std::uint64_t>(std::remove_if(begin, begin + count_, wanted) - begin);
    }
    /// See base/archive.hpp.
    template <class Self, class Archive>
    static void transfer(Self& self, Archive& archive) {
        archive.count(self.count_, k_most);
        archive.values(self.protections_.data(), self.count_);
    }

  private:
    ReservedArray<QuoteProtection> protections_;
    std::uint64_t count_ = 0;
};

}  // namespace damrak
