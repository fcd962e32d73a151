// What the FIX gateway tells of phases and halts: SecurityStatus and TradingSessionStatus.
#include <damrak/domain/phase_names.hpp>
#include <damrak/fix_codec/tags.hpp>
#include <damrak/gateway/fix/detail/market_messages.hpp>

namespace damrak::gateway::fix::detail {

namespace {

using feed::TradingStatus;
using fix_codec::ApplVersion;
using fix_codec::MessageWriter;
namespace tag = fix_codec::tag;

// SecurityTradingStatus. FIX.4.2 has no code for a market that collects orders, FIX.4.4 none for
// one that does so before an auction other than the opening.
int security_status(const TradingStatus& status, ApplVersion version) {
    constexpr int k_halted = 2;
    constexpr int k_ready = 17;
    constexpr int k_not_available = 18;
    constexpr int k_pre_open = 21;
    constexpr int k_opening_rotation = 22;
    constexpr int k_pre_cross = 24;
    if (status.state == TradingState::halted) return k_halted;
    switch (status.phase) {
        case Phase::continuous:
        case Phase::at_last:
            return k_ready;
        case Phase::closed:
            return k_not_available;
        case Phase::pre_open:
        case Phase::call:
            break;
    }
    if (version <= ApplVersion::fix42) return k_not_available;
    if (status.phase == Phase::pre_open) return k_pre_open;
    if (status.call == CallKind::opening) return k_opening_rotation;
    return version >= ApplVersion::fix50 ? k_pre_cross : k_pre_open;
}

// TradSesStatus.
char session_status(const TradingStatus& status) {
    if (status.state == TradingState::halted) return '1';
    switch (status.phase) {
        case Phase::continuous:
        case Phase::at_last:
            return '2';
        case Phase::closed:
            return '3';
        case Phase::pre_open:
        case Phase::call:
            break;
    }
    return status.call == CallKind::closing ? '5' : '4';
}

// TradingSessionSubID.
std::string_view phase_of(const TradingStatus& status) {
    switch (status.phase) {
        case Phase::pre_open:
            return "1";
        case Phase::continuous:
            return "3";
        case Phase::closed:
            return "5";
        case Phase::at_last:
            return "10";
        case Phase::call:
            break;
    }
    switch (status.call) {
        case CallKind::opening:
            return "2";
        case CallKind::closing:
            return "4";
        case CallKind::intraday:
            return "6";
        case CallKind::interruption:
        case CallKind::reopening:
            break;
    }
    return "9";
}

void put_phase(MessageWriter& writer, const ReportStyle& style, const StatusMessage& message) {
    if (message.status && style.version >= ApplVersion::fix43)
        writer.put(tag::trading_session_sub_id, phase_of(*message.status));
    writer.put_bool(tag::unsolicited_indicator, message.unsolicited);
}

// HaltReason has no code for what stops an instrument here, so its name is in the text.
void put_text(MessageWriter& writer, const StatusMessage& message) {
    if (!message.text.empty())
        writer.put(tag::text, message.text);
    else if (message.status && message.status->cause != HaltCause::none)
        writer.put(tag::text, name(message.status->cause));
}

void put_security_status(MessageWriter& writer, const ReportStyle& style,
                         const StatusMessage& message) {
    constexpr int k_unknown = 20;
    constexpr int k_volatility_interruption = 3;
    writer.put(tag::security_status_req_id, message.request).put(tag::symbol, message.symbol);
    put_phase(writer, style, message);
    writer.put(tag::security_trading_status,
               message.status ? security_status(*message.status, style.version) : k_unknown);
    const auto is_for_price = [](const TradingStatus& status) {
        return status.call == CallKind::interruption || status.cause == HaltCause::volatility ||
               status.cause == HaltCause::limit_up_limit_down;
    };
    if (message.status && is_for_price(*message.status) && style.version >= ApplVersion::fix50sp1)
        writer.put(tag::security_trading_event, k_volatility_interruption);
    writer.put_timestamp(tag::transact_time, message.time, style.precision);
    if (style.version >= ApplVersion::fix43) put_text(writer, message);
}

void put_session_status(MessageWriter& writer, const ReportStyle& style,
                        const StatusMessage& message) {
    constexpr char k_rejected = '6';
    constexpr int k_unknown_session = 1;
    writer.put(tag::trad_ses_req_id, message.request).put(tag::trading_session_id, message.symbol);
    put_phase(writer, style, message);
    writer.put_char(tag::trad_ses_status,
                    message.status ? session_status(*message.status) : k_rejected);
    if (!message.status && style.version >= ApplVersion::fix43)
        writer.put(tag::trad_ses_status_rej_reason, k_unknown_session);
    put_text(writer, message);
}

}  // namespace

void put_status(MessageWriter& writer, const ReportStyle& style, MarketTerms::Subject subject,
                const StatusMessage& message) {
    if (subject == MarketTerms::Subject::security)
        put_security_status(writer, style, message);
    else
        put_session_status(writer, style, message);
}

}  // namespace damrak::gateway::fix::detail
