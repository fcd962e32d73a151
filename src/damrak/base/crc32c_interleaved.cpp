#include <damrak/base/crc32c_interleaved.hpp>

#include <algorithm>
#include <array>
#include <cstring>

#include <wmmintrin.h>

#include <damrak/base/crc32c.hpp>

// The baseline of the build does not name the instruction, though all of its processors have it.
#define DAMRAK_CARRY_LESS [[gnu::target("pclmul,sse4.2")]]

namespace damrak {

namespace {

constexpr std::size_t k_word = sizeof(std::uint64_t);
constexpr std::size_t k_shortest_stretch = 4;  ///< in words
constexpr std::size_t k_longest_stretch = 64;

// What to multiply a state with so that it is as if so many words of zeros had followed:
// x^(64 n - 33) modulo the polynomial, bits reversed. The missing 33 come from the width of the
// product and from the reduction.
consteval auto make_shifts() {
    constexpr std::uint32_t k_reflected_polynomial = 0x82F63B78;
    std::array<std::uint32_t, 2 * k_longest_stretch + 1> shifts{};
    std::uint32_t power = 1;  // x^31, which is 64 - 33
    for (std::size_t words = 1; words < shifts.size(); ++words) {
        shifts[words] = power;
        for (int bit = 0; bit < 64; ++bit)
            power = power >> 1U ^ ((power & 1U) != 0 ? k_reflected_polynomial : 0);
    }
    return shifts;
}
constexpr auto k_shifts = make_shifts();

DAMRAK_CARRY_LESS std::uint64_t behind_zeros(std::uint64_t state, std::size_t words) {
    const __m128i product =
        _mm_clmulepi64_si128(_mm_cvtsi64_si128(static_cast<long long>(state)),
                             _mm_cvtsi64_si128(std::int64_t{k_shifts[words]}), 0);
    return crc32c_step(0, static_cast<std::uint64_t>(_mm_cvtsi128_si64(product)));
}

std::uint64_t word_at(const std::byte* from) {
    std::uint64_t word;
    std::memcpy(&word, from, sizeof word);
    return word;
}

}  // namespace

DAMRAK_CARRY_LESS std::uint32_t crc32c_interleaved(std::span<const std::byte> bytes,
                                                   std::uint32_t before) {
    std::uint64_t state = ~before;
    while (bytes.size() >= 3 * k_shortest_stretch * k_word) {
        const std::size_t stretch = std::min(bytes.size() / (3 * k_word), k_longest_stretch);
        const std::byte* at = bytes.data();
        std::uint64_t second = 0;
        std::uint64_t third = 0;
        for (std::size_t i = 0; i < stretch; ++i, at += k_word) {
            state = crc32c_step(state, word_at(at));
            second = crc32c_step(second, word_at(at + stretch * k_word));
            third = crc32c_step(third, word_at(at + 2 * stretch * k_word));
        }
        state = behind_zeros(state, 2 * stretch) ^ behind_zeros(second, stretch) ^ third;
        bytes = bytes.subspan(3 * stretch * k_word);
    }
    return crc32c(bytes, crc32c_finish(state));
}

}  // namespace damrak
