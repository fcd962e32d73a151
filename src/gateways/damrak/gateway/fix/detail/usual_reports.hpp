// Usual reports, and the texts that repeat in them. A report is usual if it reports that a limit or
// market order was accepted, executed, replaced, or cancelled by its owner; execution_reports.hpp
// writes it, field for field as put_execution() (reports.hpp) would. One thread; no allocation
// after construction.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include <damrak/base/inline.hpp>
#include <damrak/base/wide_integer.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/domain/instrument.hpp>
#include <damrak/fix_codec/encode_ready.hpp>
#include <damrak/fix_codec/tags.hpp>
#include <damrak/fix_codec/versions.hpp>
#include <damrak/gateway/fix/detail/fix_order.hpp>
#include <damrak/gateway/fix/detail/reports.hpp>
#include <damrak/session/fix/settings.hpp>

namespace damrak::gateway::fix::detail {

/// The fields that all reports of an order repeat.
struct OrderText {
    static constexpr std::size_t k_names_bytes = 64;
    static constexpr std::size_t k_terms_bytes = 96;

    // What they are made from:
    OrderId id{};
    Price price{};
    Quantity ordered{};
    ShortName name{};
    Side side{};
    OrderType type{};
    TimeInForce time_in_force{};

    fix_codec::ReadyFields<k_names_bytes> names{};  ///< OrderID and ClOrdID
    fix_codec::ReadyFields<k_terms_bytes> terms{};  ///< Symbol to TimeInForce

    [[nodiscard]] DAMRAK_HOT bool is_of(const FixOrder& order) const {
        return id == order.id && price == order.price && ordered == order.ordered &&
               name == order.short_name && side == order.side && type == order.type &&
               time_in_force == order.time_in_force;
    }
    void make(const FixOrder& order, const InstrumentDefinition& instrument,
              fix_codec::DecimalTexts& prices);
};

/// Of orders that were reported of late: the execution of an order that was just accepted finds its
/// text here.
class OrderTexts {
  public:
    OrderTexts() : texts_(k_texts) {}
    [[nodiscard]] DAMRAK_HOT const OrderText& of(const FixOrder& order,
                                                 const InstrumentDefinition& instrument,
                                                 fix_codec::DecimalTexts& prices) {
        constexpr unsigned k_instrument_bits = 34;
        const std::uint64_t place = order.id.value ^ order.id.value >> k_instrument_bits;
        OrderText& text = texts_[place % k_texts];
        if (!text.is_of(order)) text.make(order, instrument, prices);
        return text;
    }
    void forget();

  private:
    static constexpr std::size_t k_texts = 1'024;
    std::vector<OrderText> texts_;
};

/// What the reports of all sessions share.
struct RecentTexts {
    OrderTexts orders;
    fix_codec::CounterText commands;
    fix_codec::CounterText trades;
    fix_codec::DecimalTexts prices;
    [[nodiscard]] DAMRAK_HOT const OrderText& of(const FixOrder& order,
                                                 const InstrumentDefinition& instrument) {
        return orders.of(order, instrument, prices);
    }
};

/// The header of a session's reports. What stands between MsgSeqNum and the body is the same in all
/// of one time.
class ReportHead {
  public:
    static constexpr std::size_t k_bytes = 128;
    /// Both comp ids together.
    static constexpr std::size_t k_longest_comp_ids = 64;

    DAMRAK_HOT void set_time(Timestamp time, fix_codec::TimePrecision precision,
                             const session::fix::SessionName& name,
                             fix_codec::TimestampCache& times) {
        if (time != time_ || !made_) [[unlikely]]
            make(time, precision, name, times);
    }
    [[nodiscard]] const fix_codec::ReadyFields<k_bytes>& fields() const { return fields_; }
    [[nodiscard]] fix_codec::CounterText& sequences() { return sequences_; }

  private:
    void make(Timestamp time, fix_codec::TimePrecision precision,
              const session::fix::SessionName& name, fix_codec::TimestampCache& times);

    Timestamp time_{};
    bool made_ = false;
    fix_codec::ReadyFields<k_bytes> fields_;
    fix_codec::CounterText sequences_;
};

/// One usual report.
struct UsualReport {
    std::uint64_t sequence = 0;  ///< MsgSeqNum
    ReportHead& head;
    RecentTexts& recent;
    const OrderText& text;
    const FixOrder& order;  ///< after the event
    const Event& event;
    std::string_view previous_name{};  ///< if the event gave the order another one
    EventId id{};
    Timestamp time{};
    unsigned price_decimals = 0;
};

/// Writes those of a session, by its version.
class UsualReports {
  public:
    explicit UsualReports(fix_codec::BeginString begin_string) : begin_string_(begin_string) {}

    /// Whether the report of this event of this order is a usual one.
    [[nodiscard]] DAMRAK_HOT static bool are_for(const Event& event, const FixOrder& order) {
        const bool is_known = event.kind == EventKind::accepted ||
                              event.kind == EventKind::executed ||
                              event.kind == EventKind::replaced ||
                              (event.kind == EventKind::cancelled &&
                               event.reason == Reason::requested && event.remaining.value == 0);
        const OrderType type = order.price.value > 0 ? OrderType::limit : OrderType::market;
        return is_known && order.type == type && !order.has_fields && !order.long_name &&
               order.side_sent == '\0' && order.type_sent == '\0' &&
               !is_for_auctions(order.time_in_force);
    }
    /// Empty if there is no room.
    [[nodiscard]] std::span<const char> write(std::span<char> into, const UsualReport& report,
                                              const ReportStyle& style,
                                              fix_codec::TimestampCache& times) const;

  private:
    fix_codec::BeginString begin_string_;
};

}  // namespace damrak::gateway::fix::detail
