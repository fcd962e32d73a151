#include "load/echo.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <damrak/session/binary_rules.hpp>
#include <damrak/wire/binary/decode.hpp>
#include <damrak/wire/binary/encode.hpp>

#include "load/connections.hpp"

namespace damrak::app {

namespace {

using namespace wire::binary;

constexpr std::size_t k_buffer_bytes = 256 * 1'024;
constexpr int k_events = 1'024;
constexpr std::size_t k_direct_peers = 8;

struct EchoPeer {
    Descriptor socket;
    std::vector<std::byte> unread;  ///< the beginning of a request
    std::vector<std::byte> unsent;  ///< what the socket did not take
};

/// The child process: one thread, until it is killed.
class EchoLoop {
  public:
    EchoLoop(Descriptor listener, bool spin)
        : listener_(std::move(listener)), patience_ms_(spin ? 0 : -1) {}

    // Its only end is a signal, or a fault of the system that leaves clients without an answer.
    void run() {
        epoll_ = Descriptor{::epoll_create1(EPOLL_CLOEXEC)};
        watch(listener_.number(), nullptr);
        std::array<epoll_event, k_events> events;  // filled by the kernel
        for (;;) {
            if (direct()) spin_on_sockets();
            const int count = ::epoll_wait(epoll_.number(), events.data(), k_events, patience_ms_);
            if (count < 0 && errno != EINTR) return;
            for (int i = 0; i < count; ++i) {
                auto* const peer =
                    static_cast<EchoPeer*>(events[static_cast<std::size_t>(i)].data.ptr);
                if (peer == nullptr)
                    accept_all();
                else
                    serve(*peer);
            }
        }
    }

  private:
    /// The rawest echo there is: a few sockets are read without asking epoll which; that is asked
    /// now and then for who else has come.
    void spin_on_sockets() {
        constexpr int k_turns = 4'096;
        for (int i = 0; i < k_turns; ++i)
            for (const auto& peer : peers_)
                if (peer->socket.open()) serve(*peer);
    }

    [[nodiscard]] bool direct() const {
        return patience_ms_ == 0 && peers_.size() <= k_direct_peers;
    }

    void watch(int fd, EchoPeer* peer) {
        epoll_event event{};
        event.events = EPOLLIN | EPOLLOUT | EPOLLET;
        event.data.ptr = peer;
        ::epoll_ctl(epoll_.number(), EPOLL_CTL_ADD, fd, &event);
    }

    void accept_all() {
        for (;;) {
            Descriptor socket = net::accept_tcp(listener_);
            if (!socket.open()) return;
            EchoPeer& peer = *peers_.emplace_back(std::make_unique<EchoPeer>());
            peer.socket = std::move(socket);
            if (direct()) continue;
            for (; watched_ < peers_.size(); ++watched_)
                watch(peers_[watched_]->socket.number(), peers_[watched_].get());
        }
    }

    void serve(EchoPeer& peer) {
        std::ranges::copy(peer.unsent, output_.begin());
        std::size_t answer = peer.unsent.size();
        for (;;) {
            const std::size_t begin = peer.unread.size();
            std::ranges::copy(peer.unread, input_.begin());
            const auto room = std::span{input_}.first(k_read_bytes).subspan(begin);
            const net::Moved got = net::receive(peer.socket, room);
            if (got.closed) return peer.socket.reset();
            if (got.bytes == 0) break;
            answer += answer_all(peer, begin + got.bytes, answer);
            if (got.bytes < room.size()) break;
            answer = send(peer, answer);
        }
        answer = send(peer, answer);
        peer.unsent.assign(output_.begin(), output_.begin() + static_cast<std::ptrdiff_t>(answer));
    }

    /// Moves what one write left over to the front.
    std::size_t send(EchoPeer& peer, std::size_t answer) {
        if (answer == 0) return 0;
        const std::size_t gone = net::send(peer.socket, std::span{output_}.first(answer)).bytes;
        std::memmove(output_.data(), output_.data() + gone, answer - gone);
        return answer - gone;
    }

    std::size_t answer_all(EchoPeer& peer, std::size_t length, std::size_t at) {
        std::span<const std::byte> rest = std::span{input_}.first(length);
        const std::size_t begin = at;
        for (Scan found = scan(rest); found.complete; found = scan(rest)) {
            at += answer_one(found.header, std::span{output_}.subspan(at));
            rest = rest.subspan(found.frame_length());
        }
        peer.unread.assign(rest.begin(), rest.end());
        return at - begin;
    }

    static std::size_t answer_one(const Header& header, std::span<std::byte> to) {
        return header.version == Version::v1 ? answer_as<Version::v1>(header, to)
                                             : answer_as<Version::v2>(header, to);
    }

    template <Version version>
    static std::size_t answer_as(const Header& header, std::span<std::byte> to) {
        const Sequences numbers{.client = header.client_sequence, .server = 0};
        constexpr std::uint8_t k_ok = std::to_underlying(session::binary::HelloStatus::accepted);
        constexpr ClientId k_somebody{1};
        const bool long_form =
            version == Version::v1 && header.payload_length >= k_capture_cancel_order_length;
        switch (header.type) {
            case Layout<version, NewOrder>::k_type:
                return encode(version, numbers, OrderAck{.status = k_ok}, to);
            case Layout<version, CancelOrder>::k_type:
                return encode(version, numbers, CancelAck{.status = k_ok}, to,
                              long_form ? k_capture_cancel_ack_tail : 0);
            case Layout<version, ModifyOrder>::k_type:
                return encode(version, numbers, ModifyAck{.status = k_ok}, to);
            case Layout<version, Hello>::k_type:
                return encode(version, numbers, HelloAck{k_somebody, k_ok}, to);
            case Layout<version, Logout>::k_type:
                return encode(version, numbers, LogoutAck{k_somebody, k_ok}, to);
            default:
                return 0;
        }
    }

    // An answer may be longer than its request, never three times as long.
    static constexpr std::size_t k_read_bytes = k_buffer_bytes / 4;

    Descriptor listener_;
    int patience_ms_;
    Descriptor epoll_;
    std::vector<std::unique_ptr<EchoPeer>> peers_;
    std::size_t watched_ = 0;  ///< of them, by epoll
    std::vector<std::byte> input_ = std::vector<std::byte>(k_buffer_bytes);
    std::vector<std::byte> output_ = std::vector<std::byte>(k_buffer_bytes);
};

}  // namespace

std::expected<EchoServer, std::string> EchoServer::start(bool spin) {
    auto listening = net::listen_tcp("127.0.0.1", 0);
    if (!listening) return std::unexpected{listening.error()};
    const pid_t parent = ::getpid();
    const pid_t process = ::fork();
    if (process < 0)
        return std::unexpected{
            fmt::format("cannot start the echo server: {}", std::strerror(errno))};
    if (process == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() == parent) EchoLoop{std::move(listening->socket), spin}.run();
        ::_exit(1);
    }
    return EchoServer{process, listening->port};
}

EchoServer::EchoServer(EchoServer&& other) noexcept
    : process_(std::exchange(other.process_, 0)), port_(other.port_) {}

EchoServer::~EchoServer() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
}

}  // namespace damrak::app
