// Writes small ITCH days for tests, one call per message; times count microseconds from 09:30,
// prices are in cents unless stated otherwise.
#pragma once

#include <cstdint>
#include <string_view>

#include <damrak/files/byte_source.hpp>
#include <damrak/order_flow/itch_flow.hpp>
#include <damrak/wire/itch/file_reader.hpp>

#include "support/bytes.hpp"

namespace damrak::testing {

class SmallDay {
  public:
    static constexpr std::int64_t k_begin_ns = 34'200'000'000'000;

    static std::int64_t time_ns(std::int64_t us) { return k_begin_ns + us * 1'000; }

    SmallDay& listed(std::uint16_t locate, std::string_view symbol) {
        wire::itch::StockDirectory m;
        m.stock = *wire::itch::Stock::from(symbol);
        return put(m, 0, locate);
    }
    SmallDay& event(std::int64_t us, char code) {
        wire::itch::SystemEvent m;
        m.event_code = code;
        return put(m, us, 0);
    }
    SmallDay& state(std::int64_t us, char trading_state, std::uint16_t locate = 1) {
        wire::itch::StockTradingAction m;
        m.stock = *wire::itch::Stock::from("AAPL");
        m.trading_state = trading_state;
        return put(m, us, locate);
    }
    SmallDay& add(std::int64_t us, std::uint64_t ref, Side side, std::uint32_t cents,
                  std::uint32_t shares, std::uint16_t locate = 1) {
        return add_e4(us, ref, side, cents * 100, shares, locate);
    }
    SmallDay& add_e4(std::int64_t us, std::uint64_t ref, Side side, std::uint32_t price_e4,
                     std::uint32_t shares, std::uint16_t locate = 1) {
        wire::itch::AddOrder m;
        m.order_ref = ref;
        m.side = side;
        m.shares = shares;
        m.stock = *wire::itch::Stock::from(locate == 1 ? "AAPL" : "MSFT");
        m.price_e4 = price_e4;
        return put(m, us, locate);
    }
    SmallDay& execute(std::int64_t us, std::uint64_t ref, std::uint32_t shares,
                      std::uint16_t locate = 1) {
        wire::itch::OrderExecuted m;
        m.order_ref = ref;
        m.executed_shares = shares;
        return put(m, us, locate);
    }
    SmallDay& execute_at(std::int64_t us, std::uint64_t ref, std::uint32_t shares,
                         std::uint32_t cents, bool printable = true) {
        wire::itch::OrderExecutedWithPrice m;
        m.order_ref = ref;
        m.executed_shares = shares;
        m.execution_price_e4 = cents * 100;
        m.printable = printable;
        return put(m, us, 1);
    }
    SmallDay& cancel(std::int64_t us, std::uint64_t ref, std::uint32_t shares) {
        wire::itch::OrderCancel m;
        m.order_ref = ref;
        m.cancelled_shares = shares;
        return put(m, us, 1);
    }
    SmallDay& remove(std::int64_t us, std::uint64_t ref, std::uint16_t locate = 1) {
        wire::itch::OrderDelete m;
        m.order_ref = ref;
        return put(m, us, locate);
    }
    SmallDay& replace(std::int64_t us, std::uint64_t ref, std::uint64_t fresh, std::uint32_t cents,
                      std::uint32_t shares) {
        wire::itch::OrderReplace m;
        m.order_ref = ref;
        m.new_order_ref = fresh;
        m.price_e4 = cents * 100;
        m.shares = shares;
        return put(m, us, 1);
    }
    SmallDay& hidden_trade(std::int64_t us, std::uint32_t cents, std::uint32_t shares) {
        wire::itch::Trade m;
        m.stock = *wire::itch::Stock::from("AAPL");
        m.price_e4 = cents * 100;
        m.shares = shares;
        return put(m, us, 1);
    }
    SmallDay& cross(std::int64_t us, std::uint32_t cents, std::uint64_t shares) {
        wire::itch::CrossTrade m;
        m.stock = *wire::itch::Stock::from("AAPL");
        m.cross_price_e4 = cents * 100;
        m.shares = shares;
        m.cross_type = 'O';
        return put(m, us, 1);
    }

    [[nodiscard]] const Bytes& bytes() const { return bytes_; }
    [[nodiscard]] std::size_t size() const { return bytes_.size(); }

    /// Reads everything into the consumer, setting positions of anomalies by offset as `damrak
    /// replay` does.
    template <class Consumer>
    void replay(Consumer& consumer, order_flow::Selection selection = {}) const {
        wire::itch::FileReader reader{files::ByteSource::over(bytes_, "day")};
        order_flow::ItchFlow<Consumer> flow{consumer, std::move(selection)};
        for (;;) {
            const auto step = reader.read_some(flow);
            if (!step || *step == wire::itch::ReadStep::end || flow.past_end()) return;
            if (*step == wire::itch::ReadStep::stopped)
                consumer.anomalies().place(reader.offset() - flow.stopped_bytes());
        }
    }

  private:
    template <class M>
    SmallDay& put(M m, std::int64_t us, std::uint16_t locate) {
        m.stock_locate = locate;
        m.timestamp_ns = time_ns(us);
        append(bytes_, itch_frame(m));
        return *this;
    }

    Bytes bytes_;
};

}  // namespace damrak::testing
