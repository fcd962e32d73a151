// A sender of datagrams in a simulated world, in one of the three formats. It sends orders and
// changes, repeats unanswered ones with their numbers, sends duplicates and garbage, and stores
// what it receives. Some senders pause now and then, so that they are forgotten. Public formats are
// not answered: these senders repeat at random, and in the end everything.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <support/simulation/datagram_network.hpp>

#include <damrak/base/random.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/wire/packet/decode.hpp>

namespace damrak::simulation {

/// Comparable form of a reply or public trade: everything but its time.
[[nodiscard]] std::string reported_as(const wire::packet::Reply& reply);
[[nodiscard]] std::string reported_as(const wire::packet::Trade& trade);

class UdpCustomer {
  public:
    using Order = wire::packet::Order;
    using Reply = wire::packet::Reply;
    using Format = wire::packet::Format;

    /// `rest_ns`: maximum duration of a pause; zero: never pauses.
    UdpCustomer(std::uint32_t number, std::uint64_t seed, std::uint32_t rest_ns);

    /// `asking`: sends new requests. Returns the first fault, if any.
    [[nodiscard]] std::optional<std::string> step(simulation::DatagramNetwork& network,
                                                  std::int64_t elapsed_ns, bool asking);
    /// Repeats everything that could be missing.
    void repeat_all(simulation::DatagramNetwork& network);

    /// By number, counted from the first.
    [[nodiscard]] const std::vector<Order>& orders() const { return orders_; }
    [[nodiscard]] const Order* find(std::uint32_t sequence) const;
    /// Whether all orders are answered; always true for the public formats.
    [[nodiscard]] bool is_answered() const { return waiting_.empty(); }
    [[nodiscard]] std::size_t unanswered() const { return waiting_.size(); }

    /// Received reports, without duplicates.
    [[nodiscard]] const std::set<std::string>& told() const { return reported_; }
    /// Rejects are separate: the exchange's are in the journal, the gateway's are not.
    [[nodiscard]] const std::vector<Reply>& refusals() const { return refusals_; }
    /// Numbers of replies since the last call.
    [[nodiscard]] std::set<std::uint32_t> take_reply_numbers() {
        return std::exchange(reply_numbers_, {});
    }
    [[nodiscard]] SessionId session() const;
    [[nodiscard]] bool is_extended() const { return format_ == Format::extended; }
    [[nodiscard]] std::uint64_t repeated() const { return repeated_; }
    [[nodiscard]] std::string name() const;

  private:
    [[nodiscard]] Order draw(std::uint32_t sequence);
    void send(simulation::DatagramNetwork& network, std::span<const Order> orders);
    void send_garbage(simulation::DatagramNetwork& network);
    [[nodiscard]] std::optional<std::string> hear(std::span<const std::byte> bytes);
    void hear(const Reply& reply);

    net::Endpoint end_;
    RandomStream random_;
    Format format_;
    std::uint32_t first_;  ///< number
    std::int64_t patience_ns_;
    std::uint32_t rest_ns_;
    std::int64_t rests_until_ns_ = 0;
    std::vector<Order> orders_;
    std::map<std::size_t, std::int64_t> waiting_;  ///< unanswered ones, and when each was last sent
    std::set<std::string> reported_;
    std::vector<Reply> refusals_;
    std::set<std::uint32_t> reply_numbers_;
    std::uint64_t repeated_ = 0;
};

}  // namespace damrak::simulation
