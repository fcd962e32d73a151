// Properties of all OUCH messages: encoding and decoding are inverse, with any fields and
// appendage, and arbitrary bytes do no harm.
#include <algorithm>
#include <variant>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <damrak/wire/ouch/decode.hpp>
#include <damrak/wire/ouch/encode.hpp>

#include "support/bytes.hpp"

namespace damrak::wire::ouch::property_test {
namespace {

using damrak::testing::Bytes;

Bytes arbitrary_ouch_bytes(std::size_t length) {
    Bytes bytes;
    for (const auto byte :
         *rc::gen::container<std::vector<std::uint8_t>>(length, rc::gen::arbitrary<std::uint8_t>()))
        bytes.push_back(static_cast<std::byte>(byte));
    return bytes;
}

// Some options, each once, in any order.
Bytes arbitrary_options() {
    Bytes options;
    std::vector<std::uint8_t> tags;
    for (std::uint8_t tag = 0; tag < k_option_tags; ++tag)
        if (k_option_size.at(tag) > 0 && *rc::gen::inRange(0, 4) == 0)
            tags.insert(tags.begin() + *rc::gen::inRange<std::ptrdiff_t>(
                                           0, static_cast<std::ptrdiff_t>(tags.size()) + 1),
                        tag);
    for (const std::uint8_t tag : tags) {
        options.push_back(static_cast<std::byte>(1 + k_option_size.at(tag)));
        options.push_back(static_cast<std::byte>(tag));
        damrak::testing::append(options, arbitrary_ouch_bytes(k_option_size.at(tag)));
    }
    return options;
}

template <class M>
Bytes arbitrary_ouch_message() {
    using L = Layout<M>;
    Bytes bytes = arbitrary_ouch_bytes(L::k_length);
    bytes[0] = static_cast<std::byte>(L::k_type);
    if (L::k_appendage == AppendageUse::none) return bytes;
    if (L::k_appendage == AppendageUse::optional && *rc::gen::arbitrary<bool>()) return bytes;
    const Bytes options = arbitrary_options();
    bytes.push_back(static_cast<std::byte>(options.size() >> 8U));
    bytes.push_back(static_cast<std::byte>(options.size()));
    damrak::testing::append(bytes, options);
    return bytes;
}

template <class M>
Bytes ouch_bytes(const M& message) {
    Bytes bytes(k_longest_message);
    bytes.resize(encode(message, bytes));
    return bytes;
}

template <class Messages>
void check_any(const Bytes& bytes) {
    const auto decoded = decode<Messages>(bytes);
    if (!decoded) {
        RC_ASSERT(decoded.error().fault != Fault::none);
        RC_ASSERT(!describe(decoded.error()).empty());
        return;
    }
    std::visit([&](const auto& message) { RC_ASSERT(ouch_bytes(message) == bytes); }, *decoded);
}

template <class Messages>
class OuchRoundTrip : public ::testing::Test {};
using AllOfOuch = ::testing::Types<v42::Inbound, v42::Outbound, v50::Inbound, v50::Outbound>;
TYPED_TEST_SUITE(OuchRoundTrip, AllOfOuch);

template <class Messages, class M>
void check_message() {
    const Bytes bytes = arbitrary_ouch_message<M>();
    const auto decoded = decode<Messages>(bytes);
    RC_ASSERT(decoded.has_value());
    const M& message = std::get<M>(*decoded);
    RC_ASSERT(ouch_bytes(message) == bytes);
    RC_ASSERT(std::get<M>(*decode<Messages>(ouch_bytes(message))) == message);
}

template <class... Ms>
void check_all_messages(std::variant<Ms...>* /*which*/) {
    (check_message<std::variant<Ms...>, Ms>(), ...);
}

TYPED_TEST(OuchRoundTrip, every_message_survives_a_round_trip) {
    EXPECT_TRUE(rc::check([] { check_all_messages(static_cast<TypeParam*>(nullptr)); }));
}

template <class... Ms>
void check_faulty(std::variant<Ms...>* /*which*/) {
    const auto check = []<class M>() {
        Bytes bytes = arbitrary_ouch_message<M>();
        const auto at = *rc::gen::inRange<std::size_t>(0, bytes.size());
        bytes[at] = static_cast<std::byte>(*rc::gen::arbitrary<std::uint8_t>());
        check_any<std::variant<Ms...>>(bytes);
        bytes.resize(*rc::gen::inRange<std::size_t>(0, bytes.size() + 4));
        check_any<std::variant<Ms...>>(bytes);
    };
    (check.template operator()<Ms>(), ...);
}

TYPED_TEST(OuchRoundTrip, damaged_bytes_reencode_identically_or_are_a_fault) {
    EXPECT_TRUE(rc::check([] { check_faulty(static_cast<TypeParam*>(nullptr)); }));
}

}  // namespace
}  // namespace damrak::wire::ouch::property_test
