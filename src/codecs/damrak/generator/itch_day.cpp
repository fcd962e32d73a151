#include <damrak/generator/itch_day.hpp>

#include <algorithm>
#include <limits>
#include <utility>

#include <damrak/base/assert.hpp>
#include <damrak/base/time_units.hpp>
#include <damrak/wire/itch/directory.hpp>

namespace damrak::generator {
namespace {

namespace itch = wire::itch;

constexpr std::int64_t k_messages_begin_ns = 3 * k_hour_ns;
constexpr std::int64_t k_directory_ns = k_messages_begin_ns + 300 * k_second_ns;
constexpr std::int64_t k_system_open_ns = 4 * k_hour_ns;
constexpr std::int64_t k_system_close_ns = 20 * k_hour_ns;
constexpr std::int64_t k_messages_end_ns = k_system_close_ns + 300 * k_second_ns;

constexpr std::uint32_t k_symbols_max = std::numeric_limits<std::uint16_t>::max();
constexpr std::uint64_t k_messages_max = 1'000'000'000;
constexpr std::uint32_t k_price_units_per_tick = 100;  // a tick is a cent, prices count 1/10,000

constexpr std::uint64_t k_clock_stream = 0x5cead1a1d0c4f1e7;  // separate from the draws of the flow

std::uint16_t locate(std::uint32_t symbol) { return static_cast<std::uint16_t>(symbol + 1); }

std::uint32_t price_e4(std::int32_t price_ticks) {
    DAMRAK_ASSERT(price_ticks > 0);
    return static_cast<std::uint32_t>(price_ticks) * k_price_units_per_tick;
}

itch::StockDirectory directory_entry(const itch::Stock& stock, std::uint16_t stock_locate) {
    itch::StockDirectory entry;
    entry.stock_locate = stock_locate;
    entry.timestamp_ns = k_directory_ns;
    entry.stock = stock;
    entry.market_category = 'Q';
    entry.financial_status = 'N';
    entry.round_lot_size = 100;
    entry.round_lots_only = 'N';
    entry.issue_classification = 'C';
    entry.issue_sub_type = *itch::Alpha<2>::from("Z");
    entry.authenticity = 'T';
    entry.short_sale_threshold = 'N';
    entry.ipo_flag = 'N';
    entry.luld_tier = '1';
    entry.etp_flag = 'N';
    entry.inverse_indicator = 'N';
    return entry;
}

}  // namespace

itch::Stock stock_name(std::uint32_t symbol) {
    return *itch::Stock::from("SIM" + std::to_string(symbol + 1));
}

std::expected<ItchDay, std::string> ItchDay::create(const FlowOptions& options) {
    if (options.symbols > k_symbols_max) {
        return std::unexpected{"ITCH numbers symbols with 16 bits: at most " +
                               std::to_string(k_symbols_max) + " symbols, not " +
                               std::to_string(options.symbols)};
    }
    if (options.messages > k_messages_max) {
        return std::unexpected{"a day has at most " + std::to_string(k_messages_max) +
                               " messages, not " + std::to_string(options.messages)};
    }
    auto flow = OrderFlow::create(options);
    if (!flow) return std::unexpected{std::move(flow.error())};
    return ItchDay{options, std::move(*flow)};
}

ItchDay::ItchDay(const FlowOptions& options, OrderFlow flow)
    : flow_{std::move(flow)},
      clock_{options.live_orders, options.messages, options.seed ^ k_clock_stream} {
    for (std::uint32_t i = 0; i < options.symbols; ++i) stocks_.push_back(stock_name(i));
}

const std::vector<itch::Message>& ItchDay::next() {
    messages_.clear();
    if (phase_ == Phase::before) {
        publish_opening();
        phase_ = Phase::prefill;
        return messages_;
    }
    // An order that expires at once without a trade publishes nothing.
    while (messages_.empty() && phase_ != Phase::over) {
        const FlowStep* step = flow_.next();
        if (phase_ == Phase::prefill && (step == nullptr || !step->order.prefill)) {
            publish_system_event('Q', detail::k_open_ns);
            phase_ = Phase::trading;
        }
        if (step != nullptr) {
            const bool prefill = phase_ == Phase::prefill;
            publish(*step, prefill ? clock_.next_prefill() : clock_.next());
        } else {
            publish_system_event('M', detail::k_close_ns);
            publish_system_event('E', k_system_close_ns);
            publish_system_event('C', k_messages_end_ns);
            phase_ = Phase::over;
        }
    }
    return messages_;
}

void ItchDay::publish_opening() {
    publish_system_event('O', k_messages_begin_ns);
    for (std::uint32_t i = 0; i < stocks_.size(); ++i) {
        messages_.emplace_back(directory_entry(stocks_[i], locate(i)));
    }
    publish_system_event('S', k_system_open_ns);
    for (std::uint32_t i = 0; i < stocks_.size(); ++i) {
        messages_.emplace_back(
            itch::plain_trading_action(locate(i), k_system_open_ns, stocks_[i], 'T'));
    }
}

void ItchDay::publish(const FlowStep& step, std::int64_t time_ns) {
    if (!step.order.prefill) ++submitted_;
    for (const MarketEvent& event : step.events) publish(event, time_ns);
}

void ItchDay::publish(const MarketEvent& event, std::int64_t time_ns) {
    const auto put = [&]<class M>(M message) {
        message.stock_locate = locate(event.symbol);
        message.timestamp_ns = time_ns;
        message.order_ref = event.reference;
        messages_.emplace_back(message);
    };
    switch (event.kind) {
        case MarketEventKind::added: {
            itch::AddOrder add;
            add.side = event.side;
            add.shares = event.quantity;
            add.stock = stocks_[event.symbol];
            add.price_e4 = price_e4(event.price_ticks);
            return put(add);
        }
        case MarketEventKind::executed: {
            itch::OrderExecuted execution;
            execution.executed_shares = event.quantity;
            execution.match_number = event.trade_number;
            ++trades_;
            return put(execution);
        }
        case MarketEventKind::deleted:
            return put(itch::OrderDelete{});
        case MarketEventKind::replaced: {
            itch::OrderReplace replacement;
            replacement.new_order_ref = event.reference;
            replacement.shares = event.quantity;
            replacement.price_e4 = price_e4(event.price_ticks);
            put(replacement);
            std::get<itch::OrderReplace>(messages_.back()).order_ref = event.previous_reference;
            return;
        }
    }
}

void ItchDay::publish_system_event(char code, std::int64_t time_ns) {
    itch::SystemEvent event;
    event.timestamp_ns = time_ns;
    event.event_code = code;
    messages_.emplace_back(event);
}

}  // namespace damrak::generator
