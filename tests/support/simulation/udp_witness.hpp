// What senders of datagrams are owed according to the journal, independent of the gateway; and the
// expected counters of the gateway for given datagrams, from a window of numbers that is a set.
// Plain containers; for tests.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <support/disk.hpp>

#include <damrak/domain/event.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/engine/engine_config.hpp>
#include <damrak/gateway/udp/detail/settings.hpp>
#include <damrak/gateway/udp/detail/udp_client.hpp>
#include <damrak/journal/record.hpp>
#include <damrak/net/datagram_path.hpp>
#include <damrak/wire/packet/messages.hpp>

namespace damrak::simulation {

/// Derived from the journal so far.
class UdpOwed {
  public:
    using Told = std::set<std::string>;  ///< see reported_as()

    /// Null if the journal cannot be read.
    [[nodiscard]] static std::unique_ptr<UdpOwed> by(const simulation::Disk& used,
                                                     const std::string& folder,
                                                     const EngineConfig& engine);

    /// How often an order or change with this number was entered: the maximum between two times at
    /// which its sender was forgotten together with its numbers.
    [[nodiscard]] int entered(SessionId session, std::uint32_t sequence) const {
        const auto found = entered_.find({session.value, sequence});
        return found == entered_.end() ? 0 : found->second;
    }
    [[nodiscard]] bool owes(SessionId session, const std::string& told) const {
        const auto found = reported_.find(session.value);
        return found != reported_.end() && found->second.contains(told);
    }
    /// Per remembered session, in order of entry.
    [[nodiscard]] const std::map<std::uint64_t, std::vector<std::uint32_t>>& numbers() const {
        return numbers_;
    }

    // Called by the reader of the journal.
    void on_record(const journal::Record& record);
    void on_event(const Event& event, const Origin& origin);

  private:
    struct Open {
        SessionId session{};
        ClientOrderId name{};
        std::uint32_t sequence = 0;
        Side side{};
        bool extended = false;
    };

    void on_change(const Event& event, const Origin& origin, Open order);
    void owe(const Open& order, wire::packet::Reply reply, const Event& event);
    void owe_trade(const Event& aggressor);

    using Numbers = std::map<std::pair<std::uint64_t, std::uint32_t>, int>;
    Numbers entered_;
    Numbers entered_lately_;  ///< since their sender was forgotten
    std::map<std::uint64_t, std::vector<std::uint32_t>> numbers_;
    std::map<std::uint64_t, Told> reported_;
    std::map<std::uint64_t, Open> orders_;  ///< entered by datagram, by the exchange's id
    OrderId resting_{};                     ///< of the trade being reported
};

/// Gateway counters that follow from the datagrams alone.
struct UdpCounts {
    std::uint64_t datagrams = 0;
    std::uint64_t orders = 0;
    std::uint64_t malformed = 0;
    std::uint64_t duplicates = 0;
    std::uint64_t too_old = 0;
    std::uint64_t gaps = 0;
    std::uint64_t missing = 0;
    std::uint64_t late = 0;

    [[nodiscard]] static UdpCounts of(const gateway::udp::UdpCounters& gateway);
    [[nodiscard]] std::string text() const;
    void add(const UdpCounts& other);
    friend bool operator==(const UdpCounts&, const UdpCounts&) = default;
};

/// The numbers received by one process of the exchange.
class UdpNumbers {
  public:
    /// Starts as a process that finds these in its journal.
    void begin_behind(const UdpOwed& owed);
    /// The gateway has forgotten the session.
    void forget(SessionId session) { windows_.erase(session.value); }
    void note(const net::Datagram& datagram);
    [[nodiscard]] const UdpCounts& counts() const { return counts_; }

  private:
    struct Window {
        bool started = false;
        std::uint32_t highest = 0;
        std::set<std::uint32_t> came;
    };
    void note(Window& window, std::uint32_t number);

    std::map<std::uint64_t, Window> windows_;
    UdpCounts counts_;
};

}  // namespace damrak::simulation
