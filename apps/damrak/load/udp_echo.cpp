#include "load/udp_echo.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <damrak/base/affinity.hpp>
#include <damrak/net/tcp.hpp>

namespace damrak::app {

namespace {

constexpr std::size_t k_quota = 256;
constexpr int k_patience_ms = 1'000;

/// Message of the child when its path is open: a port, or zero and an error text.
struct Greeting {
    std::uint16_t port = 0;
    std::array<char, 1'000> text{};
};

void greet(int pipe, std::uint16_t port, const std::string& text) {
    Greeting greeting{.port = port};
    text.copy(greeting.text.data(), greeting.text.size() - 1);
    if (::write(pipe, &greeting, sizeof greeting) != sizeof greeting) ::_exit(1);
}

template <class Path>
void echo_for_ever(Path& path, int wait_ms) {
    for (;;) {
        path.receive(k_quota, wait_ms, [&path](const net::Datagram& one) {
            if (one.bytes.size() > net::k_largest_claim_bytes) return;
            const std::span<std::byte> memory = path.claim(one.source, one.bytes.size());
            if (memory.empty() && !one.bytes.empty()) return;
            std::ranges::copy(one.bytes, memory.begin());
            path.commit(one.bytes.size());
        });
        path.flush();
    }
}

void be_the_echo(const net::AnyPathOptions& options, int pipe, bool spin) {
    auto path = net::AnyPath::open(options);
    if (!path) {
        greet(pipe, 0, path.error());
        ::_exit(1);
    }
    greet(pipe, path->port(), path->describe());
    path->visit([spin](auto& open) { echo_for_ever(open, spin ? 0 : k_patience_ms); });
}

}  // namespace

std::expected<UdpEcho, std::string> UdpEcho::start(const net::AnyPathOptions& path,
                                                   const net::NetworkNamespace* where, bool spin,
                                                   std::optional<unsigned> core) {
    std::array<int, 2> pipe{};
    if (::pipe(pipe.data()) != 0)
        return std::unexpected{fmt::format("cannot make a pipe: {}", std::strerror(errno))};
    const net::Descriptor reading{pipe[0]};
    net::Descriptor writing{pipe[1]};
    const pid_t parent = ::getpid();
    const pid_t process = ::fork();
    if (process < 0)
        return std::unexpected{fmt::format("cannot start the echo: {}", std::strerror(errno))};
    if (process == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != parent) ::_exit(1);
        if (core && !pin_this_thread(*core)) {
            greet(writing.number(), 0,
                  fmt::format("the echo is not allowed to run on core {}", *core));
            ::_exit(1);
        }
        const auto be = [&] { be_the_echo(path, writing.number(), spin); };
        where != nullptr ? where->run(be) : be();
        ::_exit(1);
    }
    writing.reset();
    UdpEcho echo{process, 0, {}};
    Greeting greeting;
    if (::read(reading.number(), &greeting, sizeof greeting) != sizeof greeting)
        return std::unexpected{std::string{"the echo ended before it was ready"}};
    if (greeting.port == 0)
        return std::unexpected{fmt::format("the bare echo: {}", greeting.text.data())};
    echo.port_ = greeting.port;
    echo.path_ = greeting.text.data();
    return echo;
}

UdpEcho::UdpEcho(UdpEcho&& other) noexcept
    : process_(std::exchange(other.process_, 0)),
      port_(other.port_),
      path_(std::move(other.path_)) {}

UdpEcho::~UdpEcho() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
}

}  // namespace damrak::app
