#include "support/simulation/soup_peer.hpp"

#include <array>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include <damrak/base/time_units.hpp>

namespace damrak::simulation {

namespace {

constexpr std::int64_t k_heartbeat_ns = k_second_ns;
constexpr std::int64_t k_silence_ns = 15 * k_second_ns;
constexpr std::ptrdiff_t k_session_bytes = 10;

std::string text_of(const std::vector<std::byte>& bytes, std::ptrdiff_t from, std::ptrdiff_t to) {
    std::string text;
    for (auto i = from; i < to && i < std::ssize(bytes); ++i)
        if (const char c = static_cast<char>(bytes[static_cast<std::size_t>(i)]); c != ' ')
            text += c;
    return text;
}

}  // namespace

std::string SoupPacket::session() const { return text_of(payload, 0, k_session_bytes); }

std::uint64_t SoupPacket::next() const {
    const std::string digits = text_of(payload, k_session_bytes, std::ssize(payload));
    return digits.empty() ? 0 : std::stoull(digits);
}

void SoupPeer::begin(simulation::ClientSocket socket, const Login& login, Timestamp now) {
    socket_ = std::move(socket);
    in_.clear();
    out_.clear();
    heard_ = sent_ = now;
    lost_ = false;
    const std::string text =
        fmt::format("{:<6}{:<10}{:<10}{:>20}", login.user, "", login.session, login.next);
    send('L', std::as_bytes(std::span{text}));
}

void SoupPeer::send(char type, std::span<const std::byte> payload) {
    const std::size_t length = payload.size() + 1;
    out_.push_back(static_cast<std::byte>(length / 256));
    out_.push_back(static_cast<std::byte>(length % 256));
    out_.push_back(static_cast<std::byte>(type));
    out_.insert(out_.end(), payload.begin(), payload.end());
}

std::vector<SoupPacket> SoupPeer::move(Timestamp now) {
    std::array<std::byte, 4'096> room{};
    const auto got = socket_.receive(room);
    in_.insert(in_.end(), room.begin(), room.begin() + static_cast<std::ptrdiff_t>(got.bytes));
    if (got.bytes > 0) heard_ = now;
    std::vector<SoupPacket> packets;
    std::size_t at = 0;
    while (in_.size() - at >= 3) {
        const auto length =
            std::to_integer<std::size_t>(in_[at]) * 256 + std::to_integer<std::size_t>(in_[at + 1]);
        if (in_.size() - at - 2 < length || length == 0) break;
        const auto begin = in_.begin() + static_cast<std::ptrdiff_t>(at) + 2;
        packets.push_back({.type = static_cast<char>(*begin),
                           .payload = {begin + 1, begin + static_cast<std::ptrdiff_t>(length)}});
        at += 2 + length;
    }
    in_.erase(in_.begin(), in_.begin() + static_cast<std::ptrdiff_t>(at));
    if (out_.empty() && now.value - sent_.value >= k_heartbeat_ns) send('R');
    if (!out_.empty()) {
        const std::size_t sent = socket_.send(out_);
        if (sent > 0) sent_ = now;
        out_.erase(out_.begin(), out_.begin() + static_cast<std::ptrdiff_t>(sent));
    }
    lost_ = got.closed || now.value - heard_.value > k_silence_ns;
    return packets;
}

}  // namespace damrak::simulation
