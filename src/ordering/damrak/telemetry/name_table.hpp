// Names of enumerators for log rows. All entries have one size, so copying a name takes two moves
// whatever its length, and every value has an entry. Filled at start; a look-up computes an
// address.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <damrak/base/assert.hpp>

namespace damrak::telemetry {

/// A short name that is copied in one go.
struct alignas(32) Name {
    static constexpr std::size_t k_longest = 31;
    std::array<char, k_longest> text{};
    std::uint8_t length = 0;

    constexpr Name() = default;
    constexpr explicit Name(std::string_view whole)
        : length(static_cast<std::uint8_t>(whole.size())) {
        DAMRAK_ASSERT(whole.size() <= k_longest);
        std::ranges::copy(whole, text.begin());
    }
    [[nodiscard]] constexpr std::string_view view() const { return {text.data(), length}; }
};

template <class E>
class NameTable {
    static constexpr std::size_t k_count = 256;
    static_assert(sizeof(E) == 1, "every value has an entry");

  public:
    explicit NameTable(std::string_view (*name_of)(E)) noexcept {
        for (std::size_t i = 0; i < k_count; ++i) names_[i] = Name{name_of(static_cast<E>(i))};
    }
    [[nodiscard]] constexpr const Name& operator[](E value) const {
        return names_[static_cast<std::uint8_t>(value)];
    }

  private:
    std::array<Name, k_count> names_;
};

}  // namespace damrak::telemetry
