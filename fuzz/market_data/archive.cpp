// Decodes any bytes as the columns of an archived block. Accepted ones must encode to the same
// messages.
#include <cstddef>
#include <cstdint>
#include <span>

#include <damrak/archive/columns.hpp>
#include <damrak/base/assert.hpp>

#include "support/fuzz_target.hpp"

namespace damrak::fuzz_archive {

DAMRAK_FUZZ_TARGET(archive)(const std::uint8_t* data, std::size_t size) {
    using namespace damrak::archive;  // NOLINT(google-build-using-namespace): its own
    const auto block = from_columns(std::as_bytes(std::span{data, size}));
    if (block) DAMRAK_ASSERT(from_columns(to_columns(block->frames))->frames == block->frames);
    return 0;
}

}  // namespace damrak::fuzz_archive
