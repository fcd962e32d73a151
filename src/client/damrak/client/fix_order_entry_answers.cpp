// Handling of the FIX gateway's answers; requests are in fix_order_entry.cpp.
#include <algorithm>

#include <damrak/client/detail/cents.hpp>
#include <damrak/client/fix_order_entry.hpp>
#include <damrak/fix_codec/tags.hpp>

namespace damrak::client {

namespace tag = fix_codec::tag;
using session::fix::Reply;

namespace {

std::int64_t price_e2_in(const fix_codec::Message& message, fix_codec::Tag tag) {
    constexpr int k_digits = 6;
    constexpr std::int64_t k_unit = 10'000;  // millionths per cent
    return detail::nearest_cents(message.decimal(tag, k_digits).value_or(0), k_unit);
}

std::uint64_t quantity_in(const fix_codec::Message& message, fix_codec::Tag tag) {
    const auto value = message.decimal(tag, 0);
    return value && *value > 0 ? static_cast<std::uint64_t>(*value) : 0;
}

char character_in(const fix_codec::Message& message, fix_codec::Tag tag) {
    const auto value = message.character(tag);
    return value ? *value : '\0';
}

bool is_final(char status) {
    return status == '2' || status == '4' || status == '8' || status == 'C';
}

/// Whether the operator has busted or corrected it.
bool changes_trade(const fix_codec::Message& report) {
    const char type = character_in(report, tag::exec_type);
    const char transaction = character_in(report, tag::exec_trans_type);
    return type == 'G' || type == 'H' || transaction == '1' || transaction == '2';
}

}  // namespace

Reply FixOrderEntry::on_message(Session& /*session*/, const Message& message) {
    const std::string_view type = message.msg_type();
    if (type == "8") {
        on_report(message);
    } else if (type == "9") {
        on_cancel_reject(message);
    } else if (type == "j") {
        on_refusal(message);
    } else if (type == "y" || type == "d") {
        on_symbols(message);
    } else if (books_) {
        on_market_data(message);
    }
    return Reply::accept();
}

// In one message or several; each may contain the total number of instruments.
void FixOrderEntry::on_symbols(const Message& message) {
    const auto& dictionary = fix_codec::Dictionary::of(session_->appl_version());
    if (const auto* const layout = dictionary.group("y", tag::no_related_sym);
        message.msg_type() == "y" && layout != nullptr) {
        for (const fix_codec::Group& each : message.groups(*layout))
            learn(each.text_or_empty(tag::symbol));
    } else {
        learn(message.text_or_empty(tag::symbol));
    }
    const auto all = message.integer(tag::tot_no_related_sym);
    const auto last = message.boolean(tag::last_fragment);
    if ((last && *last) || !all || std::cmp_greater_equal(symbols_sent_, *all))
        asks_for_symbols_ = false;
}

void FixOrderEntry::learn(std::string_view symbol) {
    if (symbol.empty()) return;
    ++symbols_sent_;
    const InstrumentId id = symbols_.add(symbol);
    if (!books_ || !books_->add(id, std::string{symbol})) return;
    session_->send_fleeting("V", clock_(),
                            [&](MessageWriter& writer) { books_->put_request(writer, id); });
}

void FixOrderEntry::on_market_data(const Message& message) {
    const auto& dictionary = fix_codec::Dictionary::of(session_->appl_version());
    const std::string_view type = message.msg_type();
    if (type == "W") books_->on_snapshot(message, dictionary);
    if (type == "X") books_->on_changes(message, dictionary);
    if (type == "Y") books_->on_refusal(message);
}

void FixOrderEntry::on_admin(Session& /*session*/, const Message& message) {
    if (message.msg_type() == "3") on_refusal(message);
}

/// The order that a report concerns: by the id of the request, of the order, or of its predecessor.
OwnOrder* FixOrderEntry::order_of(const Message& message) {
    const std::string_view name = message.text_or_empty(tag::cl_ord_id);
    if (const auto asked = pending_.find(name); asked != pending_.end())
        return find(asked->second.number);
    for (const std::string_view one : {name, message.text_or_empty(tag::orig_cl_ord_id)})
        if (const auto found = numbers_.find(one); found != numbers_.end())
            return find(found->second);
    return nullptr;
}

void FixOrderEntry::on_report(const Message& report) {
    const char type = character_in(report, tag::exec_type);
    // Up to FIX.4.2 the transaction type marks a status report.
    if (type == 'I' || character_in(report, tag::exec_trans_type) == '3') return on_status(report);
    OwnOrder* const order = order_of(report);
    if (changes_trade(report)) return on_changed_trade(report, order);
    const bool is_answer = type == '0' || type == '4' || type == '5' || type == '8';
    if (is_answer) {
        const auto asked = pending_.find(report.text_or_empty(tag::cl_ord_id));
        if (asked != pending_.end()) pending_.erase(asked);
    }
    if (order != nullptr) apply(report, type, *order);
}

// Of a trade of an earlier run only the order is known, if it is open.
void FixOrderEntry::on_changed_trade(const Message& report, OwnOrder* order) {
    if (const auto found = fills_.find(report.text_or_empty(tag::exec_ref_id));
        found != fills_.end()) {
        const bool busted = character_in(report, tag::exec_type) == 'H' ||
                            character_in(report, tag::exec_trans_type) == '1';
        News& fill = found->second;
        fill.kind = News::Kind::trade_changed;
        fill.old_quantity =
            std::exchange(fill.quantity, busted ? 0 : quantity_in(report, tag::last_qty));
        fill.old_price_e2 = std::exchange(fill.price_e2, price_e2_in(report, tag::last_px));
        news_.push_back(fill);
    }
    if (order == nullptr) return;
    order->open = quantity_in(report, tag::leaves_qty);
    order->filled = quantity_in(report, tag::cum_qty);
    tell(News::Kind::modified, *order);
}

void FixOrderEntry::apply(const Message& report, char type, OwnOrder& order) {
    std::string text{report.text_or_empty(tag::text)};
    switch (type) {
        case '0': {
            order.state = OwnOrder::State::open;
            const auto id = report.integer(tag::order_id);
            if (id && *id > 0) order.id = OrderId{static_cast<std::uint64_t>(*id)};
            // Its fills or its end follow at once, or it is in a call.
            order.in_call = order.market && !order.extras.is_immediate();
            return tell(News::Kind::accepted, order);
        }
        case '8':
            return finish(order, News::Kind::refused, std::move(text));
        case 'F':
        case '1':
        case '2': {
            const std::uint64_t quantity = quantity_in(report, tag::last_qty);
            order.open = quantity_in(report, tag::leaves_qty);
            order.filled = quantity_in(report, tag::cum_qty);
            if (order.open == 0) order.state = OwnOrder::State::finished;
            news_.push_back({.kind = News::Kind::filled,
                             .order = order,
                             .quantity = quantity,
                             .price_e2 = price_e2_in(report, tag::last_px)});
            fills_.emplace(report.text_or_empty(tag::exec_id), news_.back());
            if (order.open == 0) remove(order.number);
            return;
        }
        case '4':
            if ((!order.rests() || order.in_call) && !report.has(tag::orig_cl_ord_id))
                return finish(order, News::Kind::unfilled);
            return finish(order, News::Kind::cancelled, std::move(text));
        case 'C':
            return finish(order, News::Kind::cancelled, text.empty() ? "expired" : std::move(text));
        case '5':
            rename(order, report.text_or_empty(tag::cl_ord_id));
            order.price_e2 = price_e2_in(report, tag::price);
            if (report.has(tag::stop_px)) order.extras.stop_e2 = price_e2_in(report, tag::stop_px);
            [[fallthrough]];
        case 'D':
            order.open = quantity_in(report, tag::leaves_qty);
            return tell(News::Kind::modified, order);
        default:
            return;
    }
}

/// Handles the requested state of an order, or an order of an earlier run.
void FixOrderEntry::on_status(const Message& report) {
    const std::string_view request = report.text_or_empty(tag::mass_status_req_id);
    const auto asked = pending_.find(request);
    const bool of_all = asked != pending_.end();
    if (const auto one = pending_.find(report.text_or_empty(tag::cl_ord_id));
        one != pending_.end() && one->second.request == 'H')
        pending_.erase(one);
    OwnOrder* order = order_of(report);
    const char status = character_in(report, tag::ord_status);
    if (order == nullptr && of_all && !is_final(status)) {
        const OwnOrder found = read_order(report);
        order = &(orders_[found.number] = found);
        rename(*order, report.text_or_empty(tag::cl_ord_id));
    }
    if (order != nullptr) {
        order->open = quantity_in(report, tag::leaves_qty);
        order->filled = quantity_in(report, tag::cum_qty);
        if (is_final(status)) {
            finish(*order, News::Kind::status, std::string{report.text_or_empty(tag::text)});
        } else {
            order->state = OwnOrder::State::open;
            tell(News::Kind::status, *order);
        }
    }
    const auto last = report.boolean(tag::last_rpt_requested);
    if (!of_all || (last && !*last)) return;
    pending_.erase(asked);
    asks_for_orders_ = false;
}

OwnOrder FixOrderEntry::read_order(const Message& report) {
    return OwnOrder{.number = ++last_number_,
                    .instrument = symbols_.add(report.text_or_empty(tag::symbol)),
                    .side = character_in(report, tag::side) == '1' ? Side::buy : Side::sell,
                    .state = OwnOrder::State::open,
                    .price_e2 = price_e2_in(report, tag::price),
                    .extras = {.stop_e2 = price_e2_in(report, tag::stop_px)}};
}

void FixOrderEntry::on_cancel_reject(const Message& reject) {
    OwnOrder* const order = order_of(reject);
    const auto asked = pending_.find(reject.text_or_empty(tag::cl_ord_id));
    if (asked == pending_.end()) return;
    const Pending pending = asked->second;
    pending_.erase(asked);
    const auto kind =
        pending.request == 'F' ? News::Kind::cancel_refused : News::Kind::modify_refused;
    std::string text{reject.text_or_empty(tag::text)};
    // The end of the order was reported before.
    if (order == nullptr) return tell(kind, {.number = pending.number}, std::move(text));
    if (is_final(character_in(reject, tag::ord_status)))
        return finish(*order, kind, std::move(text));
    tell(kind, *order, std::move(text));
}

/// Reject or BusinessMessageReject: identifies the request by its sequence number.
void FixOrderEntry::on_refusal(const Message& message) {
    const auto sequence = message.integer(tag::ref_seq_num);
    const auto asked = std::ranges::find_if(pending_, [&](const auto& each) {
        return sequence && std::cmp_equal(each.second.sequence, *sequence);
    });
    if (books_ && message.text_or_empty(tag::ref_msg_type) == "V")
        return books_->on_refusal(message);
    std::string text{message.text_or_empty(tag::text)};
    const std::string_view refused = message.text_or_empty(tag::ref_msg_type);
    if (refused == "x" || refused == "c") asks_for_symbols_ = false;
    if (asked == pending_.end()) return tell(News::Kind::error, {}, std::move(text));
    const Pending pending = asked->second;
    pending_.erase(asked);
    if (pending.request == 'A') {
        asks_for_orders_ = false;  // there are none
        return;
    }
    OwnOrder* const order = find(pending.number);
    if (order != nullptr && pending.request == 'D')
        return finish(*order, News::Kind::refused, std::move(text));
    tell(News::Kind::error, order == nullptr ? OwnOrder{} : *order, std::move(text));
}

}  // namespace damrak::client
