// A trader's side of a FIX session, without I/O: the session's application, which tracks its own
// open orders and fills and reports events as news. For FIX.4.2 and later, with a gateway that
// follows docs/fix.md.
//
//   FixOrderEntry entry{clock};
//   auto client = FixClient<FixOrderEntry>::make(entry, store, settings);
//   entry.attach((*client)->session());
//
// The first Logon of a process resets the sequence numbers; later ones continue them, so the
// session delivers missed messages. From FIX.4.3 on it requests the open orders of earlier runs and
// takes them over. Used by `damrak term`, one thread; for interactive use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <damrak/client/detail/fix_books.hpp>
#include <damrak/client/term_command.hpp>
#include <damrak/client/term_gateway.hpp>
#include <damrak/session/fix/memory_store.hpp>
#include <damrak/session/fix/session.hpp>

namespace damrak::client {

class FixOrderEntry final : public TermGateway {
  public:
    using Session = session::fix::Session<FixOrderEntry, session::fix::MemoryStore>;
    using Message = fix_codec::Message;
    using MessageWriter = fix_codec::MessageWriter;

    /// Ids of requests begin with the current time, so that no earlier run has used them.
    explicit FixOrderEntry(std::function<Timestamp()> clock);

    /// The session that sends requests; it must outlive this object. Call before the first request.
    void attach(Session& session) { session_ = &session; }
    /// Requests the books of all symbols at each Logon; book() then returns those.
    void follow_books() { books_.emplace(symbols_); }
    /// The next Logon resets the sequence numbers: the other side has lost them.
    void begin_anew();
    /// Whether the session is logged on, and the instruments and earlier orders have arrived.
    [[nodiscard]] bool ready() const {
        return logged_on_ && !asks_for_orders_ && !asks_for_symbols_;
    }
    /// Whether a Logon was answered since the last begin_anew().
    [[nodiscard]] bool has_begun() const { return !begins_; }

    // As a TermGateway:
    std::uint32_t enter(InstrumentId instrument, Side side, std::uint64_t quantity,
                        std::int64_t price_e2, const OrderExtras& extras) override;
    [[nodiscard]] bool takes_below_zero() const override { return true; }
    [[nodiscard]] std::string why_not(const OrderExtras& extras) const override;
    bool cancel(std::uint32_t number) override;
    bool modify(std::uint32_t number, std::uint64_t quantity, std::int64_t price_e2,
                std::int64_t stop_e2) override;
    bool ask_status(std::uint32_t number) override;
    [[nodiscard]] bool tells_status() const override { return true; }
    [[nodiscard]] const Symbols* symbols() const override { return &symbols_; }
    [[nodiscard]] bool tells_books() const override { return books_.has_value(); }
    [[nodiscard]] const L2Receiver::Book* book(InstrumentId id) const override {
        return books_ ? books_->book(id) : nullptr;
    }
    [[nodiscard]] std::string why_no_book(InstrumentId id) const override {
        return books_ ? books_->why_not(id) : "";
    }
    [[nodiscard]] const std::deque<TapeTrade>* tape() const override {
        return books_ ? &books_->tape() : nullptr;
    }
    [[nodiscard]] std::vector<News> take_news() override { return std::exchange(news_, {}); }
    [[nodiscard]] std::string why(const News& news) const override { return news.why; }
    [[nodiscard]] const std::map<std::uint32_t, OwnOrder>& orders() const override {
        return orders_;
    }
    [[nodiscard]] std::string who() const override;
    [[nodiscard]] std::size_t pending() const override { return pending_.size(); }
    [[nodiscard]] bool settled() const override { return pending_.empty(); }
    void nothing_more_came() override {}

    // Called by the session:
    void fill_logon(Session& session, MessageWriter& logon) const;
    void on_logon(Session& session);
    void on_logout(Session& session, session::fix::Ended why, std::string_view text);
    session::fix::Reply on_message(Session& session, const Message& message);
    void on_admin(Session& session, const Message& message);

  private:
    struct Pending {
        char request = '\0';  ///< MsgType, but A for an OrderMassStatusRequest
        std::uint32_t number = 0;
        std::uint64_t sequence = 0;
    };

    template <class Fill>
    void send(std::string_view msg_type, const Pending& pending, Fill&& fill);
    void put_order(MessageWriter& writer, const OwnOrder& order, std::uint64_t quantity,
                   std::int64_t price_e2, std::int64_t stop_e2);
    void put_extras(MessageWriter& writer, const OwnOrder& order);
    static void put_exec_inst(MessageWriter& writer, const OrderExtras& extras);
    void ask_for_orders();
    void ask_for_books();
    void ask_for_symbols();
    void on_symbols(const Message& message);
    void learn(std::string_view symbol);
    void on_market_data(const Message& message);

    void on_report(const Message& report);
    void on_status(const Message& report);
    void on_cancel_reject(const Message& reject);
    void on_refusal(const Message& message);
    void apply(const Message& report, char type, OwnOrder& order);
    [[nodiscard]] OwnOrder read_order(const Message& report);
    [[nodiscard]] OwnOrder* order_of(const Message& message);
    [[nodiscard]] OwnOrder* find(std::uint32_t number);
    [[nodiscard]] OwnOrder* in_reach(std::uint32_t number);
    void rename(OwnOrder& order, std::string_view name);
    void finish(OwnOrder& order, News::Kind kind, std::string why = {});
    void remove(std::uint32_t number);
    void on_changed_trade(const Message& report, OwnOrder* order);
    void tell(News::Kind kind, const OwnOrder& order, std::string why = {}) {
        news_.push_back({.kind = kind, .order = order, .why = std::move(why)});
    }

    Symbols symbols_;
    std::function<Timestamp()> clock_;
    std::optional<FixBooks> books_;
    std::string prefix_;
    Session* session_ = nullptr;
    bool begins_ = true;
    bool logged_on_ = false;
    bool asks_for_orders_ = false;
    bool asks_for_symbols_ = false;
    std::uint64_t symbols_sent_ = 0;  ///< since the last request for them
    std::uint64_t requests_ = 0;
    std::uint32_t last_number_ = 0;
    std::map<std::string, Pending, std::less<>> pending_;  ///< by ClOrdID, or request id
    std::map<std::uint32_t, OwnOrder> orders_;
    std::map<std::string, std::uint32_t, std::less<>> numbers_;  ///< order number by ClOrdID
    std::map<std::uint32_t, std::string> names_;                 ///< ClOrdID by order number
    std::map<std::string, News, std::less<>> fills_;             ///< by ExecID
    std::vector<News> news_;
};

}  // namespace damrak::client
