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
constexpr std::int64_t k_heartbeat_ns = 10 * k_second_ns;

}  // namespace

void EntryLink::do_work(std::int64_t now_ns) {
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

std::string EntryLink::where() const { return net::host_and_port(settings_.host, settings_.port); }

void EntryLink::refuse(std::string why) {
    socket_.reset();
    state_ = State::refused;
    trouble_ = std::move(why);
}

void EntryLink::connect(std::int64_t now_ns) {
    auto socket = net::connect_tcp(settings_.host, settings_.port);
    if (!socket) return lose(now_ns, std::move(socket.error()));
    socket_ = std::move(*socket);
    state_ = State::connecting;
    finish_connect(now_ns);
}

void EntryLink::finish_connect(std::int64_t now_ns) {
    const auto there = net::connected(socket_);
    if (!there)
        return lose(now_ns, fmt::format("cannot connect to {}: {}", where(), there.error()));
    if (!*there) return;
    state_ = State::logging_in;
    entry_.login(settings_.key);
    heartbeat_at_ns_ = now_ns + k_heartbeat_ns;
    move_bytes(now_ns);
}

void EntryLink::move_bytes(std::int64_t now_ns) {
    if (!read(now_ns)) return;
    if (state_ == State::logging_in && entry_.logged_in()) {
        state_ = State::up;
        pause_ns_ = 0;
        trouble_.clear();
    }
    if (entry_.out_of_step())
        return lose(now_ns, "the exchange refused a message; version 2 cannot continue after that");
    if (now_ns >= heartbeat_at_ns_) {
        entry_.heartbeat();
        heartbeat_at_ns_ = now_ns + k_heartbeat_ns;
    }
    const net::Moved sent = net::send(socket_, entry_.unsent());
    entry_.mark_sent(sent.bytes);
    if (sent.closed) lose(now_ns, "the exchange closed the connection");
}

bool EntryLink::read(std::int64_t now_ns) {
    std::array<std::byte, 65'536> memory{};
    for (;;) {
        const net::Moved got = net::receive(socket_, memory);
        const auto fault = entry_.receive(std::span{memory}.first(got.bytes));
        if (fault != wire::binary::Fault::none) {
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

void EntryLink::lose(std::int64_t now_ns, std::string why) {
    if (state_ == State::up) ++losses_;
    socket_.reset();
    entry_.lose();
    state_ = State::waiting;
    trouble_ = std::move(why);
    pause_ns_ = std::clamp(2 * pause_ns_, k_first_pause_ns, k_longest_pause_ns);
    retry_at_ns_ = now_ns + pause_ns_;
}

}  // namespace damrak::app
