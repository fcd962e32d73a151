// An exchange with a gateway of its own: a person trades by text with a program that has the binary
// protocol, in both wirings; the exchange is killed in between, and the person's order is still
// there.
//
//   build/release/examples/text_gateway             runs that
//   build/release/examples/text_gateway 7000        listens for telnet on port 7000, until Ctrl-C
#include <array>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include <damrak/client/order_entry.hpp>
#include <damrak/exchange/exchange.hpp>
#include <damrak/exchange/trade_with.hpp>
#include <damrak/net/plain_tcp.hpp>

#include "text_gateway.hpp"

namespace {

using namespace damrak;

/// The list of gateways: one of Damrak's, and ours.
template <class E>
using OurGateways = exchange::Gateways<E, gateway::binary::BinaryGateway<net::TcpNetwork, E>,
                                       text_gateway::TextGateway<net::TcpNetwork, E>>;

/// A connection that is polled.
class Link {
  public:
    explicit Link(std::uint16_t port) {
        if (auto socket = tcp_.connect("127.0.0.1", port)) socket_ = *std::move(socket);
    }
    /// Calls done(bytes that came), until that is true, or for ten seconds.
    template <class Done>
    bool poll(std::string& unsent, const Done& done) {
        for (int tries = 0; tries < 10'000; ++tries) {
            if (tcp_.connected(socket_).value_or(false))
                unsent.erase(0, tcp_.send(socket_, std::as_bytes(std::span{unsent})).bytes);
            std::array<std::byte, 4'096> room{};
            const std::span got = std::span{room}.first(tcp_.receive(socket_, room).bytes);
            if (done(got)) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds{1});
        }
        return false;
    }

  private:
    net::PlainTcp tcp_;
    net::Descriptor socket_;
};

/// Who writes lines.
class Person {
  public:
    explicit Person(std::uint16_t port) : link_(port) {}

    /// False: something else came.
    bool says(std::string_view line, std::string_view answer) {
        std::string unsent{line};
        const bool came = link_.poll(unsent, [&](std::span<const std::byte> bytes) {
            heard_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
            return heard_.contains('\n');
        });
        const std::string first = heard_.substr(0, heard_.find('\n'));
        if (came) heard_.erase(0, first.size() + 1);
        fmt::print("{}  {}\n", line, first);
        return first.starts_with(answer);
    }
    bool hears(std::string_view answer) { return says("", answer); }

  private:
    Link link_;
    std::string heard_;
};

/// Buys by the binary protocol.
bool buy(std::uint16_t port, std::uint64_t quantity) {
    Link link{port};
    client::OrderEntry entry{client::OrderEntry::Version::v2};
    entry.login();
    const auto wait_for = [&](client::News::Kind kind) {
        std::string unsent;
        return link.poll(unsent, [&](std::span<const std::byte> bytes) {
            static_cast<void>(entry.receive(bytes));
            unsent.append(reinterpret_cast<const char*>(entry.unsent().data()),
                          entry.unsent().size());
            entry.mark_sent(entry.unsent().size());
            for (const client::News& news : entry.take_news())
                if (news.kind == kind) return true;
            return false;
        });
    };
    if (!wait_for(client::News::Kind::logged_in)) return false;
    entry.enter(InstrumentId{1}, Side::buy, quantity, 10'50);
    return wait_for(client::News::Kind::filled);
}

/// An exchange and the thread that serves it.
class Box {
  public:
    explicit Box(const exchange::Settings& settings) {
        auto started = exchange::Exchange::start(settings, {}, exchange::trade_with<OurGateways>);
        if (!started) fmt::print(stderr, "{}\n", started.error()), std::exit(1);
        exchange_ = *std::move(started);
        trading_ = std::jthread{[this](const std::stop_token& stop) { exchange_->run(stop); }};
    }
    [[nodiscard]] std::uint16_t port(const char* gateway) { return exchange_->ports().at(gateway); }
    /// Without it, it is left as by a kill.
    void stop() {
        trading_ = {};
        exchange_->stop();
    }

  private:
    std::unique_ptr<exchange::Exchange> exchange_;
    std::jthread trading_;
};

bool trade(const exchange::Settings& settings) {
    bool right = true;
    {
        Box box{settings};
        Person person{box.port("text")};
        right = right && person.says("BUY AAPL 100 @ 10.50\n", "ERROR write LOGIN first") &&
                person.says("LOGIN ours\n", "WELCOME 7") &&
                person.says("SELL AAPL 100 for 10.50\n", "ERROR write") &&
                person.says("SELL AAPL 100 @ 10.50\n", "ACCEPTED 1") &&
                buy(box.port("binary"), 40) && person.hears("TRADED 1 40 @ 10.50, left 60");
    }
    Box box{settings};
    Person person{box.port("text")};
    right = right && person.says("LOGIN ours\n", "WELCOME 7") && buy(box.port("binary"), 10) &&
            person.hears("TRADED 1 10 @ 10.50, left 50") &&
            person.says("CANCEL AAPL 1\n", "CANCELED 1") &&
            person.says("CANCEL AAPL 1\n", "REJECTED");
    box.stop();
    return right;
}

}  // namespace

int main(int count, char** words) {
    exchange::Settings settings;
    settings.data =
        std::filesystem::temp_directory_path() / fmt::format("text-gateway-{}", ::getpid());
    settings.capacity = EngineConfig{};
    auto& ours = settings.participants.emplace_back();
    ours.id = ParticipantId{7};
    ours.api_key = wire::binary::parse_api_key("ours");
    settings.anonymous = true;
    settings.ports = {{"binary", 0}, {"text", 0}};
    if (count > 1) {
        settings.ports["text"] = static_cast<std::uint16_t>(std::atoi(words[1]));
        const Box box{settings};
        for (;;) ::pause();
    }
    bool right = true;
    for (const auto wiring : {exchange::Wiring::one_thread, exchange::Wiring::pipelined}) {
        settings.wiring = wiring;
        right = right && trade(settings);
        std::filesystem::remove_all(settings.data);
    }
    return right ? 0 : 1;
}
