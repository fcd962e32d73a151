// Decodes any bytes as ITCH: as one message, as frames in memory, and as an archive file in small
// blocks (which also reaches the gzip and zstd decoders). Decoded messages must encode to the same
// bytes, and the three ways must agree.
#include <algorithm>
#include <cstdint>
#include <span>

#include <damrak/base/assert.hpp>
#include <damrak/wire/itch/file_reader.hpp>

#include "support/bytes.hpp"
#include "support/fuzz_target.hpp"

namespace damrak::fuzz_itch {

namespace {

using namespace damrak::wire;
using damrak::testing::Bytes;

// Encodes messages back to frames, and uses ahead() so that the scout runs as well.
struct Rewriter {
    static constexpr std::size_t k_ahead = 5;
    Bytes frames;
    std::uint64_t announced = 0;

    void ahead(char, std::uint16_t, std::uint64_t) { ++announced; }
    template <class M>
    void on(const M& message) {
        damrak::testing::append(frames, damrak::testing::itch_frame(message));
    }
};

void as_one_message(std::span<const std::byte> bytes) {
    const auto decoded = itch::decode_one(bytes);
    if (!decoded) {
        DAMRAK_ASSERT(decoded.error().fault != itch::Fault::none);
        DAMRAK_ASSERT(!itch::describe(decoded.error()).empty());
        return;
    }
    const auto again =
        std::visit([](const auto& m) { return damrak::testing::itch_message(m); }, *decoded);
    DAMRAK_ASSERT(std::ranges::equal(again, bytes));
}

itch::WalkResult as_frames(std::span<const std::byte> bytes, Rewriter& rewriter) {
    const auto result = itch::walk(bytes, rewriter);
    DAMRAK_ASSERT(result.consumed_bytes == rewriter.frames.size());
    DAMRAK_ASSERT(std::ranges::equal(rewriter.frames, bytes.first(result.consumed_bytes)));
    DAMRAK_ASSERT((result.end == itch::WalkEnd::fault) ==
                  (result.error.fault != itch::Fault::none));
    return result;
}

void as_file(std::span<const std::byte> bytes, const Rewriter& walked,
             const itch::WalkResult& expected) {
    constexpr std::size_t k_block_bytes = 61;
    itch::FileReader reader{damrak::files::ByteSource::over(bytes, "input"), k_block_bytes};
    Rewriter rewriter;
    const auto step = reader.read_all(rewriter);
    if (!step) DAMRAK_ASSERT(!step.error().text.empty());
    if (reader.encoding() != damrak::files::ByteSource::Encoding::raw) return;
    if (!reader.notes().empty()) {  // the file continues behind a length of zero
        DAMRAK_ASSERT(expected.end == itch::WalkEnd::end_mark);
        const auto begin = std::span{rewriter.frames}.first(
            std::min(rewriter.frames.size(), walked.frames.size()));
        DAMRAK_ASSERT(std::ranges::equal(begin, walked.frames));
        return;
    }
    DAMRAK_ASSERT(rewriter.frames == walked.frames);
    DAMRAK_ASSERT(reader.messages() == expected.messages);
    if (expected.end == itch::WalkEnd::fault) DAMRAK_ASSERT(!step.has_value());
}

}  // namespace

DAMRAK_FUZZ_TARGET(itch)(const std::uint8_t* data, std::size_t size) {
    const auto bytes = std::as_bytes(std::span{data, size});
    as_one_message(bytes);
    Rewriter rewriter;
    const auto result = as_frames(bytes, rewriter);
    as_file(bytes, rewriter, result);
    return 0;
}

}  // namespace damrak::fuzz_itch
