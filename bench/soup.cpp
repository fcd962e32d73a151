// soup FILE.itch [--runs N] [--json] [--save FILE]: a whole feed session to one reader over
// SoupBinTCP, beside the same bytes from memory over a plain socket: MB/s of ITCH by the wall
// clock, both over loopback with the same reader. Runs are interleaved; medians are reported.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <expected>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>
#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <nlohmann/json.hpp>
#include <sys/socket.h>
#include <unistd.h>

#include <damrak/engine/engine.hpp>
#include <damrak/feed/feed_session.hpp>
#include <damrak/feed/itch/itch_feed.hpp>
#include <damrak/gateway/feeds/feed_server.hpp>

#include "support/cpu_clock.hpp"
#include "support/driver.hpp"

namespace damrak::bench {
namespace {

struct Options {
    std::filesystem::path day;
    int runs = 5;
    Output output;
};

using Bytes = std::vector<char>;

std::expected<Bytes, std::string> content(const std::filesystem::path& file) {
    std::ifstream stream{file, std::ios::binary};
    Bytes bytes{std::istreambuf_iterator<char>{stream}, {}};
    if (bytes.empty()) return std::unexpected{file.string() + ": cannot be read, or is empty"};
    return bytes;
}

sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_port = htons(port);
    where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return where;
}

int connected(std::uint16_t port) {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in to = loopback(port);
    if (::connect(socket, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0) return socket;
    ::close(socket);
    return -1;
}

/// Reads until this many bytes came; MB/s of `payload`, or nothing.
double read_mb_per_second(int socket, std::uint64_t bytes, std::uint64_t payload) {
    std::vector<char> memory(std::size_t{1} << 20U);
    const auto start = std::chrono::steady_clock::now();
    while (bytes > 0) {
        const ssize_t found = ::recv(socket, memory.data(), memory.size(), 0);
        if (found <= 0) return 0;
        bytes -= std::min(bytes, static_cast<std::uint64_t>(found));
    }
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    return static_cast<double>(payload) / 1e6 / spent.count();
}

double plain_mb_per_second(const Bytes& bytes) {
    const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in where = loopback(0);
    socklen_t length = sizeof where;
    ::bind(listener, reinterpret_cast<const sockaddr*>(&where), sizeof where);
    ::listen(listener, 1);
    ::getsockname(listener, reinterpret_cast<sockaddr*>(&where), &length);
    const int reader = connected(ntohs(where.sin_port));
    const int writer = ::accept(listener, nullptr, nullptr);
    std::jthread sends{[&] {
        constexpr std::size_t k_piece = std::size_t{256} << 10U;
        for (std::size_t at = 0; at < bytes.size();) {
            const ssize_t sent =
                ::send(writer, bytes.data() + at, std::min(k_piece, bytes.size() - at), 0);
            if (sent <= 0) return;
            at += static_cast<std::size_t>(sent);
        }
    }};
    const double rate = read_mb_per_second(reader, bytes.size(), bytes.size());
    for (const int socket : {reader, writer, listener}) ::close(socket);
    return rate;
}

double soup_mb_per_second(std::uint16_t port, std::uint64_t messages, std::uint64_t bytes) {
    const int socket = connected(port);
    if (socket < 0) return 0;
    const std::string login = std::string{"\0\x2FL", 3} + "reader" + "          " +
                              std::string(10, ' ') + std::string(19, ' ') + "1";
    ::send(socket, login.data(), login.size(), 0);
    // A packet has a byte of its own for each message; the answer to the login comes first.
    constexpr std::uint64_t k_accepted_bytes = 33;
    const double rate = read_mb_per_second(socket, k_accepted_bytes + bytes + messages, bytes);
    ::close(socket);
    return rate;
}

struct Result {
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
    double plain = 0;
    double soup = 0;
};

std::expected<Result, std::string> measure(const Options& options,
                                           const std::filesystem::path& folder) {
    const auto bytes = content(options.day);
    if (!bytes) return std::unexpected{bytes.error()};
    std::uint64_t messages = 0;
    {
        auto session = feed::FeedSession::open(folder, {.date = 20261123, .number = 0}, 0);
        if (!session) return std::unexpected{session.error()};
        const auto appended = (*session)->append(std::as_bytes(std::span{*bytes}), 1);
        if (!appended) return std::unexpected{appended.error()};
        messages = (*session)->messages();
        if (const auto synced = (*session)->sync(); !synced) return std::unexpected{synced.error()};
    }
    auto feed =
        feed::ItchFeed::open({.folder = folder, .itch = {}, .on_notice = {}}, EngineConfig{});
    if (!feed) return std::unexpected{feed.error()};
    gateway::feeds::FeedServerConfig config;
    config.itch = 0;
    auto server = gateway::feeds::FeedServer::start(config, **feed);
    if (!server) return std::unexpected{server.error()};
    std::vector<double> plain;
    std::vector<double> soup;
    for (int run = 0; run < options.runs; ++run) {
        plain.push_back(plain_mb_per_second(*bytes));
        soup.push_back(soup_mb_per_second((*server)->ports().at("itch"), messages, bytes->size()));
        if (soup.back() == 0 || plain.back() == 0)
            return std::unexpected{"a reader was cut off before the end"};
    }
    return Result{
        .messages = messages, .bytes = bytes->size(), .plain = median(plain), .soup = median(soup)};
}

int run(const Options& options) {
    const auto folder =
        std::filesystem::temp_directory_path() / fmt::format("damrak-bench-{}", ::getpid());
    const auto result = measure(options, folder);
    std::filesystem::remove_all(folder);
    if (!result) {
        fmt::print(stderr, "soup: {}\n", result.error());
        return 1;
    }
    if (!options.output.json) {
        fmt::print("{}, {}; one reader over loopback, median of {} interleaved runs\n",
                   machine_name(), compiler_name(), options.runs);
        fmt::print("{}: {} messages, {} MB\n\n", options.day.filename().string(), result->messages,
                   result->bytes / 1'000'000);
        fmt::print("{:<14}{:>8}{:>12}\n", "row", "MB/s", "of plain");
        fmt::print("{:<14}{:>8.0f}{:>12.2f}\n", "plain socket", result->plain, 1.0);
        fmt::print("{:<14}{:>8.0f}{:>12.2f}\n", "SoupBinTCP", result->soup,
                   result->soup / result->plain);
    }
    nlohmann::ordered_json out;
    out["machine"] = machine_name();
    out["compiler"] = compiler_name();
    out["runs"] = options.runs;
    out["messages"] = result->messages;
    out["bytes"] = result->bytes;
    out["plain_mb_per_second"] = result->plain;
    out["soup_mb_per_second"] = result->soup;
    return options.output.deliver(out);
}

}  // namespace
}  // namespace damrak::bench

int main(int argc, char** argv) {
    using namespace damrak::bench;
    Options options;
    CLI::App app{"A feed session to one reader over SoupBinTCP, beside a plain socket"};
    app.add_option("day", options.day, "ITCH 5.0 file")->required()->check(CLI::ExistingFile);
    app.add_option("--runs", options.runs, "interleaved runs")->check(CLI::Range(1, 1000));
    options.output.add_to(app);
    return run_driver(app, argc, argv, [&] { return run(options); });
}
