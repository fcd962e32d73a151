// The content of a checkpoint: directory, trading state and open orders of a day's instruments,
// updated message by message. The writer makes its checkpoints from it, and verification compares
// them with it. One thread; some tens of nanoseconds a message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include <damrak/order_flow/book_builder.hpp>
#include <damrak/order_flow/itch_flow.hpp>
#include <damrak/wire/itch/messages.hpp>

namespace damrak::archive {

class OpenState {
  public:
    OpenState();
    OpenState(OpenState&&) noexcept;
    OpenState& operator=(OpenState&&) noexcept;
    ~OpenState();

    /// Visitor of ITCH messages. Those that do not fit the book are counted as anomalies.
    template <class M>
    void on(const M& message) {
        if constexpr (requires { flow_->on(message); }) static_cast<void>(flow_->on(message));
        if constexpr (std::is_same_v<M, wire::itch::StockDirectory> ||
                      std::is_same_v<M, wire::itch::StockTradingAction>)
            note_stock(message);
        if constexpr (requires {
                          message.side;
                          message.stock;
                          message.order_ref;
                      })
            if (stock_of_[message.stock_locate] == 0)
                stock(message.stock_locate).name = message.stock;
    }
    /// All instruments named so far, ascending.
    [[nodiscard]] std::vector<std::uint16_t> locates() const;
    /// Appends the framed messages that rebuild the instrument's current book. Returns their
    /// number.
    std::uint32_t append(std::uint16_t locate, std::vector<std::byte>& frames) const;
    [[nodiscard]] std::uint64_t open_orders() const { return builder_->store().order_pool.used(); }
    [[nodiscard]] std::uint64_t anomalies() const { return builder_->anomalies().total(); }

  private:
    using Builder = order_flow::BookBuilder<>;
    using Flow = order_flow::ItchFlow<Builder>;

    struct Stock {
        std::uint16_t locate = 0;
        wire::itch::Stock name{};
        wire::itch::StockDirectory directory{};
        wire::itch::StockTradingAction action{};
        bool has_directory = false;
        bool has_action = false;
    };

    void note_stock(const wire::itch::StockDirectory& message);
    void note_stock(const wire::itch::StockTradingAction& message);
    Stock& stock(std::uint16_t locate);

    std::vector<Stock> stocks_;            ///< in the order of their first message
    std::vector<std::uint32_t> stock_of_;  ///< by locate: place in stocks_, from 1
    std::unique_ptr<Builder> builder_;
    std::unique_ptr<Flow> flow_;
};

}  // namespace damrak::archive
