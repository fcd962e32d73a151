// What the FIX gateway tells of the market, in each version's form: MarketDataSnapshotFullRefresh,
// MarketDataIncrementalRefresh, MarketDataRequestReject, SecurityStatus and TradingSessionStatus.
// Bodies only; the session puts the
// header. Called by FixMarketData for each message. No allocation; some 50 ns an entry.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <damrak/domain/instrument.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/feed/market_snapshots.hpp>
#include <damrak/fix_codec/encode.hpp>
#include <damrak/gateway/fix/detail/market_request.hpp>
#include <damrak/gateway/fix/detail/reports.hpp>

namespace damrak::gateway::fix::detail {

struct MarketEntry {
    static constexpr char k_new = '0';
    static constexpr char k_change = '1';
    static constexpr char k_delete = '2';
    static constexpr char k_bid = '0';
    static constexpr char k_offer = '1';
    static constexpr char k_trade = '2';

    char action = k_new;  ///< MDUpdateAction, which a snapshot has not
    char type = k_bid;    ///< MDEntryType
    Price price{};
    Quantity quantity{};
    std::uint32_t orders = 0;  ///< of a price
    TradeId trade{};           ///< of a trade
    Timestamp time{};          ///< of a trade
};

/// Of one instrument.
struct MarketMessage {
    std::string_view request;
    const InstrumentDefinition* instrument = nullptr;
    Timestamp time{};  ///< of what it tells
    std::span<const MarketEntry> entries;
};

/// What an instrument does with its orders, or why that is unknown.
struct StatusMessage {
    std::string_view request;
    std::string_view symbol;  ///< that of the request where there is no such instrument
    std::optional<feed::TradingStatus> status;
    bool unsolicited = false;  ///< it has changed
    Timestamp time{};
    std::string_view text;
};
/// MsgType.
[[nodiscard]] constexpr std::string_view status_type(MarketTerms::Subject subject) {
    return subject == MarketTerms::Subject::security ? "f" : "h";
}
void put_status(fix_codec::MessageWriter& writer, const ReportStyle& style,
                MarketTerms::Subject subject, const StatusMessage& message);

void put_market_snapshot(fix_codec::MessageWriter& writer, const ReportStyle& style,
                         const MarketMessage& message);
void put_market_changes(fix_codec::MessageWriter& writer, const ReportStyle& style,
                        const MarketMessage& message);
void put_market_refusal(fix_codec::MessageWriter& writer, std::string_view request,
                        const MarketRefusal& refusal);

}  // namespace damrak::gateway::fix::detail
