// Passes ITCH 5.0 messages to a consumer (recorded.hpp): a visitor for itch::walk and FileReader.
// One thread, no allocation per message; a few nanoseconds besides the consumer's work.
//
// Instruments get their names from their stock directory message, or else from their first order.
// If a symbol is chosen, messages of all others are dropped after one look-up.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <damrak/order_flow/anomalies.hpp>
#include <damrak/order_flow/broken_trades.hpp>
#include <damrak/order_flow/recorded.hpp>
#include <damrak/wire/itch/descriptor.hpp>
#include <damrak/wire/itch/messages.hpp>
#include <damrak/wire/itch/view_mark.hpp>

namespace damrak::order_flow {

/// The selected part of a recording.
struct Selection {
    std::string symbol{};                                             ///< empty: all
    std::int64_t until_ns{std::numeric_limits<std::int64_t>::max()};  ///< inclusive
    BrokenTrades broken{};                                            ///< as far as known before
    bool one_session = false;       ///< a further session ends the reading
    wire::itch::ViewMarks marks{};  ///< as far as known before
};

template <class Consumer>
class ItchFlow {
  public:
    static constexpr std::size_t k_ahead = 16;

    ItchFlow(Consumer& consumer, Selection selection)
        : consumer_{consumer}, selection_{std::move(selection)}, marks_{selection_.marks} {}

    void ahead(char, std::uint16_t locate, std::uint64_t order_ref) {
        consumer_.ahead((*instruments_)[locate], OrderId{order_ref});
    }

    bool on(const wire::itch::StockDirectory& m) {
        if (!in_time(m)) return false;
        if (marks_.are_told()) known_levels_ = m.tracking_number;
        const InstrumentId known = (*instruments_)[m.stock_locate];
        if (known == k_undeclared) {
            declare(m.stock_locate, m.stock);
        } else if (symbols_[m.stock_locate] != m.stock) {
            return told(m, consumer_.anomalies().note(Anomaly::mismatch));
        }
        return told(m, true);
    }

    bool on(const wire::itch::AddOrder& m) { return add(m); }
    bool on(const wire::itch::AddOrderAttributed& m) { return add(m); }

    bool on(const wire::itch::OrderExecuted& m) {
        return about_order(m, [&](const At& at) {
            return consumer_.on_execute(at, OrderId{m.order_ref}, Quantity{m.executed_shares});
        });
    }
    bool on(const wire::itch::OrderExecutedWithPrice& m) {
        return about_order(m, [&](const At& at) {
            return consumer_.on_execute_at(at, OrderId{m.order_ref}, Quantity{m.executed_shares},
                                           Price{m.execution_price_e4}, m.printable);
        });
    }
    bool on(const wire::itch::OrderCancel& m) {
        return about_order(m, [&](const At& at) {
            return consumer_.on_reduce(at, OrderId{m.order_ref}, Quantity{m.cancelled_shares});
        });
    }
    bool on(const wire::itch::OrderDelete& m) {
        return about_order(
            m, [&](const At& at) { return consumer_.on_remove(at, OrderId{m.order_ref}); });
    }
    bool on(const wire::itch::OrderReplace& m) {
        return about_order(m, [&](const At& at) {
            return consumer_.on_replace(at, OrderId{m.order_ref}, OrderId{m.new_order_ref},
                                        Price{m.price_e4}, Quantity{m.shares});
        });
    }

    // Since 2014 the side of a trade with a hidden order has no meaning, unless it is marked.
    bool on(const wire::itch::Trade& m) {
        std::optional<Side> aggressor{};
        if (marks_.is_side_known(m)) aggressor = opposite(m.side);
        return about_stock(m, [&](const At& at) {
            return consumer_.on_trade(at, TradeKind::hidden, Price{m.price_e4}, Quantity{m.shares},
                                      aggressor);
        });
    }
    bool on(const wire::itch::CrossTrade& m) {
        return about_stock(m, [&](const At& at) {
            // A cross with more shares than a quantity can hold is an anomaly of the recording.
            constexpr std::uint64_t k_most = std::numeric_limits<std::uint32_t>::max();
            if (m.shares > k_most) return consumer_.anomalies().note(Anomaly::invalid_quantity);
            return consumer_.on_trade(at, TradeKind::cross, Price{m.cross_price_e4},
                                      Quantity{static_cast<std::int64_t>(m.shares)}, std::nullopt);
        });
    }

    bool on(const wire::itch::BrokenTrade& m) {
        if (!in_time(m)) return false;
        if ((*instruments_)[m.stock_locate] != k_dropped) broken_.add(m.match_number);
        return told(m, true);
    }

    bool on(const wire::itch::SystemEvent& m) {
        if (m.event_code == 'O' && std::exchange(has_begun_, true) && selection_.one_session) {
            has_another_session_ = past_end_ = true;
            return false;
        }
        if (!in_time(m)) return false;
        marks_.note(m);
        const At at{m.timestamp_ns, InstrumentId{}};
        if (m.event_code == 'Q') return told(m, consumer_.on_phase(at, StateChange::opened));
        if (m.event_code == 'M') return told(m, consumer_.on_phase(at, StateChange::closed));
        return told(m, true);
    }
    bool on(const wire::itch::StockTradingAction& m) {
        return about_stock(m, [&](const At& at) {
            // In a pause of limit up, limit down, orders collect for the auction at its end.
            const bool pauses = m.trading_state == 'P' && m.reason.text() == "LUDP";
            const StateChange phase = m.trading_state == 'T'             ? StateChange::trading
                                      : m.trading_state == 'Q' || pauses ? StateChange::quoting
                                                                         : StateChange::halted;
            if constexpr (requires { consumer_.on_halt(at, m); }) consumer_.on_halt(at, m);
            return consumer_.on_phase(at, phase);
        });
    }
    bool on(const wire::itch::OperationalHalt& m)
        requires requires(Consumer& consumer) { consumer.on_halt(At{}, m); }
    {
        return about_stock(m, [&](const At& at) {
            consumer_.on_halt(at, m);
            return true;
        });
    }
    bool on(const wire::itch::LuldAuctionCollar& m)
        requires requires(Consumer& consumer) { consumer.on_halt(At{}, m); }
    {
        return about_stock(m, [&](const At& at) {
            consumer_.on_halt(at, m);
            return true;
        });
    }

    bool on(const wire::itch::NetOrderImbalance& m)
        requires requires(Consumer& consumer) { consumer.on_indicative(At{}, Indicative{}); }
    {
        return about_stock(m, [&](const At& at) {
            const bool has_side = m.imbalance_direction == 'B' || m.imbalance_direction == 'S';
            const Side side = m.imbalance_direction == 'B' ? Side::buy : Side::sell;
            return consumer_.on_indicative(at,
                                           {.price = Price{m.reference_price_e4},
                                            .paired = m.paired_shares,
                                            .imbalance = m.imbalance_shares,
                                            .side = has_side ? std::optional{side} : std::nullopt,
                                            .cross_type = m.cross_type});
        });
    }

    /// Whether a message after the selected time was read; reading ends there.
    [[nodiscard]] bool past_end() const { return past_end_; }
    /// The trades that the messages so far have broken.
    [[nodiscard]] const BrokenTrades& broken() const { return broken_; }
    /// Whether a further session began; reading ends there.
    [[nodiscard]] bool has_another_session() const { return has_another_session_; }
    /// Size, with its frame, of the last message for which on() returned false.
    [[nodiscard]] std::size_t stopped_bytes() const { return stopped_bytes_; }
    /// The instrument as declared to the consumer; zero: not declared.
    [[nodiscard]] InstrumentId instrument(std::uint16_t locate) const {
        return (*instruments_)[locate];
    }
    [[nodiscard]] const wire::itch::ViewMarks& marks() const { return marks_; }
    /// Of a day of limited depth: the levels of each side that are known, zero: none for certain.
    [[nodiscard]] std::optional<std::uint16_t> known_levels() const { return known_levels_; }
    [[nodiscard]] bool found_symbol() const { return selection_.symbol.empty() || declared_ > 0; }

  private:
    using Locates = std::array<InstrumentId, 1U << 16U>;

    static constexpr InstrumentId k_undeclared{};
    static constexpr InstrumentId k_dropped{std::numeric_limits<std::uint32_t>::max()};

    // Also checks that time does not go back.
    template <class M>
    bool in_time(const M& m) {
        if (m.timestamp_ns > selection_.until_ns) [[unlikely]] {
            past_end_ = true;
            return false;
        }
        if (m.timestamp_ns < last_ns_) [[unlikely]]
            unreported_ = !consumer_.anomalies().note(Anomaly::time_went_back);
        last_ns_ = m.timestamp_ns;
        return true;
    }

    // Result of on(). The first message that goes back in time reports that.
    template <class M>
    bool told(const M&, bool sound) {
        if (sound && !unreported_) [[likely]]
            return true;
        unreported_ = false;
        stopped_bytes_ = wire::itch::k_frame_header_length + wire::itch::Layout<M>::k_length;
        return false;
    }

    template <class M, class F>
    bool about_order(const M& m, F&& call) {
        if (!in_time(m)) [[unlikely]]
            return false;
        const InstrumentId instrument = (*instruments_)[m.stock_locate];
        if (instrument == k_dropped) return told(m, true);
        if (instrument == k_undeclared) [[unlikely]] {
            // Its symbol is unknown, so with one symbol selected it is not counted.
            if (!selection_.symbol.empty()) return told(m, true);
            return told(m, consumer_.anomalies().note(Anomaly::unknown_order));
        }
        return told(m, call(at(m, instrument)));
    }

    template <class M>
    At at(const M& m, InstrumentId instrument) const {
        At at{m.timestamp_ns, instrument, marks_.is_by_view(m)};
        if constexpr (requires { m.match_number; })
            at.is_broken = selection_.broken.has(m.match_number);
        return at;
    }

    template <class M, class F>
    bool about_stock(const M& m, F&& call) {
        if (!in_time(m)) [[unlikely]]
            return false;
        InstrumentId instrument = (*instruments_)[m.stock_locate];
        if (instrument == k_undeclared) [[unlikely]]
            instrument = declare(m.stock_locate, m.stock);
        if (instrument == k_dropped) return told(m, true);
        return told(m, call(at(m, instrument)));
    }

    template <class M>
    bool add(const M& m) {
        return about_stock(m, [&](const At& at) {
            return consumer_.on_add(at, OrderId{m.order_ref}, m.side, Price{m.price_e4},
                                    Quantity{m.shares});
        });
    }

    [[gnu::cold]] InstrumentId declare(std::uint16_t locate, const wire::itch::Stock& stock) {
        symbols_[locate] = stock;
        const bool wanted = selection_.symbol.empty() || selection_.symbol == stock.text();
        declared_ += wanted ? 1 : 0;
        return (*instruments_)[locate] = wanted ? consumer_.declare(stock.text()) : k_dropped;
    }

    Consumer& consumer_;
    Selection selection_;
    std::unique_ptr<Locates> instruments_ = std::make_unique<Locates>();
    std::unique_ptr<wire::itch::Stock[]> symbols_ =
        std::make_unique<wire::itch::Stock[]>(1U << 16U);
    std::int64_t last_ns_{0};
    BrokenTrades broken_;
    std::size_t stopped_bytes_{0};
    std::size_t declared_{0};
    std::optional<std::uint16_t> known_levels_;
    bool has_begun_{false};
    bool has_another_session_{false};
    wire::itch::ViewMarks marks_;
    bool unreported_{false};
    bool past_end_{false};
};

}  // namespace damrak::order_flow
