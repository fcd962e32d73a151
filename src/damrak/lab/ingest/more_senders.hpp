// Who floods the engine of the ingest study beside its first sender: a thread each with a socket,
// recorded packets of its own round and round, and ids that no other has. Nothing that comes back
// is looked at. Made and ended on the first sender's thread, in its network.
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
    /// `options.senders` less the first one. They send until stop().
    MoreSenders(const Options& options, std::uint16_t port, std::span<const unsigned> cores);
    MoreSenders(const MoreSenders&) = delete;
    MoreSenders& operator=(const MoreSenders&) = delete;
    ~MoreSenders() { static_cast<void>(stop()); }

    /// How many packets the kernel took of them.
    std::uint64_t stop();

  private:
    void send(std::uint32_t sender, const Options& options, std::uint16_t port);

    std::atomic<bool> stopping_{false};
    std::atomic<std::uint64_t> sent_{0};
    std::vector<std::jthread> threads_;
};

}  // namespace damrak::lab::ingest
