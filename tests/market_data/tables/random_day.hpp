// Messages of every kind that tables show, in no sensible order; several at one time; references on
// both sides of 2^63. Those that LOBSTER has are of one instrument.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include <damrak/wire/itch/messages.hpp>
#include <damrak/wire/itch/view_mark.hpp>

namespace damrak::testing {

class RandomDay {
  public:
    using Messages = std::vector<wire::itch::Message>;

    explicit RandomDay(std::uint64_t seed, bool is_lobster)
        : random_(seed), is_lobster_(is_lobster) {}

    Messages make(std::size_t count) {
        if (!is_lobster_) reference_ = (std::uint64_t{1} << 63U) - count / 4;
        put(wire::itch::SystemEvent{.event_code = 'O'}, 0);
        put(wire::itch::StockDirectory{}, 1);
        if (!is_lobster_) put(wire::itch::StockDirectory{}, 2);
        while (messages_.size() < count) {
            if (below(3) != 0) time_ns_ += static_cast<std::int64_t>(below(20'000'000));
            const std::uint64_t kind = below(20);
            if (kind < 6 || open_.empty())
                add();
            else if (kind < 16)
                take(kind);
            else if (!is_lobster_)
                other(kind);
        }
        put(wire::itch::SystemEvent{.event_code = 'C'}, 0);
        return std::move(messages_);
    }

  private:
    struct Open {
        std::uint64_t reference;
        std::uint16_t locate;
        std::uint32_t shares;
    };

    std::uint64_t below(std::uint64_t n) { return random_() % n; }
    Side side() { return below(2) == 0 ? Side::buy : Side::sell; }
    std::uint32_t price() { return static_cast<std::uint32_t>(1'000'000 + below(12) * 100); }
    std::uint32_t shares() { return static_cast<std::uint32_t>(1 + below(400)); }
    std::uint16_t locate() { return static_cast<std::uint16_t>(is_lobster_ ? 1 : 1 + below(2)); }
    void put(auto message, std::uint16_t locate) {
        message.stock_locate = locate;
        message.timestamp_ns = time_ns_;
        if constexpr (requires { message.stock; })
            message.stock = *wire::itch::Stock::from(locate == 1 ? "ONE" : "TWO");
        messages_.emplace_back(message);
    }
    void add() {
        const Open order{++reference_, locate(), shares()};
        const Side at = side();
        put(wire::itch::AddOrder{.order_ref = order.reference,
                                 .side = at,
                                 .shares = order.shares,
                                 .price_e4 = price() + (at == Side::sell ? 1'300 : 0)},
            order.locate);
        open_.push_back(order);
    }
    /// Something of an order: all of it, or a part.
    void take(std::uint64_t kind) {
        const std::size_t at = below(open_.size());
        Open& order = open_[at];
        auto part = static_cast<std::uint32_t>(1 + below(order.shares));
        if (kind < 11) {
            put(wire::itch::OrderExecuted{.order_ref = order.reference,
                                          .executed_shares = part,
                                          .match_number = ++match_},
                order.locate);
        } else if (kind == 11 && !is_lobster_) {
            put(wire::itch::OrderExecutedWithPrice{.order_ref = order.reference,
                                                   .executed_shares = part,
                                                   .match_number = ++match_,
                                                   .printable = below(2) == 0,
                                                   .execution_price_e4 = price()},
                order.locate);
        } else if (kind == 12) {
            put(wire::itch::OrderCancel{.order_ref = order.reference, .cancelled_shares = part},
                order.locate);
        } else {
            put(wire::itch::OrderDelete{.order_ref = order.reference}, order.locate);
            part = order.shares;
        }
        order.shares -= part;
        if (order.shares == 0) open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(at));
    }
    void other(std::uint64_t kind) {
        if (kind == 16) {
            Open& order = open_[below(open_.size())];
            const Open before = order;
            order.reference = ++reference_;
            order.shares = shares();
            put(wire::itch::OrderReplace{.order_ref = before.reference,
                                         .new_order_ref = order.reference,
                                         .shares = order.shares,
                                         .price_e4 = price()},
                order.locate);
        } else if (kind == 17) {
            const bool has_side = below(2) == 0;
            put(wire::itch::Trade{.tracking_number =
                                      has_side ? wire::itch::k_side_is_known : std::uint16_t{},
                                  .side = side(),
                                  .shares = shares(),
                                  .price_e4 = price(),
                                  .match_number = ++match_},
                locate());
        } else if (kind == 18 && below(4) == 0) {
            put(wire::itch::NetOrderImbalance{.paired_shares = below(1'000),
                                              .imbalance_shares = below(1'000),
                                              .imbalance_direction = "BSNOP"[below(5)],
                                              .far_price_e4 = below(2) == 0 ? 0 : price(),
                                              .near_price_e4 = below(2) == 0 ? 0 : price(),
                                              .reference_price_e4 = below(2) == 0 ? 0 : price(),
                                              .cross_type = "OCHI"[below(4)]},
                locate());
        } else if (kind == 18) {
            put(wire::itch::CrossTrade{.shares = std::uint64_t{1} << below(40),
                                       .cross_price_e4 = price(),
                                       .match_number = ++match_,
                                       .cross_type = 'O'},
                locate());
        } else if (below(3) == 0) {
            halt();
        } else if (below(2) == 0) {
            put(wire::itch::BrokenTrade{.match_number = 1 + below(match_ + 1)}, locate());
        } else {  // of an order that the day does not have
            put(
                wire::itch::OrderExecuted{
                    .order_ref = 7, .executed_shares = 9, .match_number = ++match_},
                locate());
        }
    }

    void halt() {
        const auto code = [](const char* text) { return *wire::itch::Alpha<4>::from(text); };
        const std::uint64_t kind = below(4);
        if (kind == 0)
            put(wire::itch::StockTradingAction{.trading_state = "HPQT"[below(4)],
                                               .reason = code(below(2) == 0 ? "LUDP" : "")},
                locate());
        else if (kind == 1)
            put(wire::itch::OperationalHalt{.market_code = "QBX"[below(3)],
                                            .action = "HT"[below(2)]},
                locate());
        else if (kind == 2)
            put(wire::itch::LuldAuctionCollar{.reference_price_e4 = price(),
                                              .upper_price_e4 = price() + 1'300,
                                              .lower_price_e4 = price(),
                                              .extensions = static_cast<std::uint32_t>(below(4))},
                locate());
        else
            put(wire::itch::MwcbStatus{.breached_level = "123"[below(3)]}, 0);
    }

    std::mt19937_64 random_;
    bool is_lobster_;
    Messages messages_;
    std::vector<Open> open_;
    std::int64_t time_ns_ = 34'200'000'000'000;
    std::uint64_t reference_ = 100;
    std::uint64_t match_ = 0;
};

}  // namespace damrak::testing
