// The additional senders of a flood in the ingest study: each a thread with a socket and its own
// recorded packets, repeated, with unique ids. They ignore answers. Made and ended on the first
// sender's thread, in its network.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <thread>
#include <vector>

#include <damrak/lab/ingest/study.hpp>

namespace damrak::lab::ingest {

class MoreSenders {
  public:
    /// Starts `options.senders` less the first one. They send until stop().
    MoreSenders(const Options& options, std::uint16_t port, std::span<const unsigned> cores);
    MoreSenders(const MoreSenders&) = delete;
    MoreSenders& operator=(const MoreSenders&) = delete;
    ~MoreSenders() { static_cast<void>(stop()); }

    /// Ends them. Returns how many packets the kernel accepted.
    std::uint64_t stop();

  private:
    void send(std::uint32_t sender, const Options& options, std::uint16_t port);

    std::atomic<bool> stopping_{false};
    std::atomic<std::uint64_t> sent_{0};
    std::vector<std::jthread> threads_;
};

}  // namespace damrak::lab::ingest
