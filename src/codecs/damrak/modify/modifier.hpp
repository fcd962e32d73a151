// Changes a recorded day on its way to the code that replays it: ITCH messages in, ITCH messages
// out. An order keeps its life: all its messages share one decision, drawn from the seed and the
// reference by which it entered, so that the same day, file and seed give the same messages.
// docs/reference/modifications.md has the rules.
//
//   Modifier modifier{modification, 0, [&](const itch::Message& message) { … }};
//   for (const itch::Message& message : day) modifier.put(message);
//   modifier.finish();
//
// One thread. About 300 ns a message; memory for the orders that live, the messages of the longest
// delay, and 8 bytes for each trade that is left out. A valid day gives a valid day; messages about
// orders that the day does not have pass unchanged.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/modify/detail/delay_line.hpp>
#include <damrak/modify/detail/living_orders.hpp>
#include <damrak/modify/modification.hpp>
#include <damrak/modify/report.hpp>
#include <damrak/wire/itch/messages.hpp>
#include <damrak/wire/itch/view_mark.hpp>

namespace damrak::modify {

class Modifier {
  public:
    using Take = std::function<void(const wire::itch::Message&)>;

    /// `known_levels`: of a day of limited depth, the price levels of each side that are known;
    /// zero: all, or the messages will say (wire/itch/view_mark.hpp).
    Modifier(Modification modification, std::uint16_t known_levels, Take take);

    void put(const wire::itch::Message& message);
    /// Passes on what still waits; after the last message.
    void finish();

    /// Not empty: the modification cannot be made of this day. Nothing more is passed on then.
    [[nodiscard]] const std::string& error() const { return error_; }
    [[nodiscard]] const Report& report() const { return report_; }
    [[nodiscard]] Changes changes() const {
        return {.file = modification_.file, .seed = modification_.seed, .report = report_};
    }

  private:
    using Key = detail::OrderKey;
    using Order = detail::LivingOrder;
    enum class Purpose : std::uint8_t { thinning = 1, hidden_trades, delays };  ///< of a draw

    template <class M>
    void add(const M& message);
    template <class M>
    void execute(const M& message);
    /// A message that takes shares from an order; false: it is left out.
    template <class M>
    [[nodiscard]] bool take_from(const M& message, std::uint32_t M::* shares, bool is_cancel);
    template <class M>
    void leave_trade_out(const M& message, Count by);
    void on(const wire::itch::AddOrder& message);
    void on(const wire::itch::AddOrderAttributed& message);
    void on(const wire::itch::OrderExecuted& message);
    void on(const wire::itch::OrderExecutedWithPrice& message);
    void on(const wire::itch::OrderCancel& message);
    void on(const wire::itch::OrderDelete& message);
    void on(const wire::itch::OrderReplace& message);
    void on(const wire::itch::Trade& message);
    void on(const wire::itch::CrossTrade& message);
    void on(const wire::itch::BrokenTrade& message);
    void on(const wire::itch::NetOrderImbalance& message);
    void on(const wire::itch::StockTradingAction& message);
    void on(const wire::itch::StockDirectory& message);
    void on(const wire::itch::SystemEvent& message);
    template <class M>
    void on(const M& message);

    void refuse_limited_depth(std::uint16_t levels);
    void begin_window();
    [[nodiscard]] bool is_inside(std::int64_t time_ns) const;
    /// Which modification leaves the order out; empty: none.
    [[nodiscard]] std::optional<Count> left_out_by(const Key& key, const Order& order) const;
    /// Of a key, by seed and purpose: from 0 to below 1.
    [[nodiscard]] double draw(std::uint64_t key, Purpose purpose) const;
    [[nodiscard]] std::int64_t delay_of(std::uint64_t key) const;
    [[nodiscard]] std::uint64_t scaled(std::uint64_t shares) const;
    [[nodiscard]] std::uint32_t scaled(std::uint32_t shares) const;
    void scale(std::uint64_t& shares);
    void scale(std::uint32_t& shares);
    /// On the grid away from the other side; zero: there is no such price.
    [[nodiscard]] std::uint32_t regrid(Side side, std::uint32_t price_e4) const;
    /// To the nearest price of the grid, halves up.
    void regrid_nearest(std::uint32_t& price_e4);

    /// Of an order, at its time.
    template <class M>
    void send(Order& order, const M& message, bool is_cancel);
    void send_at(std::int64_t time_ns, const wire::itch::Message& message);
    void release(std::int64_t until_ns);
    void pass(const wire::itch::Message& message);

    Modification modification_;
    Take take_;
    Report report_;
    std::string error_;
    detail::LivingOrders orders_;
    detail::DelayLine waiting_;
    std::vector<std::uint64_t> trades_left_out_;  ///< their match numbers
    wire::itch::ViewMarks marks_;                 ///< of what the day's view does
    bool has_begun_ = false;                      ///< the window
};

}  // namespace damrak::modify
