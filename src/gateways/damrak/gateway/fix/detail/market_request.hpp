// What a FIX client wants to see of the market: the fields of MarketDataRequest, or why it cannot
// be. Called by FixMarketRequests for each request. Allocates its lists.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/domain/instrument.hpp>
#include <damrak/fix_codec/dictionary.hpp>
#include <damrak/fix_codec/message.hpp>
#include <damrak/gateway/fix/detail/text.hpp>

namespace damrak::gateway::fix::detail {

/// As MDReqRejReason and Text of MarketDataRequestReject tell it.
struct MarketRefusal {
    static constexpr char k_unknown_symbol = '0';
    static constexpr char k_duplicate_id = '1';
    static constexpr char k_too_much = '2';
    static constexpr char k_subscription_type = '4';
    static constexpr char k_depth = '5';
    static constexpr char k_update_type = '6';
    static constexpr char k_aggregated_book = '7';
    static constexpr char k_entry_type = '8';

    char reason = '\0';  ///< zero: none of FIX
    FixText text;
};

struct MarketTerms {
    enum class Kind : std::uint8_t { snapshot, subscribe, unsubscribe };
    /// MarketDataRequest, SecurityStatusRequest, TradingSessionStatusRequest.
    enum class Subject : std::uint8_t { book, security, session };

    std::string id;  ///< MDReqID, SecurityStatusReqID or TradSesReqID
    Kind kind{};
    Subject subject{};
    bool incremental = false;
    bool bids = false;
    bool offers = false;
    bool trades = false;
    std::uint32_t depth = 0;  ///< prices a side; zero: all
};

struct MarketRequest {
    MarketTerms terms;
    std::vector<const InstrumentDefinition*> instruments;
};

/// Null if there is none.
using FindInstrument = std::function<const InstrumentDefinition*(std::string_view symbol)>;

/// SubscriptionRequestType.
[[nodiscard]] std::expected<MarketTerms::Kind, MarketRefusal> read_kind(
    const fix_codec::Message& message);
[[nodiscard]] std::expected<MarketRequest, MarketRefusal> read_market_request(
    const fix_codec::Message& message, const fix_codec::Dictionary& dictionary,
    const FindInstrument& find);

}  // namespace damrak::gateway::fix::detail
