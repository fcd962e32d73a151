// Messages to OUCH bytes, the exact inverse of decode.hpp. A pure function for any thread; the
// caller owns the memory, nothing allocates.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <damrak/base/assert.hpp>
#include <damrak/base/byte_order.hpp>
#include <damrak/wire/itch/encode.hpp>
#include <damrak/wire/ouch/descriptor_v42.hpp>
#include <damrak/wire/ouch/descriptor_v50.hpp>
#include <damrak/wire/ouch/detail/appendage.hpp>

namespace damrak::wire::ouch {

/// In either version: Replaced of 5.0 with every option.
inline constexpr std::size_t k_longest_message =
    Layout<v50::Replaced>::k_shortest + k_appendage_capacity;

/// Returns the length. `to` must be large enough; k_longest_message is enough for any message.
template <class M>
std::size_t encode(const M& message, std::span<std::byte> to) {
    using L = Layout<M>;
    DAMRAK_ASSERT(to.size() >= L::k_shortest);
    to[0] = static_cast<std::byte>(L::k_type);
    if constexpr (L::k_length > 1)
        itch::detail::store_message(to.data(), message, typename L::Fields{});
    if constexpr (L::k_appendage != AppendageUse::none) {
        const Appendage& appendage = message.appendage;
        if (L::k_appendage == AppendageUse::optional && appendage.empty() && !appendage.stated)
            return L::k_length;
        const std::size_t length = L::k_length + k_appendage_length_size + appendage.length;
        DAMRAK_ASSERT(to.size() >= length);
        store_be(to.data() + L::k_length, appendage.length);
        std::ranges::copy(appendage.view(), to.begin() + L::k_length + k_appendage_length_size);
        return length;
    }
    return L::k_length;
}

}  // namespace damrak::wire::ouch
