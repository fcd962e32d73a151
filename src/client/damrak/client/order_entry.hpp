// A trader's side of a connection to the binary gateway, without I/O: it sends orders, tracks its
// own open orders and fills, and reports events as news. Either version of the protocol
// (docs/protocols/binary.md).
//
//   OrderEntry entry{Version::v2};
//   entry.login();  entry.buy…;          requests collect in unsent()
//   entry.receive(bytes);                answers become take_news()
//
// Used by `damrak term` and live/, one thread. A request or an answer costs a look-up in
// a map of the own orders; for people and simple programs, not for load (see load_client.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <damrak/client/binary_client.hpp>
#include <damrak/client/term_gateway.hpp>
#include <damrak/domain/order_terms.hpp>

namespace damrak::client {

/// The reason for a refusal, as text, from the status of an answer in that version.
[[nodiscard]] std::string reason_of(const News& news, wire::binary::Version version);

class OrderEntry final : public TermGateway {
  public:
    using Version = wire::binary::Version;

    explicit OrderEntry(Version version) : client_(version), version_(version) {}

    // Requests. Each is appended to the unsent bytes.

    /// With a key, every connection is the same participant, so orders of a lost connection can be
    /// cancelled.
    void login(const wire::binary::ApiKey& key = {});
    void logout();
    void heartbeat();
    std::uint32_t enter(InstrumentId instrument, Side side, std::uint64_t quantity,
                        std::int64_t price_e2) {
        return enter(instrument, side, quantity, price_e2, {});
    }
    std::uint32_t enter(InstrumentId instrument, Side side, std::uint64_t quantity,
                        std::int64_t price_e2, const OrderExtras& extras) override;
    /// Version 1 has no times in force and no links; neither version has icebergs, minimum
    /// quantities or post-only orders, and stops only with a link.
    [[nodiscard]] std::string why_not(const OrderExtras& extras) const override;
    [[nodiscard]] bool takes_below_zero() const override { return version_ == Version::v2; }
    /// Version 1 has no quotes.
    [[nodiscard]] std::string why_no_quotes() const override;
    void quote(const TermQuote& quote) override;
    void protect(InstrumentId instrument, std::uint64_t quantity, std::uint64_t window_us) override;
    bool cancel(std::uint32_t number) override;
    bool modify(std::uint32_t number, std::uint64_t quantity, std::int64_t price_e2) {
        return modify(number, quantity, price_e2, 0);
    }
    bool modify(std::uint32_t number, std::uint64_t quantity, std::int64_t price_e2,
                std::int64_t stop_e2) override;
    /// The protocol has no such request.
    [[nodiscard]] bool tells_status() const override { return false; }
    bool ask_status(std::uint32_t /*number*/) override { return false; }

    [[nodiscard]] std::span<const std::byte> unsent() const { return unsent_; }
    void mark_sent(std::size_t bytes);

    /// Handles bytes of the exchange. A fault is final: the connection is unusable.
    [[nodiscard]] wire::binary::Fault receive(std::span<const std::byte> bytes);
    [[nodiscard]] std::vector<News> take_news() override { return std::exchange(news_, {}); }

    /// Some time has passed since the last answer, so no fill of a market order can still be on its
    /// way. For version 1, which does not mark the last fill.
    void nothing_more_came() override { end_market_orders(); }
    /// The connection was lost: its orders may still be open.
    void lose();

    [[nodiscard]] bool logged_in() const { return logged_in_; }
    [[nodiscard]] std::string who() const override;
    [[nodiscard]] std::string why(const News& news) const override {
        return reason_of(news, version_);
    }
    [[nodiscard]] std::uint64_t client_id() const { return client_.client_id().value; }
    [[nodiscard]] Version version() const { return version_; }
    /// Version 2 does not count a request that it answered with an error, and silently drops all
    /// later ones. Only a new connection helps.
    [[nodiscard]] bool out_of_step() const { return out_of_step_; }
    /// Not answered yet.
    [[nodiscard]] std::size_t pending() const override { return pending_.size(); }
    /// All requests are answered, as far as the version shows: in version 2 the fills of new orders
    /// have arrived too.
    [[nodiscard]] bool settled() const override { return pending_.empty() && awaited_ == 0; }
    [[nodiscard]] const std::map<std::uint32_t, OwnOrder>& orders() const override {
        return orders_;
    }
    /// Forgets the orders of lost connections.
    void forget_unsure();

    // Called by BinaryClient with the exchange's answers:
    void on_hello(const wire::binary::Header& header, const wire::binary::HelloAck& ack);
    void on_logout(const wire::binary::Header& header, const wire::binary::LogoutAck& ack);
    void on_order_ack(const wire::binary::Header& header, const wire::binary::OrderAck& ack);
    void on_cancel_ack(const wire::binary::Header& header, const wire::binary::CancelAck& ack);
    void on_modify_ack(const wire::binary::Header& header, const wire::binary::ModifyAck& ack);
    void on_trade(const wire::binary::Header& header, const wire::binary::Trade& trade);
    void on_error(const wire::binary::Header& header, const wire::binary::Error& error);
    void on_quote_ack(const wire::binary::Header& header, const wire::binary::QuoteAck& ack);
    void on_protection_ack(const wire::binary::Header& header,
                           const wire::binary::QuoteProtectionAck& ack);
    void on_order_changed(const wire::binary::Header& header,
                          const wire::binary::OrderChanged& changed);
    void on_timeout(const wire::binary::Header& header,
                    const wire::binary::SessionTimeout& timeout);

  private:
    enum class Request : std::uint8_t { hello, logout, enter, cancel, modify, quote, protect };
    struct Pending {
        Request request{};
        std::uint32_t number = 0;
        std::uint64_t quantity = 0;
        std::int64_t price_e2 = 0;
        TermQuote quote{};
    };

    template <class Write>
    void send(const Pending& pending, Write&& write);
    /// The request that this message answers; answers come in the order of the requests.
    [[nodiscard]] std::optional<Pending> answered(Request request);
    [[nodiscard]] bool in_reach(const OwnOrder* order) const;
    [[nodiscard]] OwnOrder* find(std::uint32_t number);
    [[nodiscard]] OwnOrder* find(OrderId id);
    void put_side(InstrumentId instrument, Side side, OrderId id, std::uint64_t quantity,
                  std::int64_t price_e2, std::uint64_t open);
    void tell(News::Kind kind, const OwnOrder& order, std::uint8_t code, std::string why = {});
    void tell(News::Kind kind, std::uint8_t code);
    void finish(OwnOrder& order, News::Kind kind, std::uint8_t code, std::string why = {});
    void end_market_orders();

    BinaryClient client_;
    Version version_;
    bool logged_in_ = false;
    bool by_key_ = false;
    bool out_of_step_ = false;
    std::vector<std::byte> unsent_;
    std::vector<std::byte> unread_;
    std::deque<Pending> pending_;
    std::map<std::uint32_t, OwnOrder> orders_;
    std::map<OrderId, std::uint32_t> numbers_;
    std::vector<std::uint32_t> market_orders_;  ///< answered; fills may still arrive
    std::uint64_t awaited_ = 0;                 ///< quantity announced as filled
    std::vector<News> news_;
    std::uint32_t last_number_ = 0;
};

template <class Write>
void OrderEntry::send(const Pending& pending, Write&& write) {
    const std::size_t before = unsent_.size();
    unsent_.resize(before + BinaryClient::k_largest_request_bytes);
    unsent_.resize(before + write(std::span{unsent_}.subspan(before)));
    pending_.push_back(pending);
}

}  // namespace damrak::client
