// Messages about an instrument from what a publisher must know: its symbol, and its lot size or
// trading state. All other properties are blank, or "no".
#pragma once

#include <cstdint>

#include <damrak/wire/itch/messages.hpp>

namespace damrak::wire::itch {

[[nodiscard]] inline StockDirectory plain_directory(std::uint16_t stock_locate,
                                                    std::int64_t timestamp_ns, const Stock& stock,
                                                    std::uint32_t round_lot_size) {
    return {.stock_locate = stock_locate,
            .tracking_number = 0,
            .timestamp_ns = timestamp_ns,
            .stock = stock,
            .market_category = ' ',
            .financial_status = ' ',
            .round_lot_size = round_lot_size,
            .round_lots_only = 'N',
            .issue_classification = 'C',
            .issue_sub_type = *Alpha<2>::from("Z"),
            .authenticity = 'P',
            .short_sale_threshold = ' ',
            .ipo_flag = ' ',
            .luld_tier = ' ',
            .etp_flag = ' ',
            .etp_leverage_factor = 0,
            .inverse_indicator = 'N'};
}

[[nodiscard]] inline StockTradingAction plain_trading_action(std::uint16_t stock_locate,
                                                             std::int64_t timestamp_ns,
                                                             const Stock& stock, char state) {
    return {.stock_locate = stock_locate,
            .tracking_number = 0,
            .timestamp_ns = timestamp_ns,
            .stock = stock,
            .trading_state = state,
            .reserved = ' ',
            .reason = *Alpha<4>::from("")};
}

}  // namespace damrak::wire::itch
