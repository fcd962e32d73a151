// What there is to trade, as the FIX gateway tells it in each version's form: SecurityList and
// SecurityDefinition. Bodies only; the session puts the header. Called by FixMarketRequests for
// each answer. No allocation; some 200 ns an instrument.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include <damrak/domain/instrument.hpp>
#include <damrak/fix_codec/encode.hpp>
#include <damrak/gateway/fix/detail/reports.hpp>

namespace damrak::gateway::fix::detail {

struct SecurityList {
    static constexpr int k_valid = 0;
    static constexpr int k_unsupported = 1;
    static constexpr int k_not_found = 2;

    std::string_view request;
    std::string_view id{};  ///< SecurityResponseID
    int result = k_valid;   ///< SecurityRequestResult
    std::size_t total = 0;
    bool is_last = true;  ///< of several messages
    std::span<const InstrumentDefinition* const> instruments{};
};
/// This many in a message: with sixteen ticks each they fit, too.
inline constexpr std::size_t k_instruments_a_list = 10;

void put_security_list(fix_codec::MessageWriter& writer, const ReportStyle& style,
                       const SecurityList& list);

struct SecurityAnswer {
    static constexpr int k_accepted = 1;
    static constexpr int k_list = 4;
    static constexpr int k_rejected = 5;
    static constexpr int k_not_found = 6;

    std::string_view request;
    std::string_view id{};      ///< SecurityResponseID
    int response = k_accepted;  ///< SecurityResponseType
    std::size_t total = 0;      ///< instruments, each in an answer of its own
    std::string_view market{};  ///< MarketID: who we are
    std::string_view symbol{};  ///< asked for and not found
    std::string_view text{};    ///< why not
    const InstrumentDefinition* instrument = nullptr;
};
void put_security_definition(fix_codec::MessageWriter& writer, const ReportStyle& style,
                             const SecurityAnswer& answer);

}  // namespace damrak::gateway::fix::detail
