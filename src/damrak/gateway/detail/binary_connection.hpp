// What a gateway::BinaryGateway keeps of a connection, and those that wait behind the others; part
// of its header.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>

#include <damrak/gateway/binary_gateway.hpp>

namespace damrak::gateway {

// The node comes first, so that a node is found to be its connection.
template <class Network, class Exchange>
struct BinaryGateway<Network, Exchange>::Connection : session::ActivityList::Node,
                                                      detail::LoginLinks<Connection> {
    Connection(std::size_t input_bytes, std::size_t output_bytes)
        : input_size(input_bytes),
          output_size(output_bytes),
          // Not initialised: only what is used of the buffers takes memory.
          input(new std::byte[input_bytes]),
          output_memory(new std::byte[output_bytes]) {}

    [[nodiscard]] bool open() const { return socket.open(); }
    /// Whether it waits behind the others: what it brings is no message, or more than its share, or
    /// the end of it.
    [[nodiscard]] bool waits_behind() const { return burdens || peer_ended; }
    /// It has sent its last, and does not read the answers: more requests would only add to them.
    [[nodiscard]] bool is_choked() const { return peer_ended && output->size() > output_size / 2; }
    /// Everything that is owed is sent, or will never be.
    [[nodiscard]] bool is_over() const {
        return broken ||
               (closed_by_peer && !queued_read && output->size() == 0 && session->pending() == 0);
    }
    void prefetch() const {
        constexpr std::size_t k_line_bytes = 64;
        const auto* const bytes = reinterpret_cast<const std::byte*>(this);
        for (std::size_t at = 0; at < sizeof *this; at += k_line_bytes)
            __builtin_prefetch(bytes + at);
    }
    [[nodiscard]] std::span<std::byte> room() const {
        return {input.get() + input_used, input_size - input_used};
    }

    std::size_t input_size;
    std::size_t output_size;
    std::unique_ptr<std::byte[]> input;
    std::unique_ptr<std::byte[]> output_memory;
    std::size_t input_used = 0;
    typename Network::Socket socket;
    std::optional<session::OutputBuffer> output;
    std::optional<session::BinarySession<BinaryGateway>> session;
    ParticipantId own_participant{};  ///< given to this connection alone
    bool has_ordered = false;
    bool queued_read = false;
    bool queued_write = false;
    bool burdens = true;          ///< its last read brought no whole message, or filled its quota
    bool closed_by_peer = false;  ///< it sends nothing more, but may still read
    bool broken = false;          ///< nothing can be sent to it
    bool peer_ended = false;      ///< there is an end to be read, behind whatever waits before it
    bool half_written = false;    ///< of a message at the front of the output
    telemetry::Unwritten unwritten;
    Connection* next_behind = nullptr;
};

/// First come, first served; without memory of its own.
template <class Network, class Exchange>
class BinaryGateway<Network, Exchange>::Behind {
  public:
    void push(Connection& connection) {
        connection.next_behind = nullptr;
        (size_ == 0 ? first_ : last_->next_behind) = &connection;
        last_ = &connection;
        ++size_;
    }
    [[nodiscard]] Connection& pop() {
        --size_;
        return *std::exchange(first_, first_->next_behind);
    }
    [[nodiscard]] std::size_t size() const { return size_; }

  private:
    Connection* first_ = nullptr;
    Connection* last_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace damrak::gateway
