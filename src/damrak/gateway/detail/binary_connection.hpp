// What a gateway::BinaryGateway keeps of a connection; part of its header.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include <damrak/gateway/binary_gateway.hpp>

namespace damrak::gateway {

// The node comes first, so that a node is found to be its connection.
template <class Network, class Exchange>
struct BinaryGateway<Network, Exchange>::Connection : session::ActivityList::Node {
    Connection(std::size_t input_bytes, std::size_t output_bytes)
        : input_size(input_bytes),
          output_size(output_bytes),
          // Not initialised: only what is used of the buffers takes memory.
          input(new std::byte[input_bytes]),
          output_memory(new std::byte[output_bytes]) {}

    [[nodiscard]] bool open() const { return socket.open(); }
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
    bool closed_by_peer = false;
    bool peer_ended = false;    ///< there is an end to be read, behind whatever waits before it
    bool half_written = false;  ///< of a message at the front of the output
    telemetry::Unwritten unwritten;
};

}  // namespace damrak::gateway
