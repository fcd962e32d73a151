// A simulated datagram network with one host, which has one port, and any number of ends that send
// to it. It replaces the paths of net/. Each datagram has its own delay, so datagrams overtake each
// other; some are lost, some are duplicated. The host's queue is bounded, and datagrams that arrive
// while there is no host are lost. Everything follows from a random stream and the clock of the
// world. One thread; a datagram costs its bytes.
//
//   DatagramNetwork network{clock, random};
//   UdpGateway<HostPath, …> gateway{…};   gateway.open(HostPath{network});
//   network.send(end, bytes);   clock.advance(…);   gateway.poll(0);   network.receive(end);
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <support/simulation/virtual_clock.hpp>

#include <damrak/base/random.hpp>
#include <damrak/net/datagram_path.hpp>

namespace damrak::simulation {

struct DatagramRules {
    std::uint32_t lost_percent = 0;
    std::uint32_t repeated_percent = 0;
    std::uint32_t most_delay_ns = 1'000'000;
    /// Percentage of the host's flushes in which the kernel accepts nothing.
    std::uint32_t stuck_percent = 0;
    /// Capacity of the host's receive queue; further datagrams are lost.
    std::size_t host_room = 1'000;
};

class DatagramNetwork {
  public:
    using Bytes = std::vector<std::byte>;

    DatagramNetwork(const VirtualClock& clock, RandomStream& random)
        : clock_(&clock), random_(&random) {}
    DatagramNetwork(const DatagramNetwork&) = delete;
    DatagramNetwork& operator=(const DatagramNetwork&) = delete;

    /// Sends from an end to the host.
    void send(const net::Endpoint& from, std::span<const std::byte> bytes);
    /// The next datagram from the host to an end.
    [[nodiscard]] std::optional<Bytes> receive(const net::Endpoint& at);

    DatagramRules rules{};
    /// Called at the start of each call of the host. It may throw, which ends the process there.
    std::function<void()> on_host_call{};
    /// Called with each datagram passed to the host.
    std::function<void(const net::Datagram&)> on_given{};

    [[nodiscard]] std::uint64_t lost() const { return lost_; }
    [[nodiscard]] std::uint64_t repeated() const { return repeated_; }
    /// Number of datagrams that overtook an earlier one.
    [[nodiscard]] std::uint64_t overtaking() const { return overtaking_; }

  private:
    friend class HostPath;
    struct Parcel {
        net::Endpoint end;
        Bytes bytes;
        std::uint64_t number = 0;  ///< in the order of sending
    };
    /// By time of arrival.
    using Way = std::multimap<std::int64_t, Parcel>;

    void put(Way& way, const net::Endpoint& end, std::span<const std::byte> bytes);
    [[nodiscard]] Parcel take(Way& way, Way::iterator which);
    [[nodiscard]] std::optional<Parcel> next_for_host();
    /// Drops datagrams that arrived and were not read.
    void drop_unread();

    const VirtualClock* clock_;
    RandomStream* random_;
    Way to_host_;
    Way from_host_;
    std::uint64_t sent_ = 0;
    std::uint64_t newest_ = 0;  ///< latest to arrive
    std::uint64_t lost_ = 0;
    std::uint64_t repeated_ = 0;
    std::uint64_t overtaking_ = 0;
};

/// The path type for a gateway. Destroying it closes its port.
class HostPath {
  public:
    explicit HostPath(DatagramNetwork& network) : network_(&network) { network.drop_unread(); }
    HostPath(HostPath&& other) noexcept
        : network_(std::exchange(other.network_, nullptr)),
          ready_(std::move(other.ready_)),
          counters_(other.counters_) {}
    HostPath& operator=(HostPath&&) = delete;
    ~HostPath() {
        if (network_ != nullptr) network_->drop_unread();
    }

    /// Never waits: time stands still during a call.
    template <class Receiver>
    std::size_t receive(std::size_t quota, int /*wait_ms*/, Receiver&& receiver) {
        call();
        std::size_t count = 0;
        for (; count < quota; ++count) {
            const auto parcel = network_->next_for_host();
            if (!parcel) break;
            const net::Datagram datagram{.bytes = parcel->bytes, .source = parcel->end};
            ++counters_.received;
            if (network_->on_given) network_->on_given(datagram);
            receiver(datagram);
        }
        return count;
    }
    [[nodiscard]] std::span<std::byte> claim(const net::Endpoint& to, std::size_t at_most);
    void commit(std::size_t bytes);
    void flush();

    [[nodiscard]] static std::uint16_t port() { return 1; }
    [[nodiscard]] static int descriptor() { return -1; }
    [[nodiscard]] static std::string describe() { return "a simulated network"; }
    [[nodiscard]] net::PathCounters counters() const { return counters_; }

  private:
    static constexpr std::size_t k_room = 64;  ///< of datagrams ready to be read

    void call() const {
        if (network_->on_host_call) network_->on_host_call();
    }

    DatagramNetwork* network_;
    DatagramNetwork::Parcel claimed_;
    std::vector<DatagramNetwork::Parcel> ready_;
    net::PathCounters counters_;
};

static_assert(net::DatagramPath<HostPath>);

}  // namespace damrak::simulation
