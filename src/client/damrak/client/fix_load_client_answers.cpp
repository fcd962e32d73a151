#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <damrak/base/system_time.hpp>
#include <damrak/client/fix_load_client.hpp>

// Reports and rejects to a FIX load client, and what they are checked against.
namespace damrak::client {

namespace tag = fix_codec::tag;
using session::fix::Reply;

std::uint64_t FixLoadClient::name_in(const Message& message) const {
    const auto name = message.integer(tag::cl_ord_id);
    return name && std::cmp_greater(*name, names_from_)
               ? static_cast<std::uint64_t>(*name) - names_from_
               : 0;
}

FixLoadClient::Asked* FixLoadClient::asked_as(std::uint64_t name) {
    Asked& asked = window_[name % window_.size()];
    return name != 0 && asked.name == name ? &asked : nullptr;
}

FixLoadClient::Asked FixLoadClient::answered(Asked& asked) {
    outstanding_ -= 1;
    if (asked.kind == RequestKind::new_order) outstanding_new_ -= 1;
    tally_->all_answers += 1;
    if (tally_->recording) {
        tally_->answers += 1;
        tally_->latency_ns[std::to_underlying(asked.kind)].record(
            static_cast<std::uint64_t>(std::max<std::int64_t>(0, now_ns_ - asked.from_ns)));
    }
    return std::exchange(asked, {});
}

Reply FixLoadClient::on_message(Session& /*session*/, const Message& message) {
    const std::string_view type = message.msg_type();
    if (type == "8") {
        on_report(message);
    } else if (type == "9") {
        on_cancel_reject(message);
    } else if (type == "j") {
        const auto sequence = message.integer(tag::ref_seq_num);
        refused(sequence && *sequence > 0 ? static_cast<std::uint64_t>(*sequence) : 0, message,
                "BusinessMessageReject");
    }
    return Reply::accept();
}

void FixLoadClient::on_admin(Session& /*session*/, const Message& message) {
    if (message.msg_type() != "3") return;
    const auto sequence = message.integer(tag::ref_seq_num);
    refused(sequence && *sequence > 0 ? static_cast<std::uint64_t>(*sequence) : 0, message,
            "Reject");
}

void FixLoadClient::refused(std::uint64_t sequence, const Message& message, std::string_view what) {
    tally_->error(tally_->refused, fmt::format("client {}: {}: {}", number_, what,
                                               message.text_or_empty(tag::text)));
    const auto found = std::ranges::find_if(window_, [sequence](const Asked& asked) {
        return asked.name != 0 && asked.sequence == sequence;
    });
    if (found == window_.end()) return;
    const Asked asked = answered(*found);
    if (LiveOrder* const order = find(asked.order)) order->asked = false;
}

void FixLoadClient::on_report(const Message& report) {
    const std::uint64_t name = name_in(report);
    const auto kind = report.character(tag::exec_type);
    const char type = kind ? *kind : '\0';
    const bool trade = type == 'F' || type == '1' || type == '2';
    if (trade && tally_->recording) tally_->trade_messages += 1;
    market_trades_ |= trade;
    if (settings_->verify && type != '8') check_report(report, name, trade);
    Asked* const waiting = asked_as(name);
    if (waiting == nullptr) return follow(report, name, nullptr);
    const Asked asked = answered(*waiting);
    if (type == '8')
        tally_->error(tally_->refused, fmt::format("client {}: order {} was refused: {}", number_,
                                                   name, report.text_or_empty(tag::text)));
    follow(report, name, &asked);
}

void FixLoadClient::violation(std::string_view rule) {
    tally_->error(tally_->violations, fmt::format("client {}: {}", number_, rule));
}

void FixLoadClient::check_report(const Message& report, std::uint64_t name, bool trade) {
    const auto time = report.timestamp(tag::transact_time);
    if (time) {
        if (*time < last_time_) violation("report times must not go back");
        last_time_ = std::max(last_time_, *time);
        constexpr std::int64_t k_slack_ns = 2'000'000;
        if (settings_->same_clock && time->value > system_time_ns() + k_slack_ns)
            violation("a report must not precede the event's time");
    }
    if (!trade) return;
    constexpr int k_digits = 6;
    constexpr std::int64_t k_micros_a_cent = 10'000;
    const auto price = report.decimal(tag::last_px, k_digits);
    const auto quantity = report.decimal(tag::last_qty, 0);
    const auto side = report.character(tag::side);
    if (!time || !price || !quantity || !side)
        return violation("a trade without price or quantity");
    const bool buy = *side == '1';
    tally_->trades.add(buy, static_cast<std::uint64_t>(time->value),
                       static_cast<std::uint64_t>(*price), static_cast<std::uint64_t>(*quantity));
    const LiveOrder* const order = find(name);
    if (order == nullptr) return;
    const std::int64_t limit = order->price_e2 * k_micros_a_cent;
    if (order->price_e2 == 0) return;
    if (buy ? *price > limit : *price < limit)
        violation("a trade price must not be worse than the order's limit");
}

/// Applies a report to an order, which has a new ClOrdID if the report answers a cancel or replace.
void FixLoadClient::follow(const Message& report, std::uint64_t name, const Asked* asked) {
    const auto left = report.decimal(tag::leaves_qty, 0);
    const auto filled = report.decimal(tag::cum_qty, 0);
    if (!left || !filled) {
        tally_->error(tally_->violations,
                      fmt::format("client {}: a report without LeavesQty or CumQty", number_));
        return;
    }
    const bool is_new = asked != nullptr && asked->kind == RequestKind::new_order;
    LiveOrder* order = find(asked != nullptr && !is_new ? asked->order : name);
    if (is_new) {
        last_accepted_ = name;
        last_side_ = asked->side;
        if (asked->price_e2 == 0) market_trades_ = *left == 0;
        if (*left > 0)
            live_.push_back({.name = name,
                             .filled = *filled,
                             .price_e2 = asked->price_e2,
                             .side = asked->side});
        return;
    }
    if (order == nullptr) return;  // a market order, or one that ended while being cancelled
    const bool asked_for = asked != nullptr && report.character(tag::exec_type) != '8';
    if (asked_for) tally_->found += ending_ ? 0 : 1;
    if (*left == 0) return remove(*order);
    order->filled = *filled;
    if (asked == nullptr) return;
    order->price_e2 = asked->price_e2;
    order->name = last_accepted_ = name;
    last_side_ = order->side;
    order->asked = false;
}

void FixLoadClient::on_cancel_reject(const Message& reject) {
    Asked* const waiting = asked_as(name_in(reject));
    if (waiting == nullptr) return;
    const Asked asked = answered(*waiting);
    // Filled in the meantime: completely, or up to the new quantity.
    const auto reason = reject.integer(tag::cxl_rej_reason);
    LiveOrder* const order = find(asked.order);
    if (reason && (*reason == 0 || (*reason == 1 && order == nullptr))) {
        tally_->not_found += 1;
        if (order != nullptr) order->asked = false;
        return;
    }
    // The present phase does not take it. At the end it is not asked again.
    if (order != nullptr) {
        tally_->not_taken += 1;
        order->asked = ending_;
        return;
    }
    tally_->error(tally_->refused, fmt::format("client {}: request {} was refused: {}", number_,
                                               asked.name, reject.text_or_empty(tag::text)));
}

}  // namespace damrak::client
