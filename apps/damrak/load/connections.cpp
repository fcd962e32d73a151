#include "load/connections.hpp"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <damrak/net/client_descriptors.hpp>

namespace damrak::app {

namespace {

using Connected = std::expected<void, std::string>;

constexpr std::uint64_t k_other_descriptors = 64;
constexpr int k_login_patience_s = 10;

std::string where(const LoadOptions& options) {
    return net::host_and_port(options.host, options.port);
}

std::unexpected<std::string> cannot(const LoadOptions& options, std::size_t connected) {
    return std::unexpected{fmt::format(
        "cannot connect to {}: {}; {} of {} clients were connected (is `damrak serve` running "
        "there?)",
        where(options), std::strerror(errno), connected, options.clients)};
}

// For something to read, as long as an answer to a login may take.
bool wait_to_read(const net::TlsSocket& socket) {
    pollfd waiting{.fd = socket.number(), .events = POLLIN, .revents = 0};
    return ::poll(&waiting, 1, k_login_patience_s * 1'000) == 1;
}

std::unexpected<std::string> no_login(const LoadOptions& options, std::string_view why) {
    return std::unexpected{fmt::format("no answer to a login at {}: {}", where(options), why)};
}

template <class Client>
Connected say_hello(LoadConnection<Client>& connection, const LoadOptions& options) {
    const net::TlsSocket& socket = connection.socket;
    auto shaken = socket.shake_hands();
    for (; shaken && !*shaken; shaken = socket.shake_hands())
        if (!wait_to_read(socket)) return no_login(options, "no TLS handshake was received");
    if (!shaken) return no_login(options, shaken.error());
    std::array<std::byte, Client::k_largest_request_bytes> memory{};
    const std::size_t length = connection.client.hello(memory, load_clock_ns());
    if (socket.send(std::span{memory}.first(length)).bytes == length) return {};
    return no_login(options, "the connection was closed");
}

// A login is answered before anything else can be, so that no byte of a later answer is read here.
template <class Client>
Connected await_hello(LoadConnection<Client>& connection, const LoadOptions& options,
                      const client::LoadTally& tally) {
    std::array<std::byte, Client::k_largest_answer_bytes> memory{};
    const net::TlsSocket& socket = connection.socket;
    std::size_t have = 0;
    for (;;) {
        const net::Moved got = socket.receive(std::span{memory}.subspan(have));
        if (got.bytes == 0) {
            if (got.closed)
                return no_login(options, socket.trouble().empty() ? "the connection was closed"
                                                                  : socket.trouble());
            if (!wait_to_read(socket)) return no_login(options, "nothing came");
            continue;
        }
        have += got.bytes;
        const auto heard =
            connection.client.receive(std::span{memory}.first(have), load_clock_ns());
        if (heard.messages == 0 && !connection.client.broken()) continue;
        if (connection.client.logged_in()) return {};
        return std::unexpected{
            fmt::format("{} refused the login: {}", where(options), tally.first_error)};
    }
}

// The local ports of one address are some 28,000. Any address that begins with 127 is ours.
bool bind_source(int fd, const net::SocketAddress& to, std::uint32_t number) {
    constexpr std::uint32_t k_clients_an_address = 20'000;
    if (number < k_clients_an_address || !to.is_ipv4() || !to.is_loopback()) return true;
    const std::uint32_t host = INADDR_LOOPBACK + number / k_clients_an_address;
    const auto from = net::resolve(
        fmt::format("127.{}.{}.{}", host >> 16U & 0xffU, host >> 8U & 0xffU, host & 0xffU), 0);
    const int on = 1;
    ::setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
    return from && ::bind(fd, from->data(), from->size()) == 0;
}

}  // namespace

bool make_non_blocking(int fd) {
    const int flags = ::fcntl(fd, F_GETFL);
    return flags >= 0 && ::fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0;
}

std::expected<net::SocketAddress, std::string> address_of(const LoadOptions& options) {
    return net::resolve(options.host, options.port);
}

Descriptor connect_socket(const net::SocketAddress& to, std::uint32_t number) {
    Descriptor connected{::socket(to.family(), SOCK_STREAM | SOCK_CLOEXEC, 0)};
    if (!connected.open()) return connected;
    const int fd = connected.number();
    net::prepare_tcp(connected);
    const timeval patience{.tv_sec = k_login_patience_s, .tv_usec = 0};
    ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (!bind_source(fd, to, number) || ::connect(fd, to.data(), to.size()) != 0) return {};
    return connected;
}

std::expected<void, std::string> reserve_descriptors(std::uint32_t clients) {
    const std::uint64_t wanted = clients + k_other_descriptors;
    const std::uint64_t most = net::raise_descriptor_limit(wanted);
    if (most >= wanted) return {};
    return std::unexpected{fmt::format(
        "{} clients need {} open files but this system allows {}: use at most {} clients, or "
        "raise the hard limit (ulimit -Hn)",
        clients, wanted, most, most - k_other_descriptors)};
}

template <class Client>
std::expected<LoadShares<Client>, std::string> connect_load(const LoadOptions& options) {
    const client::LoadSettings& settings = options.settings;
    const auto address = address_of(options);
    if (!address) return std::unexpected{address.error()};
    LoadShares<Client> shares(options.threads);
    for (std::uint32_t i = 0; i < options.clients; ++i) {
        LoadShare<Client>& share = shares[i % options.threads];
        auto& connection = *share.connections.emplace_back(
            std::make_unique<LoadConnection<Client>>(settings, *share.tally, i + 1));
        connection.unsent.resize((settings.window + 1) * Client::k_largest_request_bytes);
        connection.unread.reserve(Client::k_largest_answer_bytes);
        Descriptor socket = connect_socket(*address, i);
        if (!socket.open() || !make_non_blocking(socket.number())) return cannot(options, i);
        connection.socket = {std::move(socket), options.tls_context.get()};
        if (auto said = say_hello(connection, options); !said) return std::unexpected{said.error()};
    }
    for (LoadShare<Client>& share : shares) {
        for (const auto& connection : share.connections) {
            if (auto let_in = await_hello(*connection, options, *share.tally); !let_in)
                return std::unexpected{let_in.error()};
        }
    }
    return shares;
}

template std::expected<LoadShares<client::LoadClient>, std::string> connect_load(
    const LoadOptions& options);
template std::expected<LoadShares<client::FixLoadClient>, std::string> connect_load(
    const LoadOptions& options);
template std::expected<LoadShares<client::OuchLoadClient>, std::string> connect_load(
    const LoadOptions& options);

}  // namespace damrak::app
