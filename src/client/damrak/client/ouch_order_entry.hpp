// A trader's side of a connection to the OUCH gateway, without I/O: OUCH 5.0 over SoupBinTCP
// (docs/protocols/ouch.md). It tracks its own open orders and fills, and reports events as news.
//
//   OuchOrderEntry entry{"SIM1", "", Symbols{{"AAPL"}}};
//   entry.login();  entry.enter(…);      requests collect in unsent()
//   entry.receive(bytes);                answers become take_news()
//
// After a lost connection the next login asks for the messages that were missed. Used by live/, one
// thread. A request or an answer costs a look-up in a map of the own orders; not for load (see
// ouch_load_client.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <damrak/client/term_gateway.hpp>
#include <damrak/wire/ouch/messages_v50.hpp>
#include <damrak/wire/soupbin/packets.hpp>

namespace damrak::client {

class OuchOrderEntry final : public TermGateway {
  public:
    /// OUCH names instruments by symbol and lists none: they are those of `symbols`.
    OuchOrderEntry(std::string user, std::string password, Symbols symbols)
        : user_(std::move(user)), password_(std::move(password)), symbols_(std::move(symbols)) {}

    /// Open orders of earlier runs of this user become own orders. Takes two connections: the first
    /// one learns how many messages there are, the second one reads them. Before the first login.
    void take_over_orders() { takes_over_ = true; }
    /// The first of these two connections has served its purpose.
    [[nodiscard]] bool wants_reconnect() const { return takes_over_ && past_ > 0 && !reads_past_; }
    /// The number of an instrument; a new symbol gets the next free one.
    InstrumentId instrument(std::string_view symbol) { return symbols_.add(symbol); }

    // Each is appended to the unsent bytes.

    void login();
    void logout();
    void heartbeat();
    std::uint32_t enter(InstrumentId instrument, Side side, std::uint64_t quantity,
                        std::int64_t price_e2, const OrderExtras& extras) override;
    /// It has no stop orders; times in force are day and immediate or cancel.
    [[nodiscard]] std::string why_not(const OrderExtras& extras) const override;
    bool cancel(std::uint32_t number) override;
    bool modify(std::uint32_t number, std::uint64_t quantity, std::int64_t price_e2,
                std::int64_t stop_e2) override;
    /// The protocol has no such request.
    [[nodiscard]] bool tells_status() const override { return false; }
    bool ask_status(std::uint32_t /*number*/) override { return false; }

    [[nodiscard]] std::span<const std::byte> unsent() const { return unsent_; }
    void mark_sent(std::size_t bytes);
    /// False: the bytes are not of this protocol, and the connection is unusable.
    [[nodiscard]] bool receive(std::span<const std::byte> bytes);
    /// The connection was lost: what was not answered may have arrived or not.
    void lose();

    /// The exchange has named the next free reference.
    [[nodiscard]] bool logged_in() const { return next_reference_ != 0; }
    /// Why the exchange does not let this user in; empty: it may.
    [[nodiscard]] const std::string& refusal() const { return refusal_; }

    [[nodiscard]] const Symbols* symbols() const override { return &symbols_; }
    [[nodiscard]] std::vector<News> take_news() override { return std::exchange(news_, {}); }
    [[nodiscard]] std::string why(const News& news) const override { return news.why; }
    [[nodiscard]] const std::map<std::uint32_t, OwnOrder>& orders() const override {
        return orders_;
    }
    [[nodiscard]] std::string who() const override { return user_; }
    [[nodiscard]] std::size_t pending() const override;
    [[nodiscard]] bool settled() const override { return pending() == 0; }
    void nothing_more_came() override {}

  private:
    static constexpr std::uint64_t k_e4_of_cent = 100;
    static constexpr std::uint64_t k_at_market = 0x7FFF'FFFF;

    /// What the protocol needs to know of an order.
    struct Named {
        /// The acknowledged one, and those of replaces that were asked for since.
        std::vector<std::uint32_t> references{};
        std::int64_t price_e2 = 0;  ///< as asked for last
        bool changes = false;       ///< a change was asked for and not answered
    };

    template <class M>
    void send(const M& message);
    /// In the protocol's units.
    [[nodiscard]] static std::uint64_t price_e4(std::int64_t price_e2);
    [[nodiscard]] static std::uint32_t peg_offset(const OwnOrder& order);
    [[nodiscard]] bool take(const wire::soupbin::Packet& packet);
    void on_refused_login(const wire::soupbin::Packet& packet);
    void on(const auto& /*other*/) {}
    void on(const wire::ouch::v50::Accepted& accepted);
    void on(const wire::ouch::v50::Replaced& replaced);
    void on(const wire::ouch::v50::Canceled& canceled);
    void on(const wire::ouch::v50::AiqCanceled& canceled);
    void on(const wire::ouch::v50::Executed& executed);
    void on(const wire::ouch::v50::Rejected& rejected);
    void on(const wire::ouch::v50::CancelReject& rejected);
    void on(const wire::ouch::v50::AccountAnswer& answer);

    [[nodiscard]] OwnOrder* find(std::uint32_t reference);
    [[nodiscard]] bool log_in_as(const wire::soupbin::Packet& packet);
    [[nodiscard]] OwnOrder& take_over(const wire::ouch::v50::Accepted& accepted);
    [[nodiscard]] OwnOrder* in_reach(std::uint32_t number);
    void name(std::uint32_t number, std::uint32_t reference);
    void let_go(Named& named, std::size_t first, std::size_t count);
    void tell(News::Kind kind, const OwnOrder& order, std::string why = {}) {
        news_.push_back({.kind = kind, .order = order, .why = std::move(why)});
    }
    void finish(OwnOrder& order, News::Kind kind, std::string why = {});
    void remove(std::uint32_t number);
    void settle_lost();
    void forget_session();

    std::string user_;
    std::string password_;
    Symbols symbols_;
    std::string refusal_;
    std::string session_;                  ///< of the exchange's messages; empty: not known
    std::uint64_t next_message_ = 0;       ///< the number of the next one; zero: only new ones
    std::uint32_t next_reference_ = 0;     ///< zero: not logged in
    std::uint32_t highest_reference_ = 0;  ///< that was used
    // While orders are taken over:
    bool takes_over_ = false;
    bool reads_past_ = false;  ///< it is the second connection
    std::uint64_t past_ = 0;   ///< number of the first message that is not of the past
    std::vector<std::byte> unsent_;
    std::vector<std::byte> unread_;
    std::map<std::uint32_t, OwnOrder> orders_;
    std::map<std::uint32_t, Named> named_;            ///< the same orders
    std::map<std::uint32_t, std::uint32_t> numbers_;  ///< of orders by reference
    std::vector<News> news_;
    std::uint32_t last_number_ = 0;
};

}  // namespace damrak::client
