// The names that clients give to their orders (ClOrdID of FIX, Token of OUCH), each unique for its
// participant. Knows which order has a name, and which names stay taken after their orders ended.
// The first 20 characters are stored separately, so a short name is one comparison.
//
// Part of a gateway's state, one thread. O(1) a call, no allocation after construction. Index 0
// means no name.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

#include <damrak/base/index_pool.hpp>
#include <damrak/base/reserved_array.hpp>
#include <damrak/domain/identifiers.hpp>
#include <damrak/views/growing_map.hpp>

namespace damrak::gateway {

/// A name of up to 20 characters, or the first 20 of a longer one, zero padded.
struct ShortName {
    static constexpr std::size_t k_length = 20;
    std::array<char, k_length> characters{};

    [[nodiscard]] static constexpr ShortName of(std::string_view text) {
        ShortName name;
        std::ranges::copy(text.substr(0, k_length), name.characters.begin());
        return name;
    }
    [[nodiscard]] std::string_view view() const { return {characters.data(), length()}; }
    /// Counts by words: zeros follow the last character.
    [[nodiscard]] std::size_t length() const {
        std::uint64_t front = 0;
        std::uint64_t middle = 0;
        std::uint32_t back = 0;
        std::memcpy(&front, characters.data(), sizeof front);
        std::memcpy(&middle, characters.data() + 8, sizeof middle);
        std::memcpy(&back, characters.data() + 16, sizeof back);
        if (back != 0) return 20 - static_cast<std::size_t>(std::countl_zero(back)) / 8;
        if (middle != 0) return 16 - static_cast<std::size_t>(std::countl_zero(middle)) / 8;
        return 8 - static_cast<std::size_t>(std::countl_zero(front)) / 8;
    }
    friend constexpr bool operator==(const ShortName&, const ShortName&) = default;
};

class ClientOrderNames {
  public:
    /// The longest name, in characters.
    static constexpr std::size_t k_longest = 64;

    explicit ClientOrderNames(std::uint32_t capacity)
        : pool_(capacity),
          names_(capacity + std::size_t{1}),
          long_names_(names_.size()),
          map_(capacity) {}

    /// The name must not be taken, and there must be room. `order` is the owner's index of the
    /// order.
    std::uint32_t add(ParticipantId participant, const ShortName& name, std::uint32_t order) {
        const std::uint32_t index = pool_.take();
        names_[index] = {.begin = name, .participant = participant, .order = order};
        map_.insert(tag_of(participant, name, 0), index);
        return index;
    }
    /// The same for a name of at most k_longest characters.
    std::uint32_t add(ParticipantId participant, std::string_view name, std::uint32_t order);
    /// Separates the name from its order, which gets another one. The name stays taken.
    void part(std::uint32_t index) { names_[index].order = 0; }
    /// Frees the name.
    void forget(std::uint32_t index) {
        map_.erase(index);
        pool_.give_back(index);
    }

    /// Frees all names without an order and returns how many. Costs a look-up for each index ever
    /// used.
    std::uint32_t forget_parted();

    /// Zero if no order has, or is remembered to have had, this name.
    [[nodiscard]] std::uint32_t find(ParticipantId participant, std::string_view name) const;
    /// Zero if the order is gone.
    [[nodiscard]] std::uint32_t order_of(std::uint32_t index) const { return names_[index].order; }
    [[nodiscard]] std::string_view text(std::uint32_t index) const {
        const Name& one = names_[index];
        if (one.is_long()) [[unlikely]]
            return {long_names_[index].data(), one.length};
        return one.begin.view();
    }

    /// Whose name it is.
    [[nodiscard]] ParticipantId owner_of(std::uint32_t index) const {
        return names_[index].participant;
    }

    /// Prefetches what prefetch() reads.
    void prefetch_tag(std::uint32_t index) const { map_.prefetch_tag(index); }
    /// Prefetches what order_of() reads.
    void prefetch_name(std::uint32_t index) const { __builtin_prefetch(&names_[index], 1); }
    /// Prefetches what forget() reads.
    void prefetch(std::uint32_t index) const { map_.prefetch(index); }

    /// See base/serialize.hpp.
    template <class Self, class Archive>
    static void transfer(Self& self, Archive& archive) {
        IndexPool::transfer(self.pool_, archive);
        archive.values(self.names_.data(), self.pool_.highest() + std::size_t{1});
        for (std::uint32_t i = 1; i <= self.pool_.highest(); ++i)
            if (self.names_[i].is_long()) archive.value(self.long_names_[i]);
        views::GrowingMap::transfer(self.map_, archive);
    }

  private:
    struct Name {
        ShortName begin;
        ParticipantId participant{};
        std::uint32_t order = 0;   ///< the order that has the name; zero: only a past one
        std::uint32_t length = 0;  ///< of a long name, in full
        [[nodiscard]] bool is_long() const { return length != 0; }
    };
    using LongName = std::array<char, k_longest>;

    /// `rest`: hash of the characters after the first 20.
    [[nodiscard]] static std::uint32_t tag_of(ParticipantId participant, const ShortName& name,
                                              std::uint64_t rest);
    [[nodiscard]] static std::uint32_t tag_of(ParticipantId participant, std::string_view name);

    IndexPool pool_;
    ReservedArray<Name> names_;
    ReservedArray<LongName> long_names_;  ///< of each, touched for long ones alone
    views::GrowingMap map_;
};

}  // namespace damrak::gateway
