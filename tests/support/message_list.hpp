// Numbered messages in memory, and positions in them for reading: the source of feeds in tests,
// without a file.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/base/byte_order.hpp>

#include "support/bytes.hpp"

namespace damrak::testing {

struct MessageList {
    std::vector<std::string> messages{};
    bool complete = false;
};

class MessageReader {
  public:
    MessageReader(const MessageList& list, std::uint64_t next) : list_{&list}, next_{next} {}

    std::span<const std::byte> read(std::span<std::byte> memory) {
        std::size_t used = 0;
        for (; next_ <= list_->messages.size(); ++next_) {
            const std::string& message = list_->messages[next_ - 1];
            if (used + 2 + message.size() > memory.size()) break;
            store_be(memory.data() + used, static_cast<std::uint16_t>(message.size()));
            std::ranges::copy(bytes_of(message), memory.data() + used + 2);
            used += 2 + message.size();
        }
        return memory.first(used);
    }
    [[nodiscard]] std::uint64_t next() const { return next_; }
    [[nodiscard]] std::uint64_t messages() const { return list_->messages.size(); }
    [[nodiscard]] bool at_end() const { return list_->complete && next_ == messages() + 1; }

  private:
    const MessageList* list_;
    std::uint64_t next_;
};

inline std::string text_of(std::span<const std::byte> bytes) {
    std::string text;
    for (const std::byte b : bytes) text += static_cast<char>(b);
    return text;
}

}  // namespace damrak::testing
