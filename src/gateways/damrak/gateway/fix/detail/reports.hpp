// Reports about orders in each version's form: ExecutionReport, OrderCancelReject and
// OrderMassCancelReport. Bodies only; the session writes the header. Called by FixReporting for the
// events of orders, live or when a restart makes up for missing reports: the same event gives the
// same body. Most events have a quicker way (usual_reports.hpp). No allocation; some 100 ns each.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <damrak/domain/event.hpp>
#include <damrak/domain/instrument.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/fix_codec/encode.hpp>
#include <damrak/fix_codec/message.hpp>
#include <damrak/fix_codec/versions.hpp>
#include <damrak/gateway/fix/detail/text.hpp>
#include <damrak/gateway/fix/fix_orders.hpp>

namespace damrak::gateway::fix::detail {

/// How a session wants its reports.
struct ReportStyle {
    fix_codec::ApplVersion version{};
    fix_codec::TimePrecision precision{};
};

/// "1042-3": the event of that index of that command; the same in every report. FIX.4.0 wants a
/// number.
struct EventId {
    SequenceNumber sequence{};
    std::uint32_t index = 0;
    [[nodiscard]] std::uint64_t number() const {
        constexpr std::uint64_t k_events = 1'000'000;
        return sequence.value * k_events + index;
    }
    [[nodiscard]] FixedText<32> text(const ReportStyle& style) const;
};

/// One ExecutionReport, version by version the same.
struct Execution {
    static constexpr char k_new = '0';
    static constexpr char k_cancelled = '4';
    static constexpr char k_replaced = '5';
    static constexpr char k_rejected = '8';
    static constexpr char k_expired = 'C';
    static constexpr char k_restated = 'D';
    static constexpr char k_trade = 'F';
    static constexpr char k_trade_corrected = 'G';
    static constexpr char k_trade_cancelled = 'H';
    static constexpr char k_status = 'I';
    static constexpr char k_triggered = 'L';
    static constexpr int k_partial_decline = 5;

    char type = k_new;  ///< ExecType of FIX.4.4
    char status = '0';  ///< OrdStatus of FIX.4.4
    OrderId order{};    ///< zero: it never had an id
    std::string_view name{};
    std::string_view previous_name{};
    EventId event{};             ///< the ExecID, unless there is
    std::string_view exec_id{};  ///< one of its own
    EventId changed{};           ///< the execution that is taken back or corrected
    std::string_view symbol{};
    unsigned price_decimals = 0;
    Side side{};
    char side_sent = '\0';  ///< 5 or 6; zero: as `side` says
    OrderType order_type{};
    char type_sent = '\0';  ///< K or P; zero: as `order_type` says
    TimeInForce time_in_force{};
    bool has_time_in_force = true;  ///< false: not reported
    Price price{};
    Price limit{};  ///< of a pegged order
    Price stop{};
    Quantity ordered{};
    Quantity open{};
    Quantity executed{};
    Int128 notional = 0;
    Quantity last_quantity{};
    Price last_price{};
    TradeId trade{};                    ///< zero: it is no fill
    char liquidity = '1';               ///< LastLiquidityInd of a fill
    std::optional<std::int64_t> fee{};  ///< of a fill, in price units; negative: a rebate
    Timestamp time{};
    int reject_reason = -1;  ///< OrdRejReason of FIX.5.0SP2
    int restatement = -1;    ///< ExecRestatementReason
    std::string_view text{};
    std::string_view fields{};  ///< as they were sent (FixFields)
    bool is_copy = false;       ///< not to who entered the order
    // Of an answer to a request for status:
    std::string_view status_request{};
    std::string_view mass_request{};
    std::uint32_t mass_total = 0;
    bool mass_last = false;
};

/// A report about an order that there is none of: it was refused, or its status asked for. It
/// repeats what the request said.
struct Refused {
    char type = Execution::k_rejected;
    std::string_view exec_id{};
    Timestamp time{};
    int reason = 99;  ///< OrdRejReason of FIX.5.0SP2
    std::string_view text{};
};
void put_refused(fix_codec::MessageWriter& writer, const ReportStyle& style,
                 const fix_codec::Message& request, const Refused& refused);

/// How an order stands.
[[nodiscard]] Execution execution_of(const FixOrders& orders, const FixOrder& order,
                                     const InstrumentDefinition& instrument);
/// OrdStatus.
[[nodiscard]] char status_of(const FixOrder& order);
/// What an event did to it. False: FIX has no report for that in this version.
[[nodiscard]] bool describe_event(const Event& event, const Origin& origin,
                                  const FixOrders::Applied& applied, const ReportStyle& style,
                                  Execution& execution);
void put_execution(fix_codec::MessageWriter& writer, const ReportStyle& style,
                   const Execution& execution);

/// OrdRejReason of FIX.5.0SP2.
[[nodiscard]] int order_reject_reason(Reason reason);
/// Why a cancel or replace was refused: CxlRejReason of FIX.5.0SP2.
[[nodiscard]] int cancel_reject_reason(Reason reason);
/// Why an order was cancelled or reduced that nobody asked for: ExecRestatementReason. The older
/// the version, the fewer there are; -1: it has none that fits.
[[nodiscard]] int restatement_reason(Reason reason, fix_codec::ApplVersion version);
/// The older the version, the fewer there are; what it does not have is 0, the broker's option.
[[nodiscard]] int reject_reason_in(fix_codec::ApplVersion version, int reason);
/// OrderID, or that there is none.
void put_order_id(fix_codec::MessageWriter& writer, OrderId order);

struct CancelReject {
    OrderId order{};  ///< zero: unknown
    std::string_view name{};
    std::string_view target_name{};
    char status = '8';
    char response_to = '1';  ///< 1: to a cancel, 2: to a replace
    int reason = 99;         ///< CxlRejReason of FIX.5.0SP2
    std::string_view text{};
    Timestamp time{};
};
void put_cancel_reject(fix_codec::MessageWriter& writer, const ReportStyle& style,
                       const CancelReject& reject);

struct MassCancelReport {
    std::string_view name{};
    std::string_view id{};
    char request_type = '7';
    std::uint64_t cancelled = 0;
    int reject_reason = -1;  ///< not -1: refused
    std::string_view text{};
    Timestamp time{};
};
void put_mass_cancel_report(fix_codec::MessageWriter& writer, const ReportStyle& style,
                            const MassCancelReport& report);

}  // namespace damrak::gateway::fix::detail
