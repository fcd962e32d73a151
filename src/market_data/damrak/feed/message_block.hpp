// A buffer of messages for a feed session. Each follows its length in two bytes, big-endian: the
// form of the session's file. One thread; memory grows to the largest block and stays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <damrak/wire/itch/encode.hpp>

namespace damrak::feed {

class MessageBlock {
  public:
    template <class M>
    void append(const M& message) {
        constexpr std::size_t k_length = wire::itch::k_frame_length<M>;
        const std::size_t at = bytes_.size();
        bytes_.resize(at + k_length);
        wire::itch::encode_frame(message, std::span{bytes_}.subspan(at).template first<k_length>());
        ++messages_;
    }
    void clear() {
        bytes_.clear();
        messages_ = 0;
    }

    [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }
    [[nodiscard]] std::uint64_t messages() const { return messages_; }
    [[nodiscard]] bool empty() const { return messages_ == 0; }

  private:
    std::vector<std::byte> bytes_;
    std::uint64_t messages_ = 0;
};

}  // namespace damrak::feed
