// The sockets of a load run: as many connected, logged-in clients as requested, before anything is
// measured. Used by the main thread of `damrak load`; blocks.
#pragma once

#include <cstddef>
#include <expected>
#include <memory>
#include <string>
#include <vector>

#include <damrak/client/fix_load_client.hpp>
#include <damrak/client/load_client.hpp>
#include <damrak/client/ouch_load_client.hpp>
#include <damrak/net/address.hpp>
#include <damrak/net/tcp.hpp>
#include <damrak/net/tls.hpp>

#include "load/options.hpp"

namespace damrak::app {

using net::Descriptor;

/// A client with its socket and buffers. The client is a LoadClient, a FixLoadClient or an
/// OuchLoadClient.
template <class Client>
struct LoadConnection {
    LoadConnection(const client::LoadSettings& settings, client::LoadTally& tally,
                   std::uint64_t number)
        : client(settings, tally, number) {}

    Client client;
    net::TlsSocket socket;
    std::vector<std::byte> unsent;  ///< room for a whole window; what waits to be sent
    std::size_t unsent_begin = 0;
    std::size_t unsent_end = 0;
    std::vector<std::byte> unread;  ///< the beginning of a message
    std::int64_t sent_ns = 0;       ///< of the last write
    bool touched = false;           ///< has new bytes to send in this turn
};

/// The clients of one thread, and what they count.
template <class Client>
struct LoadShare {
    std::unique_ptr<client::LoadTally> tally = std::make_unique<client::LoadTally>();
    std::vector<std::unique_ptr<LoadConnection<Client>>> connections;
};

template <class Client>
using LoadShares = std::vector<LoadShare<Client>>;

/// Raises the limit of open files to what `clients` need, or says why that cannot be.
[[nodiscard]] std::expected<void, std::string> reserve_descriptors(std::uint32_t clients);

/// All clients of the options, dealt out to its threads.
template <class Client>
[[nodiscard]] std::expected<LoadShares<Client>, std::string> connect_load(
    const LoadOptions& options);

/// A connected TCP socket without delay of small segments, which blocks; unopened: errno says why.
/// Of many (`number` from 0) to this machine, each group has a source address of its own.
[[nodiscard]] Descriptor connect_socket(const net::SocketAddress& to, std::uint32_t number);
[[nodiscard]] std::expected<net::SocketAddress, std::string> address_of(const LoadOptions& options);
[[nodiscard]] bool make_non_blocking(int fd);

}  // namespace damrak::app
