// A datagram path in memory, for tests and fuzzing: datagrams put into its wire are received, and
// sent ones can be read there. The test keeps the wire; the path itself moves into the gateway.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <damrak/net/datagram_path.hpp>

#include "support/bytes.hpp"

namespace damrak::testing {

struct MemoryWire {
    struct Parcel {
        net::Endpoint end;
        Bytes bytes;
    };
    std::deque<Parcel> incoming;
    std::vector<Parcel> sent;    ///< accepted by the kernel
    std::size_t room = 100'000;  ///< datagrams that may be ready but not yet accepted
    bool takes = true;           ///< the kernel accepts ready datagrams
};

class MemoryPath {
  public:
    explicit MemoryPath(std::shared_ptr<MemoryWire> wire) : wire_(std::move(wire)) {}

    template <class Receiver>
    std::size_t receive(std::size_t quota, int /*wait_ms*/, Receiver&& receiver) {
        std::size_t count = 0;
        for (; count < quota && !wire_->incoming.empty(); ++count) {
            const MemoryWire::Parcel parcel = std::move(wire_->incoming.front());
            wire_->incoming.pop_front();
            ++counters_.received;
            receiver(net::Datagram{.bytes = parcel.bytes, .source = parcel.end});
        }
        return count;
    }
    [[nodiscard]] std::span<std::byte> claim(const net::Endpoint& to, std::size_t at_most) {
        if (ready_.size() >= wire_->room) {
            ++counters_.no_room;
            return {};
        }
        claimed_ = {.end = to, .bytes = Bytes(at_most)};
        return claimed_.bytes;
    }
    void commit(std::size_t bytes) {
        claimed_.bytes.resize(bytes);
        ready_.push_back(std::move(claimed_));
    }
    void flush() {
        if (!wire_->takes) return;
        for (MemoryWire::Parcel& parcel : ready_) wire_->sent.push_back(std::move(parcel));
        counters_.sent += ready_.size();
        ready_.clear();
    }
    [[nodiscard]] static std::uint16_t port() { return 26'402; }
    [[nodiscard]] static int descriptor() { return -1; }
    [[nodiscard]] static std::string describe() { return "in memory"; }
    [[nodiscard]] net::PathCounters counters() const { return counters_; }

  private:
    std::shared_ptr<MemoryWire> wire_;
    MemoryWire::Parcel claimed_;
    std::vector<MemoryWire::Parcel> ready_;
    net::PathCounters counters_;
};
static_assert(net::DatagramPath<MemoryPath>);

}  // namespace damrak::testing
