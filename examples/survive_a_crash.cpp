// A client enters an order, the exchange is killed by the system, and the next one still has it.
// The exchange runs in a child process, so that a kill is a kill.
//
//   build/release/examples/survive_a_crash
#include <array>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <damrak/client/binary_client.hpp>
#include <damrak/exchange/exchange.hpp>
#include <damrak/net/plain_tcp.hpp>

namespace {

using namespace damrak;

// Handler of BinaryClient that prints what the client receives.
struct Printer {
    void on_hello(const auto&, const wire::binary::HelloAck& m) {
        fmt::print("  logged in as client {}\n", m.client_id.value);
        logged_in = true;
    }
    void on_order_ack(const auto&, const wire::binary::OrderAck& m) {
        fmt::print("  order {} accepted\n", m.order_id.value);
        order = m.order_id;
    }
    void on_cancel_ack(const auto&, const wire::binary::CancelAck& m) {
        fmt::print("  order {} cancelled\n", m.order_id.value);
        cancelled = m.status == 1;
    }
    void on_logout(const auto&, const auto&) const {}
    void on_modify_ack(const auto&, const auto&) const {}
    void on_trade(const auto&, const auto&) const {}
    void on_error(const auto&, const auto&) const {}
    void on_timeout(const auto&, const auto&) const {}

    bool logged_in = false;
    OrderId order{};
    bool cancelled = false;
};

// With a key the client is the same participant after the crash.
constexpr wire::binary::ApiKey k_key{std::byte{1}};

/// In the child process: serves until it is killed. Writes its port to `told`.
[[noreturn]] void run_exchange(const std::filesystem::path& data, int told) {
    exchange::Settings settings;
    settings.ports = {{"binary", 0}};
    settings.data = data;
    settings.capacity = EngineConfig{};
    exchange::ParticipantSettings& client = settings.participants.emplace_back();
    client.id = ParticipantId{1};
    client.name = "client";
    client.api_key = k_key;
    auto started = exchange::Exchange::start(std::move(settings));
    if (!started) {
        fmt::print(stderr, "{}\n", started.error());
        ::_exit(1);
    }
    const std::uint16_t port = (*started)->ports().at("binary");
    if (::write(told, &port, sizeof port) == sizeof port) (*started)->run(std::stop_token{});
    ::_exit(1);
}

/// An exchange in a process of its own, from its start to its kill.
class Exchange {
  public:
    explicit Exchange(const std::filesystem::path& data) {
        std::array<int, 2> pipe{};
        if (::pipe(pipe.data()) != 0) return;
        process_ = ::fork();
        if (process_ == 0) run_exchange(data, pipe[1]);
        ::close(pipe[1]);
        if (::read(pipe[0], &port_, sizeof port_) != sizeof port_) port_ = 0;
        ::close(pipe[0]);
    }
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;
    ~Exchange() {
        if (process_ <= 0) return;
        ::kill(process_, SIGKILL);
        ::waitpid(process_, nullptr, 0);
    }
    /// Zero if it did not start.
    [[nodiscard]] std::uint16_t port() const { return port_; }

  private:
    pid_t process_ = -1;
    std::uint16_t port_ = 0;
};

/// A connection of a client.
class Connection {
  public:
    explicit Connection(std::uint16_t port) {
        auto socket = tcp_.connect("127.0.0.1", port);
        if (!socket) return;
        socket_ = std::move(*socket);
        while (!tcp_.connected(socket_).value_or(true))
            std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }

    /// Sends what `ask` writes, and hears answers until `is_answered`.
    template <class Ask, class IsAnswered>
    bool talk(Printer& printer, const Ask& ask, const IsAnswered& is_answered) {
        std::array<std::byte, client::BinaryClient::k_largest_request_bytes> memory{};
        const auto request = std::span{memory}.first(ask(client_, std::span{memory}));
        std::size_t sent = 0;
        for (int tries = 0; tries < 5'000 && !is_answered(); ++tries) {
            sent += tcp_.send(socket_, request.subspan(sent)).bytes;
            std::array<std::byte, 256> room{};
            const auto got = tcp_.receive(socket_, room);
            heard_.insert(heard_.end(), room.begin(),
                          room.begin() + static_cast<std::ptrdiff_t>(got.bytes));
            const auto used = client_.receive(heard_, printer).consumed_bytes;
            heard_.erase(heard_.begin(), heard_.begin() + static_cast<std::ptrdiff_t>(used));
            if (got.bytes == 0) std::this_thread::sleep_for(std::chrono::milliseconds{1});
        }
        return is_answered();
    }
    bool log_in(Printer& printer) {
        printer.logged_in = false;
        return talk(
            printer, [](auto& client, auto memory) { return client.hello(memory, k_key); },
            [&printer] { return printer.logged_in; });
    }

  private:
    net::PlainTcp tcp_;
    net::Descriptor socket_;
    client::BinaryClient client_;
    std::vector<std::byte> heard_;
};

bool enter(Printer& printer, std::uint16_t port) {
    Connection connection{port};
    return connection.log_in(printer) &&
           connection.talk(
               printer,
               [](auto& client, auto memory) {
                   return client.new_order(
                       memory, {.instrument = InstrumentId{4}, .quantity = 10, .price_e2 = 10'000});
               },
               [&printer] { return printer.order.value != 0; });
}

bool cancel(Printer& printer, std::uint16_t port) {
    Connection connection{port};
    return connection.log_in(printer) &&
           connection.talk(
               printer,
               [&printer](auto& client, auto memory) {
                   return client.cancel(memory, {.order_id = printer.order});
               },
               [&printer] { return printer.cancelled; });
}

}  // namespace

int main() {
    const auto data =
        std::filesystem::temp_directory_path() / fmt::format("survive-a-crash-{}", ::getpid());
    Printer printer;
    fmt::print("the exchange is up\n");
    bool survived = enter(printer, Exchange{data}.port());
    fmt::print("it was killed; another begins where its journal ends\n");
    survived = survived && cancel(printer, Exchange{data}.port());
    std::filesystem::remove_all(data);
    return survived ? 0 : 1;
}
