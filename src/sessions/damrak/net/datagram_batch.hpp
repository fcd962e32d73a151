// Datagrams to one group, of which neighbours of the same size leave with one call: many small ones
// then cost little more than one. Their bytes and their order are as without it. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <damrak/net/udp.hpp>

namespace damrak::net {

class DatagramBatch {
  public:
    explicit DatagramBatch(MulticastSender sender) : sender_(std::move(sender)) {}

    /// It leaves with the next flush(), or earlier, once one of another size or too many follow.
    /// What the system refuses is lost.
    void add(std::span<const std::byte> datagram);
    /// Sends what waits.
    void flush();

    [[nodiscard]] const MulticastSender& sender() const { return sender_; }
    /// System calls so far.
    [[nodiscard]] std::uint64_t calls() const { return calls_; }

  private:
    MulticastSender sender_;
    std::vector<std::byte> waiting_;  ///< one after another, each of `size_` bytes
    std::size_t size_ = 0;
    std::uint64_t calls_ = 0;
};

}  // namespace damrak::net
