#include "support/running_server.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <damrak/base/assert.hpp>

#include "support/eventually.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::testing {

namespace {

std::string first_line(int descriptor) {
    std::string line;
    char c = 0;
    while (::read(descriptor, &c, 1) == 1 && c != '\n') line += c;
    return line;
}

}  // namespace

RunningServer::RunningServer(const std::string& data, const std::string& log,
                             std::vector<std::string> more_arguments,
                             std::vector<std::string> environment, unsigned open_files)
    : log_(log) {
    const char* const program = std::getenv("DAMRAK_PROGRAM");
    DAMRAK_ASSERT(program != nullptr);
    // The test's gateways are opened in addition to the binary one.
    std::vector<std::string> arguments{program, "serve",  "--json", "--data",
                                       data,    "--only", "binary"};
    const auto given = [&](const char* option) {
        return std::ranges::find(more_arguments, option) != more_arguments.end();
    };
    if (!given("--binary-port")) arguments.insert(arguments.end(), {"--binary-port", "0"});
    if (!given("--fix-port")) arguments.insert(arguments.end(), {"--fix-port", "0"});
    if (!given("--udp-port")) arguments.insert(arguments.end(), {"--udp-port", "0"});
    arguments.insert(arguments.end(), more_arguments.begin(), more_arguments.end());
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    std::array<int, 2> pipe{};
    DAMRAK_ASSERT(::pipe2(pipe.data(), O_CLOEXEC) == 0);
    const int err = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    process_ = ::fork();
    DAMRAK_ASSERT(process_ >= 0);
    if (process_ == 0) {
        ::dup2(pipe[1], STDOUT_FILENO);
        ::dup2(err, STDERR_FILENO);
        for (std::string& variable : environment) ::putenv(variable.data());
        const rlimit limit{.rlim_cur = open_files, .rlim_max = open_files};
        if (open_files > 0) DAMRAK_ASSERT(::setrlimit(RLIMIT_NOFILE, &limit) == 0);
        ::execv(program, pointers.data());
        ::_exit(127);
    }
    ::close(pipe[1]);
    ::close(err);
    ready_line_ = first_line(pipe[0]);
    ::close(pipe[0]);
    const auto ready = nlohmann::json::parse(ready_line_, nullptr, false);
    if (!ready.is_object()) return;
    port_ = ready["ports"].value("binary", std::uint16_t{0});
    fix_port_ = ready["ports"].value("fix", std::uint16_t{0});
    udp_port_ = ready["ports"].value("udp", std::uint16_t{0});
}

RunningServer::~RunningServer() {
    kill();
    if (::testing::Test::HasFailure())
        std::fprintf(stderr, "the exchange reported:\n%s", content_of(log_).c_str());
}

std::string RunningServer::log_with(const std::string& text) const {
    std::string content;
    static_cast<void>(eventually([&] {
        content = content_of(log_);
        return content.contains(text);
    }));
    return content;
}

void RunningServer::ask_to_reload() const { ::kill(process_, SIGHUP); }

void RunningServer::ask_for_timing() const { ::kill(process_, SIGUSR1); }

int RunningServer::end_with(int signal) {
    if (process_ < 0) return -1;
    ::kill(process_, signal);
    return wait();
}

int RunningServer::wait() {
    if (process_ < 0) return -1;
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) continue;
    process_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

RawClient::RawClient(std::uint16_t port, const char* from)
    : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_port = htons(port);
    where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    sockaddr_in here{};
    here.sin_family = AF_INET;
    DAMRAK_ASSERT(::inet_pton(AF_INET, from, &here.sin_addr) == 1);
    const int late = 1;  // the port is chosen when it connects
    ::setsockopt(socket_, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &late, sizeof late);
    DAMRAK_ASSERT(::bind(socket_, reinterpret_cast<sockaddr*>(&here), sizeof here) == 0);
    read_patiently(socket_);
    const int on = 1;
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    DAMRAK_ASSERT(::connect(socket_, reinterpret_cast<sockaddr*>(&where), sizeof where) == 0);
}

RawClient::~RawClient() { ::close(socket_); }

void RawClient::send(std::span<const std::byte> bytes) const {
    while (!bytes.empty()) {
        const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0) return;
        bytes = bytes.subspan(static_cast<std::size_t>(sent));
    }
}

Bytes RawClient::receive(std::size_t count) const {
    Bytes bytes(count);
    std::size_t used = 0;
    while (used < count) {
        const ssize_t got = ::recv(socket_, bytes.data() + used, count - used, 0);
        if (got <= 0) break;
        used += static_cast<std::size_t>(got);
    }
    bytes.resize(used);
    return bytes;
}

std::string RawClient::receive_hex(std::size_t count) const {
    std::string text;
    const Bytes bytes = receive(count);
    for (std::size_t i = 0; i < bytes.size(); ++i)
        text += fmt::format("{}{:02x}", i > 0 && i % 4 == 0 ? " " : "",
                            std::to_integer<unsigned>(bytes[i]));
    return text;
}

bool RawClient::has_input() const {
    std::byte one{};
    return ::recv(socket_, &one, 1, MSG_PEEK | MSG_DONTWAIT) == 1;
}

bool RawClient::is_closed() const {
    std::byte one{};
    for (;;) {
        const ssize_t got = ::recv(socket_, &one, 1, 0);
        if (got == 0) return true;
        if (got < 0) return errno == ECONNRESET;
    }
}

}  // namespace damrak::testing
