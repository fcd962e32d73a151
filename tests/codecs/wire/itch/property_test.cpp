// Properties for all messages and all bytes: encoding and decoding are inverse, and a sequence of
// messages survives framing, blocks of any size and compression.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <damrak/wire/itch/file_reader.hpp>

#include "support/bytes.hpp"
#include "support/compress.hpp"
#include "support/itch_arbitrary.hpp"
#include "support/itch_collector.hpp"

namespace damrak::wire::itch::property_test {
namespace {

using damrak::testing::arbitrary_itch_message;
using damrak::testing::arbitrary_message;
using damrak::testing::Bytes;
using damrak::testing::itch_frame;
using damrak::testing::itch_frames;
using damrak::testing::itch_message;
using damrak::testing::ItchCollector;

template <class M>
class ItchRoundTrip : public ::testing::Test {};

template <class List>
struct TypesOf;
template <class... Ms>
struct TypesOf<std::variant<Ms...>> {
    using Types = ::testing::Types<Ms...>;
};
TYPED_TEST_SUITE(ItchRoundTrip, TypesOf<Message>::Types);

TYPED_TEST(ItchRoundTrip, decoding_inverts_encoding) {
    EXPECT_TRUE(rc::check([] {
        const auto message = arbitrary_message<TypeParam>();
        const auto decoded = decode_one(itch_message(message));
        RC_ASSERT(decoded.has_value());
        RC_ASSERT(std::get<TypeParam>(*decoded) == message);
    }));
}

TYPED_TEST(ItchRoundTrip, encoding_inverts_decoding_of_valid_bytes) {
    EXPECT_TRUE(rc::check([] {
        auto bytes = itch_message(arbitrary_message<TypeParam>());
        const auto at = *rc::gen::inRange<std::size_t>(0, bytes.size());
        bytes[at] = static_cast<std::byte>(*rc::gen::arbitrary<std::uint8_t>());
        const auto decoded = decode_one(bytes);
        if (!decoded) return;
        RC_ASSERT(std::visit([](const auto& m) { return itch_message(m); }, *decoded) == bytes);
    }));
}

RC_GTEST_PROP(ItchFile, gives_back_its_messages_from_blocks_of_any_size_and_any_encoding, ()) {
    std::vector<Message> messages(*rc::gen::inRange<std::size_t>(1, 60));
    for (auto& message : messages) message = arbitrary_itch_message();
    const auto raw = itch_frames(messages);
    const auto stored =
        *rc::gen::element(raw, damrak::testing::gzip(raw), damrak::testing::zstd(raw));
    FileReader reader{files::ByteSource::over(stored, "a day"),
                      *rc::gen::inRange<std::size_t>(1, 300)};
    ItchCollector collector;
    const auto step = reader.read_all(collector);
    RC_ASSERT(step.has_value());
    RC_ASSERT(*step == ReadStep::end);
    RC_ASSERT(collector.messages == messages);
    RC_ASSERT(reader.messages() == messages.size());
    RC_ASSERT(reader.offset() == raw.size());
}

RC_GTEST_PROP(ItchFile, of_any_bytes_ends_with_messages_or_a_named_error,
              (const std::vector<std::uint8_t>& noise)) {
    auto bytes = itch_frame(arbitrary_itch_message());
    damrak::testing::append(bytes, std::as_bytes(std::span{noise}));
    FileReader reader{files::ByteSource::over(bytes, "noise"), 7};
    ItchCollector collector;
    const auto step = reader.read_all(collector);
    RC_ASSERT(!collector.messages.empty());
    if (!step) {
        RC_ASSERT(step.error().cause.fault != Fault::none);
        RC_ASSERT(step.error().cause.offset <= bytes.size());
        RC_ASSERT(!step.error().text.empty());
    }
}

}  // namespace
}  // namespace damrak::wire::itch::property_test
