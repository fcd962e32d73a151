#include "load/attack.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <immintrin.h>
#include <sched.h>
#include <sys/socket.h>

#include <damrak/base/random.hpp>
#include <damrak/client/binary_client.hpp>

#include "load/connections.hpp"
#include "load/options.hpp"

namespace damrak::app {

namespace {

using namespace wire::binary;

constexpr std::size_t k_block_bytes = 4'096;
constexpr std::size_t k_half_header_bytes = 7;
constexpr auto k_pause = std::chrono::milliseconds{1};
/// Nobody else trades it, so that what is ordered there is nobody else's matter.
constexpr InstrumentId k_instrument{4};

/// A hostile connection.
struct Attacker {
    Descriptor socket;
    client::BinaryClient wire{Version::v1};
    std::vector<std::byte> unsent;
};

std::size_t connections_of(Attack attack) {
    switch (attack) {
        case Attack::half_open:
            return k_attack_connections;
        case Attack::byte_at_a_time:
            return 50;
        case Attack::flood:
            return 4;
        case Attack::connect_storm:
            return 0;
        default:
            return 8;
    }
}

/// Learns the client id from the answer to a login, and listens to nothing else.
struct LoginListener {
    static void on_hello(const Header&, const HelloAck&) {}
    static void on_logout(const Header&, const LogoutAck&) {}
    static void on_order_ack(const Header&, const OrderAck&) {}
    static void on_cancel_ack(const Header&, const CancelAck&) {}
    static void on_modify_ack(const Header&, const ModifyAck&) {}
    static void on_trade(const Header&, const Trade&) {}
    static void on_error(const Header&, const Error&) {}
    static void on_timeout(const Header&, const SessionTimeout&) {}
};

class Assault {
  public:
    Assault(Attack attack, const net::SocketAddress& server, std::uint64_t seed,
            AttackCounts& counts, std::atomic<bool>& has_begun)
        : attack_(attack), server_(server), random_(seed), counts_(counts), has_begun_(has_begun) {}

    void run(const std::stop_token& stop) {
        const std::int64_t begin_ns = load_clock_ns();
        attackers_.resize(connections_of(attack_));
        while (!stop.stop_requested()) {
            const std::uint64_t before = counts_.sent_bytes + counts_.connections;
            if (attack_ == Attack::connect_storm) storm(begin_ns);
            for (Attacker& attacker : attackers_) act(attacker);
            if (counts_.sent_bytes > 0) has_begun_.store(true, std::memory_order_relaxed);
            if (counts_.sent_bytes + counts_.connections == before)
                std::this_thread::sleep_for(k_pause);
        }
        counts_.seconds = static_cast<double>(load_clock_ns() - begin_ns) / 1e9;
    }

  private:
    void act(Attacker& attacker) {
        if (!attacker.socket.open() && !open(attacker)) return;
        if (attacker.unsent.empty()) write_next(attacker);
        const bool single = attack_ == Attack::byte_at_a_time;
        send(attacker, single ? 1 : attacker.unsent.size());
        if (attack_ != Attack::slow_reader) discard_answers(attacker);
    }

    bool open(Attacker& attacker) {
        attacker = {};
        attacker.socket = connect_socket(server_, 0);
        if (!attacker.socket.open()) return false;
        counts_.connections += 1;
        const bool orders = attack_ == Attack::slow_reader || attack_ == Attack::flood ||
                            attack_ == Attack::byte_at_a_time;
        if (orders && !log_in(attacker)) {
            close_by_server(attacker);
            return false;
        }
        if (attack_ == Attack::half_open) {
            attacker.unsent.resize(client::BinaryClient::k_largest_request_bytes);
            attacker.wire.hello(attacker.unsent);
            attacker.unsent.resize(k_half_header_bytes);
        }
        return make_non_blocking(attacker.socket.number());
    }

    // The socket still blocks.
    static bool log_in(Attacker& attacker) {
        std::vector<std::byte> memory(k_max_frame_length);
        const std::size_t length = attacker.wire.hello(memory);
        const int fd = attacker.socket.number();
        if (::send(fd, memory.data(), length, MSG_NOSIGNAL) != static_cast<ssize_t>(length))
            return false;
        LoginListener listener;
        for (std::size_t have = 0; !attacker.wire.client_id();) {
            const ssize_t got = ::recv(fd, memory.data() + have, memory.size() - have, 0);
            if (got <= 0) return false;
            have += static_cast<std::size_t>(got);
            attacker.wire.receive(std::span{memory}.first(have), listener);
        }
        return true;
    }

    void write_next(Attacker& attacker) {
        if (attack_ == Attack::half_open) return;
        attacker.unsent.resize(k_block_bytes);
        if (attack_ == Attack::random) return write_noise(attacker);
        std::span<std::byte> rest{attacker.unsent};
        // Market orders of an instrument without a market: answered, and nothing rests.
        while (rest.size() >= client::BinaryClient::k_largest_request_bytes)
            rest = rest.subspan(attacker.wire.new_order(
                rest, {.instrument = k_instrument, .order_type = 1, .quantity = 1}));
        attacker.unsent.resize(attacker.unsent.size() - rest.size());
    }

    void write_noise(Attacker& attacker) {
        attacker.unsent.resize(1 + random_.below(k_block_bytes));
        for (std::byte& byte : attacker.unsent) byte = static_cast<std::byte>(random_.next());
        if (random_.coin() || attacker.unsent.size() < k_header_length) return;
        attacker.unsent[k_version_offset] = std::byte{1};
        attacker.unsent[k_payload_length_offset] = std::byte{0};
    }

    void send(Attacker& attacker, std::size_t count) {
        if (count == 0 || attacker.unsent.empty()) return;
        const ssize_t sent =
            ::send(attacker.socket.number(), attacker.unsent.data(), count, MSG_NOSIGNAL);
        if (sent < 0 && errno != EAGAIN && errno != EINTR) return close_by_server(attacker);
        if (sent <= 0) return;
        counts_.sent_bytes += static_cast<std::uint64_t>(sent);
        attacker.unsent.erase(attacker.unsent.begin(), attacker.unsent.begin() + sent);
    }

    void discard_answers(Attacker& attacker) {
        while (attacker.socket.open()) {
            const ssize_t got =
                ::recv(attacker.socket.number(), scratch_.data(), scratch_.size(), MSG_DONTWAIT);
            if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
                return close_by_server(attacker);
            if (got < static_cast<ssize_t>(scratch_.size())) return;
        }
    }

    void close_by_server(Attacker& attacker) {
        counts_.ended_by_server += 1;
        attacker.socket.reset();
    }

    // Every other one logs in first; every other one breaks off instead of closing.
    void storm(std::int64_t begin_ns) {
        constexpr double k_a_second = 10'000;
        constexpr std::uint64_t k_most_at_once = 100;
        const double elapsed_s = static_cast<double>(load_clock_ns() - begin_ns) / 1e9;
        const auto due = static_cast<std::uint64_t>(elapsed_s * k_a_second);
        const std::uint64_t last = std::min(due, stormed_ + k_most_at_once);
        for (; stormed_ < last; ++stormed_) {
            Attacker attacker;
            attacker.socket = connect_socket(server_, 0);
            if (!attacker.socket.open()) return;
            counts_.connections += 1;
            if (stormed_ % 2 == 0) {
                attacker.unsent.resize(client::BinaryClient::k_largest_request_bytes);
                attacker.unsent.resize(attacker.wire.hello(attacker.unsent));
                send(attacker, attacker.unsent.size());
            }
            const linger broken{.l_onoff = 1, .l_linger = 0};
            if (stormed_ / 2 % 2 == 0 && attacker.socket.open())
                ::setsockopt(attacker.socket.number(), SOL_SOCKET, SO_LINGER, &broken,
                             sizeof broken);
        }
    }

    Attack attack_;
    net::SocketAddress server_;
    RandomStream random_;
    AttackCounts& counts_;
    std::atomic<bool>& has_begun_;
    std::vector<Attacker> attackers_;
    std::vector<std::byte> scratch_ = std::vector<std::byte>(16 * k_block_bytes);
    std::uint64_t stormed_ = 0;
};

}  // namespace

AttackThread::AttackThread(std::optional<Attack> attack, const net::SocketAddress& server,
                           std::uint64_t seed)
    : thread_([this, attack, server, seed](const std::stop_token& stop) {
          const sched_param none{};
          ::sched_setscheduler(0, SCHED_IDLE, &none);
          if (attack) return Assault{*attack, server, seed, counts_, has_begun_}.run(stop);
          while (!stop.stop_requested()) _mm_pause();
      }) {}

AttackCounts AttackThread::stop() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
    return counts_;
}

}  // namespace damrak::app
