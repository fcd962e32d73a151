// Decodes any bytes as a message of OUCH in either version and direction: decoded messages must
// encode to the same bytes; invalid ones must have a fault with an offset inside the message or at
// its end.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>

#include <damrak/base/assert.hpp>
#include <damrak/wire/ouch/decode.hpp>
#include <damrak/wire/ouch/encode.hpp>

#include "support/fuzz_target.hpp"

namespace damrak::fuzz_ouch {

namespace {

using namespace damrak::wire::ouch;  // NOLINT(google-build-using-namespace): its own

template <class Messages, bool is_inbound>
void check(std::span<const std::byte> bytes) {
    const auto decoded = decode<Messages>(bytes);
    if (!decoded) {
        DAMRAK_ASSERT(decoded.error().fault != Fault::none);
        DAMRAK_ASSERT(decoded.error().offset <= bytes.size());
        DAMRAK_ASSERT(!describe(decoded.error()).empty());
        if constexpr (is_inbound)
            DAMRAK_ASSERT(!is_of_options(decoded.error().fault) ||
                          decode_fields<Messages>(bytes).has_value());
        return;
    }
    std::array<std::byte, k_longest_message> memory{};
    const std::size_t length =
        std::visit([&memory](const auto& message) { return encode(message, memory); }, *decoded);
    DAMRAK_ASSERT(std::ranges::equal(std::span{memory}.first(length), bytes));
}

}  // namespace

DAMRAK_FUZZ_TARGET(ouch)(const std::uint8_t* data, std::size_t size) {
    const auto bytes = std::as_bytes(std::span{data, size});
    check<v42::Inbound, true>(bytes);
    check<v42::Outbound, false>(bytes);
    check<v50::Inbound, true>(bytes);
    check<v50::Outbound, false>(bytes);
    return 0;
}

}  // namespace damrak::fuzz_ouch
