// One client of each gateway for the matrix of places, each with the rules of its protocol: whether
// it is in, whether it was refused for lack of room, and whether it trades.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "raw_binary.hpp"
#include "raw_udp.hpp"
#include "support/fix_client.hpp"
#include "support/running_server.hpp"

namespace damrak::testing::places {

/// Who comes: the one that the configuration names, or a stranger by this number.
struct Comer {
    bool is_named = false;
    int number = 0;
};

/// One client of a gateway, from its login to its end.
class Client {
  public:
    virtual ~Client() = default;
    Client() = default;
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;
    [[nodiscard]] virtual bool is_in() const = 0;
    /// It was refused for lack of room.
    [[nodiscard]] virtual bool is_told() const = 0;
    /// What it is here for is done: an order of its is accepted, and stays; a question of its is
    /// answered. True where there is none of these.
    [[nodiscard]] virtual bool trades() { return true; }
};

class BinaryClient : public Client {
  public:
    BinaryClient(std::uint16_t port, const Comer& who)
        : raw_(port), login_(hello(raw_, who.is_named ? "own" : "")) {}
    [[nodiscard]] bool is_in() const override { return login_.status == 1; }
    [[nodiscard]] bool is_told() const override { return login_.status == 5; }
    [[nodiscard]] bool trades() override {
        return place(raw_, 2, login_.client, {.quantity = 1, .price_e2 = 100}).status == 1;
    }

  private:
    RawClient raw_;
    Login login_;
};

class FixPeer : public Client {
  public:
    FixPeer(std::uint16_t port, const Comer& who)
        : fix_("FIX.4.4", who.is_named ? "OWN" : fmt::format("S{}", who.number)),
          name_(who.is_named ? fmt::format("own{}", who.number) : "a") {
        is_in_ = fix_.connect(port, true);
        if (is_in_) return;
        const std::string why = fix_.refusal();
        is_told_ = why.contains("use all that") || why.contains("no participants left") ||
                   why.contains("no room for another session");
    }
    [[nodiscard]] bool is_in() const override { return is_in_; }
    [[nodiscard]] bool is_told() const override { return is_told_; }
    [[nodiscard]] bool trades() override {
        static_cast<void>(fix_.send(fmt::format(
            "35=D|11={}|38=1|40=2|44=1.00|54=1|55=AAPL|60=20260302-10:00:00|59=1", name_)));
        const auto report = fix_.receive();
        return report && report->contains(39) && report->at(39) == "0";
    }

  private:
    FixClient fix_;
    std::string name_;  ///< of its order: that of all strangers is the same
    bool is_in_ = false;
    bool is_told_ = false;
};

class SoupClient : public Client {
  public:
    SoupClient(std::uint16_t port, const Comer& who) : raw_(port) {
        const std::string packet =
            std::string{"\0\x2FL", 3} +
            fmt::format("{:6}{:10}{:>10}{:>20}",
                        who.is_named ? "OWN" : fmt::format("S{}", who.number),
                        who.is_named ? "PASS" : "", "", 1);
        raw_.send(std::as_bytes(std::span{packet}));
        const Bytes head = raw_.receive(3);
        const char kind = head.size() == 3 ? static_cast<char>(head[2]) : '\0';
        is_in_ = kind == 'A';
        is_told_ = kind == 'J';
        if (is_in_) static_cast<void>(raw_.receive(30));
    }
    [[nodiscard]] bool is_in() const override { return is_in_; }
    [[nodiscard]] bool is_told() const override { return is_told_; }

  protected:
    RawClient raw_;

  private:
    bool is_in_ = false;
    bool is_told_ = false;
};

class OuchClient : public SoupClient {
  public:
    using SoupClient::SoupClient;
    [[nodiscard]] bool trades() override {
        // Enter Order of 5.0: reference, side, quantity, symbol, price, and the rest as usual.
        Bytes order;
        const auto text = [&](std::string_view characters) {
            for (const char c : characters) order.push_back(static_cast<std::byte>(c));
        };
        put(order, 0, 2);
        text("UO");
        put(order, 1, 4);
        text("B");
        put(order, 1, 4);
        text("AAPL    ");
        put(order, 10'000, 8);
        text("0YPNN");
        text(fmt::format("{:14}", "a"));
        put(order, 0, 2);
        order[1] = static_cast<std::byte>(order.size() - 2);
        raw_.send(order);
        return next_message() == 'S' && next_message() == 'A';
    }

  private:
    /// Its type; heartbeats are none.
    [[nodiscard]] char next_message() const {
        for (;;) {
            const Bytes length = raw_.receive(2);
            const Bytes packet = raw_.receive(get(length, 0, 2));
            if (packet.empty()) return '\0';
            if (static_cast<char>(packet[0]) == 'S') return static_cast<char>(packet[1]);
        }
    }
};

/// Of HTTP, which has no identities for connections: the one that is named is at another address.
class HttpClient : public Client {
  public:
    HttpClient(std::uint16_t port, const Comer& who)
        : raw_(port, who.is_named ? "127.0.0.3" : "127.0.0.2"), status_(ask("/health")) {}
    [[nodiscard]] bool is_in() const override { return status_ == "200"; }
    [[nodiscard]] bool is_told() const override { return status_ == "503"; }
    /// The worker answers this one.
    [[nodiscard]] bool trades() override { return ask("/v1/days") == "200"; }

  private:
    /// Its status; the connection stays open after the answer.
    [[nodiscard]] std::string ask(std::string_view path) const {
        const std::string question =
            fmt::format("GET {} HTTP/1.1\r\nHost: localhost\r\n\r\n", path);
        raw_.send(std::as_bytes(std::span{question}));
        std::string head;
        while (!head.ends_with("\r\n\r\n")) {
            const Bytes next = raw_.receive(1);
            if (next.empty()) return {};
            head += static_cast<char>(next[0]);
        }
        constexpr std::string_view k_length = "Content-Length: ";
        static_cast<void>(
            raw_.receive(std::stoul(head.substr(head.find(k_length) + k_length.size()))));
        return head.substr(std::string_view{"HTTP/1.1 "}.size(), 3);
    }

    RawClient raw_;
    std::string status_;
};

/// Of UDP: who has no place hears nothing. A witness that has one sends an order behind it: once
/// that is answered, whatever there was for the client is there.
class UdpClient : public Client {
  public:
    UdpClient(std::uint16_t port, const Comer& who)
        : raw_(port, "127.0.0.1", who.is_named ? "127.0.0.3" : "127.0.0.2"),
          port_(port),
          id_(static_cast<std::uint32_t>(1 + who.number)) {
        // To cancel what there is not leaves nothing behind.
        is_in_ =
            is_answered({.sequence = 1, .id = id_, .price = 0, .quantity = 0, .type = k_cancel});
    }
    [[nodiscard]] bool is_in() const override { return is_in_; }
    [[nodiscard]] bool is_told() const override { return !is_in_; }
    [[nodiscard]] bool trades() override {
        return is_answered({.sequence = 2, .id = id_, .price = 100, .quantity = 1});
    }

  private:
    static constexpr std::uint8_t k_cancel = 2;
    /// Ids of a participant are one space, whichever address they come from.
    static constexpr std::uint32_t k_of_witness = 1'000'000;

    [[nodiscard]] bool is_answered(const PublicOrder& order) const {
        static RawUdp witness{port_, "127.0.0.1", "127.0.0.3"};
        static std::uint32_t sent = 0;
        witness.aim_at(port_);
        while (witness.receive(false)) continue;  // what became of its earlier orders
        raw_.send(extended(order));
        ++sent;
        witness.send(
            extended({.sequence = sent, .id = k_of_witness + sent, .price = 1, .quantity = 1}));
        // Notices about its orders of the day before may come first.
        Bytes own_id;
        put(own_id, k_of_witness + sent, 8);
        for (auto reply = witness.receive(); reply; reply = witness.receive())
            if (!std::ranges::search(*reply, own_id).empty())
                return raw_.receive(false).has_value();
        return false;
    }

    RawUdp raw_;
    std::uint16_t port_;
    std::uint32_t id_;  ///< of its order
    bool is_in_ = false;
};

using MakeClient = std::unique_ptr<Client> (*)(std::uint16_t port, const Comer& who);
template <class C>
std::unique_ptr<Client> make(std::uint16_t port, const Comer& who) {
    return std::make_unique<C>(port, who);
}

struct Gateway {
    std::string_view name;
    MakeClient make;
    bool has_identities = true;
    /// Who waits for its login makes room for the next one.
    bool has_waiting = true;
};
inline constexpr Gateway k_binary{"binary", &make<BinaryClient>};
inline constexpr Gateway k_fix{"fix", &make<FixPeer>};
inline constexpr Gateway k_ouch{"ouch", &make<OuchClient>};
inline constexpr Gateway k_itch{"itch", &make<SoupClient>, false};
inline constexpr Gateway k_glimpse{"glimpse", &make<SoupClient>, false};
inline constexpr Gateway k_udp{.name = "udp", .make = &make<UdpClient>, .has_waiting = false};
inline constexpr Gateway k_http{.name = "http", .make = &make<HttpClient>, .has_waiting = false};

}  // namespace damrak::testing::places
