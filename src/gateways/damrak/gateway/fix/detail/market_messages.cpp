#include <damrak/gateway/fix/detail/market_messages.hpp>

#include <chrono>

#include <damrak/fix_codec/tags.hpp>

namespace damrak::gateway::fix::detail {

namespace {

using fix_codec::ApplVersion;
using fix_codec::MessageWriter;
using fix_codec::TimePrecision;
namespace tag = fix_codec::tag;

// Date and time of day in two fields.
void put_date_and_time(MessageWriter& writer, Timestamp time, TimePrecision precision) {
    using std::chrono::days;
    using std::chrono::nanoseconds;
    const nanoseconds since{time.value};
    const auto day = std::chrono::floor<days>(since);
    const std::chrono::year_month_day date{std::chrono::sys_days{day}};
    const std::chrono::hh_mm_ss clock{since - day};
    writer.put(tag::md_entry_date,
               FixedText<16>{"{:04}{:02}{:02}", static_cast<int>(date.year()),
                             static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day())}
                   .view());
    const FixedText<32> text{"{:02}:{:02}:{:02}.{:09}", clock.hours().count(),
                             clock.minutes().count(), clock.seconds().count(),
                             clock.subseconds().count()};
    constexpr std::size_t k_whole = 8;
    const auto digits = static_cast<std::size_t>(precision);
    writer.put(tag::md_entry_time,
               text.view().substr(0, digits == 0 ? k_whole : k_whole + 1 + digits));
}

void put_values(MessageWriter& writer, const ReportStyle& style, const MarketEntry& entry,
                unsigned price_decimals) {
    writer.put_decimal(tag::md_entry_px, entry.price.value, price_decimals);
    if (entry.action == MarketEntry::k_delete) return;
    writer.put(tag::md_entry_size, entry.quantity.value);
    if (entry.type == MarketEntry::k_trade) {
        put_date_and_time(writer, entry.time, style.precision);
    } else {
        writer.put(tag::number_of_orders, entry.orders);
    }
}

}  // namespace

void put_market_snapshot(MessageWriter& writer, const ReportStyle& style,
                         const MarketMessage& message) {
    if (style.version >= ApplVersion::fix50sp2)
        writer.put_timestamp(tag::last_update_time, message.time, style.precision);
    writer.put(tag::md_req_id, message.request)
        .put(tag::symbol, message.instrument->symbol.view())
        .put(tag::no_md_entries, message.entries.size());
    for (const MarketEntry& entry : message.entries) {
        writer.put_char(tag::md_entry_type, entry.type);
        put_values(writer, style, entry, message.instrument->price_decimals);
    }
}

void put_market_changes(MessageWriter& writer, const ReportStyle& style,
                        const MarketMessage& message) {
    writer.put(tag::md_req_id, message.request).put(tag::no_md_entries, message.entries.size());
    for (const MarketEntry& entry : message.entries) {
        writer.put_char(tag::md_update_action, entry.action)
            .put_char(tag::md_entry_type, entry.type);
        if (entry.type == MarketEntry::k_trade) writer.put(tag::md_entry_id, entry.trade.value);
        writer.put(tag::symbol, message.instrument->symbol.view());
        put_values(writer, style, entry, message.instrument->price_decimals);
    }
}

void put_market_refusal(MessageWriter& writer, std::string_view request,
                        const MarketRefusal& refusal) {
    writer.put(tag::md_req_id, request);
    if (refusal.reason != '\0') writer.put_char(tag::md_req_rej_reason, refusal.reason);
    if (!refusal.text.empty()) writer.put(tag::text, refusal.text.view());
}

}  // namespace damrak::gateway::fix::detail
