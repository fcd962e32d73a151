// The bytes of a fuzzer, taken from the front. Total: past the end a byte is 0, and a piece is as
// long as the remaining input.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace damrak::testing {

class FuzzInput {
  public:
    explicit FuzzInput(std::span<const std::byte> bytes) : bytes_{bytes} {}
    [[nodiscard]] bool empty() const { return bytes_.empty(); }
    unsigned byte() {
        const auto one = take(1);
        return one.empty() ? 0U : std::to_integer<unsigned>(one[0]);
    }
    std::span<const std::byte> take(std::size_t count) {
        const auto first = bytes_.first(std::min(count, bytes_.size()));
        bytes_ = bytes_.subspan(first.size());
        return first;
    }

  private:
    std::span<const std::byte> bytes_;
};

}  // namespace damrak::testing
