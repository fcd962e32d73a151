// Bytes waiting to be sent to one client, in memory that its owner provides. Bounded, so that a
// client that does not read harms only itself. Sessions write at the end, the owner sends from the
// front. One thread; no allocation; bytes move only when the end of the memory is reached.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>

#include <damrak/base/assert.hpp>

namespace damrak::session {

class OutputBuffer {
  public:
    explicit OutputBuffer(std::span<std::byte> memory) : memory_(memory) {}

    /// Bytes that may be sent now.
    [[nodiscard]] std::span<const std::byte> readable() const {
        return memory_.subspan(begin_, (holding_ ? held_ : end_) - begin_);
    }
    /// The first `count` readable bytes were sent.
    void consume(std::size_t count) {
        DAMRAK_ASSERT(count <= readable().size());
        begin_ += count;
        if (begin_ == end_) begin_ = end_ = held_ = 0;
    }
    /// Includes bytes that may not be sent yet.
    [[nodiscard]] std::size_t size() const { return end_ - begin_; }
    /// Free bytes.
    [[nodiscard]] std::size_t room() const { return memory_.size() - size(); }

    /// Room for that many bytes, which the caller must write at once; empty if there is none.
    [[nodiscard]] std::span<std::byte> extend(std::size_t count) {
        if (memory_.size() - end_ < count) {
            if (room() < count) return {};
            compact();
        }
        end_ += count;
        return memory_.subspan(end_ - count, count);
    }

    /// From now on nothing becomes readable until release(), because the outcome that the next
    /// bytes report is not known yet.
    void hold() {
        DAMRAK_ASSERT(!holding_);
        holding_ = true;
        held_ = end_;
    }
    /// The bytes that were held back.
    [[nodiscard]] std::span<std::byte> held() { return memory_.subspan(held_, end_ - held_); }
    [[nodiscard]] bool holding() const { return holding_; }
    void release() { holding_ = false; }

  private:
    void compact() {
        std::memmove(memory_.data(), memory_.data() + begin_, size());
        held_ -= holding_ ? begin_ : 0;
        end_ -= begin_;
        begin_ = 0;
    }

    std::span<std::byte> memory_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    std::size_t held_ = 0;
    bool holding_ = false;
};

}  // namespace damrak::session
