#include "term/link.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include <damrak/base/time_units.hpp>
#include <damrak/net/address.hpp>

namespace damrak::app {

namespace {

constexpr std::int64_t k_first_pause_ns = k_second_ns;
constexpr std::int64_t k_longest_pause_ns = 10 * k_second_ns;

}  // namespace

void TcpLink::do_work(std::int64_t now_ns) {
    switch (state_) {
        case State::waiting:
            if (now_ns >= retry_at_ns_) connect(now_ns);
            break;
        case State::connecting:
            finish_connect(now_ns);
            break;
        case State::logging_in:
        case State::up:
            move_bytes(now_ns);
            break;
        case State::refused:
            break;
    }
}

std::string TcpLink::where() const { return net::host_and_port(host_, port_); }

void TcpLink::refuse(std::string why) {
    socket_.reset();
    state_ = State::refused;
    trouble_ = std::move(why);
}

void TcpLink::connect(std::int64_t now_ns) {
    auto socket = net::connect_tcp(host_, port_);
    if (!socket) return lose(now_ns, std::move(socket.error()));
    socket_ = std::move(*socket);
    state_ = State::connecting;
    finish_connect(now_ns);
}

void TcpLink::finish_connect(std::int64_t now_ns) {
    const auto there = net::connected(socket_);
    if (!there)
        return lose(now_ns, fmt::format("cannot connect to {}: {}", where(), there.error()));
    if (!*there) return;
    state_ = State::logging_in;
    log_in();
    heartbeat_at_ns_ = now_ns + heartbeat_interval_ns_;
    move_bytes(now_ns);
}

void TcpLink::move_bytes(std::int64_t now_ns) {
    if (!read(now_ns)) return;
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
    if (sent.closed) lose(now_ns, "the exchange closed the connection");
}

bool TcpLink::read(std::int64_t now_ns) {
    std::array<std::byte, 65'536> memory{};
    for (;;) {
        const net::Moved got = net::receive(socket_, memory);
        if (!hear(std::span{memory}.first(got.bytes))) {
            lose(now_ns, "received bytes that are not of this protocol");
            return false;
        }
        if (got.closed) {
            lose(now_ns, "the exchange closed the connection");
            return false;
        }
        if (got.bytes < memory.size()) return true;
    }
}

void TcpLink::lose(std::int64_t now_ns, std::string why) {
    if (state_ == State::up) ++losses_;
    if (std::string refused = refusal(); !refused.empty()) return refuse(std::move(refused));
    socket_.reset();
    on_loss();
    state_ = State::waiting;
    trouble_ = std::move(why);
    pause_ns_ = std::clamp(2 * pause_ns_, k_first_pause_ns, k_longest_pause_ns);
    retry_at_ns_ = now_ns + pause_ns_;
}

}  // namespace damrak::app
