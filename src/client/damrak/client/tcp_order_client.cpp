#include <damrak/client/tcp_order_client.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include <damrak/base/time_units.hpp>
#include <damrak/net/address.hpp>

namespace damrak::client {

namespace {

constexpr std::int64_t k_first_pause_ns = k_second_ns;
constexpr std::int64_t k_longest_pause_ns = 10 * k_second_ns;

}  // namespace

std::size_t TcpOrderClient::do_work(std::int64_t now_ns) {
    switch (state_) {
        case State::waiting:
            return now_ns >= retry_at_ns_ ? connect(now_ns) : 0;
        case State::connecting:
            return finish_connect(now_ns);
        case State::logging_in:
        case State::up:
            return move_bytes(now_ns);
        case State::refused:
        case State::ended:
            return 0;
    }
    std::unreachable();
}

std::int64_t TcpOrderClient::next_step_ns(std::int64_t now_ns) const {
    switch (state_) {
        case State::waiting:
            return retry_at_ns_;
        case State::logging_in:
        case State::up:
            return heartbeat_at_ns_;
        case State::connecting:
        case State::refused:
        case State::ended:
            break;
    }
    return now_ns + k_second_ns;
}

pollfd TcpOrderClient::waits_for() const {
    const bool writes = state_ == State::connecting || !unsent().empty();
    return {.fd = socket_.number(),
            .events = static_cast<short>(writes ? POLLIN | POLLOUT : POLLIN),
            .revents = 0};
}

std::string TcpOrderClient::where() const { return net::host_and_port(host_, port_); }

void TcpOrderClient::refuse(std::string why) {
    socket_.reset();
    state_ = State::refused;
    trouble_ = std::move(why);
}

void TcpOrderClient::log_out() {
    leaving_ = true;
    if (is_logged_in()) return say_goodbye();
    socket_.reset();
    state_ = State::ended;
}

std::size_t TcpOrderClient::connect(std::int64_t now_ns) {
    auto socket = net::connect_tcp(host_, port_);
    if (!socket) return lose(now_ns, std::move(socket.error()));
    socket_ = std::move(*socket);
    state_ = State::connecting;
    return finish_connect(now_ns) + 1;
}

std::size_t TcpOrderClient::finish_connect(std::int64_t now_ns) {
    const auto there = net::connected(socket_);
    if (!there)
        return lose(now_ns, fmt::format("cannot connect to {}: {}", where(), there.error()));
    if (!*there) return 0;
    state_ = State::logging_in;
    log_in();
    heartbeat_at_ns_ = now_ns + heartbeat_interval_ns_;
    return move_bytes(now_ns) + 1;
}

std::size_t TcpOrderClient::move_bytes(std::int64_t now_ns) {
    const auto got = read(now_ns);
    if (!got) return 1;
    if (state_ == State::logging_in && is_logged_in()) {
        state_ = State::up;
        pause_ns_ = 0;
        trouble_.clear();
    }
    if (std::string why = fault(); !why.empty()) return lose(now_ns, std::move(why));
    if (now_ns >= heartbeat_at_ns_) {
        heartbeat();
        heartbeat_at_ns_ = now_ns + heartbeat_interval_ns_;
    }
    const net::Moved sent = net::send(socket_, unsent());
    mark_sent(sent.bytes);
    return sent.closed ? lose(now_ns, "the exchange closed the connection") : *got + sent.bytes;
}

std::optional<std::size_t> TcpOrderClient::read(std::int64_t now_ns) {
    std::array<std::byte, 65'536> memory{};
    for (std::size_t bytes = 0;;) {
        const net::Moved got = net::receive(socket_, memory);
        if (!hear(std::span{memory}.first(got.bytes))) {
            lose(now_ns, "received bytes that are not of this protocol");
            return {};
        }
        if (got.closed) {
            lose(now_ns, "the exchange closed the connection");
            return {};
        }
        bytes += got.bytes;
        if (got.bytes < memory.size()) return bytes;
    }
}

std::size_t TcpOrderClient::lose(std::int64_t now_ns, std::string why) {
    if (state_ == State::up) ++losses_;
    if (std::string refused = refusal(); !refused.empty()) {
        refuse(std::move(refused));
        return 1;
    }
    socket_.reset();
    on_loss();
    state_ = leaving_ ? State::ended : State::waiting;
    trouble_ = std::move(why);
    pause_ns_ = std::clamp(2 * pause_ns_, k_first_pause_ns, k_longest_pause_ns);
    retry_at_ns_ = now_ns + pause_ns_;
    return 1;
}

}  // namespace damrak::client
