#include <damrak/client/fix_load_client.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include <damrak/base/assert.hpp>
#include <damrak/base/system_time.hpp>

namespace damrak::client {

namespace tag = fix_codec::tag;
using fix_codec::MessageTemplate;
using fix_codec::TemplateWriter;
using session::fix::Reply;

namespace {

/// For messages that may have to be resent.
constexpr session::fix::MemoryStoreSettings k_store{.bytes = std::size_t{1} << 16U,
                                                    .messages = 256};

session::fix::SessionSettings session_of(const LoadSettings& load, std::uint64_t number) {
    session::fix::SessionSettings settings;
    settings.name = {.begin_string = load.fix_version,
                     .sender_comp_id = fmt::format("{}{}", load.fix_client, number),
                     .target_comp_id = load.fix_exchange};
    settings.role = session::fix::Role::initiator;
    settings.reset_on_logon = true;  // each run starts with new numbers
    settings.validate = load.verify;
    settings.maximum_message_bytes = FixLoadClient::k_largest_request_bytes;
    settings.early_bytes = 4'096;
    const auto checked = session::fix::checked(std::move(settings));
    DAMRAK_ASSERT(checked.has_value());
    return *checked;
}

/// The common beginning of all requests: slots of the header, and the request's name.
MessageTemplate template_of(const session::fix::SessionSettings& session, std::string_view type) {
    MessageTemplate request{session.name.begin_string, type};
    request.slot(tag::msg_seq_num)
        .put(tag::sender_comp_id, session.name.sender_comp_id)
        .slot(tag::sending_time)
        .put(tag::target_comp_id, session.name.target_comp_id)
        .slot(tag::cl_ord_id);
    return request;
}
/// The common end of all requests.
void end_template(MessageTemplate& request, const std::string& symbol) {
    request.slot(tag::side).put(tag::symbol, symbol).slot(tag::transact_time);
}

std::int64_t system_microseconds() {
    return std::chrono::system_clock::now().time_since_epoch() / std::chrono::microseconds{1};
}

std::int64_t calendar_minus_steady_ns() {
    using std::chrono::nanoseconds;
    const auto calendar = std::chrono::system_clock::now().time_since_epoch();
    const auto steady = std::chrono::steady_clock::now().time_since_epoch();
    return calendar / nanoseconds{1} - steady / nanoseconds{1};
}

}  // namespace

FixLoadClient::Templates::Templates(const session::fix::SessionSettings& session,
                                    const std::string& symbol)
    : limit(template_of(session, "D")),
      market(template_of(session, "D")),
      cancel(template_of(session, "F")),
      replace(template_of(session, "G")) {
    limit.put(tag::handl_inst, "1").slot(tag::order_qty).put(tag::ord_type, "2").slot(tag::price);
    market.put(tag::handl_inst, "1").slot(tag::order_qty).put(tag::ord_type, "1");
    cancel.put(tag::order_qty, 1U).slot(tag::orig_cl_ord_id);
    replace.put(tag::handl_inst, "1").slot(tag::order_qty).put(tag::ord_type, "2");
    replace.slot(tag::orig_cl_ord_id).slot(tag::price);
    for (MessageTemplate* const request : {&limit, &market, &cancel, &replace})
        end_template(*request, symbol);
}

FixLoadClient::FixLoadClient(const LoadSettings& settings, LoadTally& tally, std::uint64_t number)
    : settings_(&settings),
      tally_(&tally),
      number_(number),
      session_settings_(session_of(settings, number)),
      templates_(session_settings_, settings.symbol),
      store_(k_store),
      memory_(std::size_t{1} << 14U),
      out_(memory_),
      session_(*this, store_, tools_, session_settings_),
      draws_(settings, number),
      choice_(mix_bits(mix_bits(settings.seed) + number)),
      window_(settings.window),
      live_limit_(k_live_orders + settings.window),
      clock_offset_ns_(calendar_minus_steady_ns()),
      names_from_(static_cast<std::uint64_t>(system_microseconds())) {
    live_.reserve(live_limit_);
}

std::size_t FixLoadClient::hello(std::span<std::byte> to, std::int64_t now_ns) {
    session_.connect(out_, time_of(now_ns));
    return take_output(to);
}

std::size_t FixLoadClient::take_output(std::span<std::byte> to) {
    const auto waiting = out_.readable();
    const std::size_t count = std::min(waiting.size(), to.size());
    std::ranges::copy(waiting.first(count), to.begin());
    out_.consume(count);
    return count;
}

std::size_t FixLoadClient::request(std::span<std::byte> to, std::int64_t from_ns) {
    return ask(from_ns) ? take_output(to) : 0;
}

std::size_t FixLoadClient::heartbeat(std::span<std::byte> to, std::int64_t now_ns) {
    session_.on_time(time_of(now_ns));
    return take_output(to);
}

FixLoadClient::Heard FixLoadClient::receive(std::span<const std::byte> bytes, std::int64_t now_ns) {
    now_ns_ = now_ns;
    const session::Received received = session_.receive(bytes, time_of(now_ns));
    if (broken())
        tally_->error(tally_->violations,
                      fmt::format("client {}: {}: {}", number_,
                                  session::fix::text(session_.ended()), session_.ended_text()));
    return {.consumed_bytes = received.consumed_bytes, .messages = received.messages};
}

void FixLoadClient::close() {
    if (outstanding_ == 0) return;
    std::uint64_t oldest = last_name_;
    for (const Asked& asked : window_)
        if (asked.name != 0) oldest = std::min(oldest, asked.name);
    tally_->error(tally_->unanswered,
                  fmt::format("client {}: no answer to ClOrdID {}", number_, oldest));
    tally_->unanswered += outstanding_ - 1;
    outstanding_ = 0;
}

FixLoadClient::LiveOrder* FixLoadClient::find(std::uint64_t name) {
    const auto found = std::ranges::find(live_, name, &LiveOrder::name);
    return found == live_.end() ? nullptr : &*found;
}

void FixLoadClient::remove(LiveOrder& order) {
    order = live_.back();
    live_.pop_back();
}

bool FixLoadClient::ask(std::int64_t from_ns) {
    if (outstanding_ == settings_->window || leaving_ || !session_.logged_on()) return false;
    now_ns_ = from_ns;
    Asked& asked = window_[(last_name_ + 1) % window_.size()];
    if (asked.name != 0) return false;  // an older request still waits for its answer
    Asked next{.from_ns = from_ns, .name = last_name_ + 1};
    if (!ending_) {
        if (!ask_drawn(next)) return false;
    } else if (LiveOrder* const order = draw_order(live_, choice_)) {
        order->asked = true;
        ask_cancel(next, order);
    } else {
        if (outstanding_ > 0) return false;
        leaving_ = true;
        session_.logout({}, time_of(from_ns));
        return true;
    }
    asked = next;
    last_name_ = next.name;
    outstanding_ += 1;
    return true;
}

// A cancel or replace without a live order names the last accepted one, which has ended or is being
// cancelled. This keeps the mix exact, and "unknown order" is an answer like any other.
bool FixLoadClient::ask_drawn(Asked& asked) {
    const RequestKind kind = draws_.kind();
    if (kind == RequestKind::new_order) {
        ask_new(asked);
    } else {
        LiveOrder* const order = draw_order(live_, choice_);
        if (order == nullptr && last_accepted_ == 0) return false;
        if (order != nullptr) order->asked = true;
        if (kind == RequestKind::cancel)
            ask_cancel(asked, order);
        else
            ask_replace(asked, order);
    }
    tally_->asked[std::to_underlying(kind)] += 1;
    draws_.take();
    return true;
}

template <class Fill>
void FixLoadClient::send(const MessageTemplate& request, Asked& asked, Fill&& fill) {
    asked.sequence = session_.next_outgoing();
    const Timestamp now = time_of(now_ns_);
    const auto precision = session_settings_.time_precision;
    session_.send_encoded(now, [&](std::span<char> room, std::uint64_t sequence) {
        TemplateWriter writer{request, room, tools_.times};
        writer.put(sequence).put_timestamp(now, precision).put(names_from_ + asked.name);
        fill(writer);
        writer.put_char(asked.side == LoadDraws::k_buy ? '1' : '2').put_timestamp(now, precision);
        return writer.finish();
    });
}

void FixLoadClient::ask_new(Asked& asked) {
    const LoadDraws::Terms terms = draws_.new_order();
    const bool market = live_.size() + outstanding_new_ >= live_limit_;
    asked.kind = RequestKind::new_order;
    asked.side = terms.side;
    asked.price_e2 = market ? 0 : terms.price_e2;
    outstanding_new_ += 1;
    send(market ? templates_.market : templates_.limit, asked, [&](TemplateWriter& order) {
        order.put(terms.quantity);
        if (!market) order.put_decimal(terms.price_e2, 2);
    });
}

void FixLoadClient::ask_cancel(Asked& asked, const LiveOrder* order) {
    asked.kind = RequestKind::cancel;
    asked.order = order != nullptr ? order->name : last_accepted_;
    asked.side = order != nullptr ? order->side : last_side_;
    send(templates_.cancel, asked,
         [&](TemplateWriter& cancel) { cancel.put(names_from_ + asked.order); });
}

void FixLoadClient::ask_replace(Asked& asked, const LiveOrder* order) {
    asked.kind = RequestKind::modify;
    asked.order = order != nullptr ? order->name : last_accepted_;
    asked.side = order != nullptr ? order->side : last_side_;
    const LoadDraws::Terms terms = draws_.modify(asked.side);
    asked.price_e2 = terms.price_e2;
    // OrderQty is the quantity of the whole order, including what was filled.
    const std::int64_t quantity = terms.quantity + (order != nullptr ? order->filled : 0);
    send(templates_.replace, asked, [&](TemplateWriter& replace) {
        replace.put(quantity).put(names_from_ + asked.order).put_decimal(terms.price_e2, 2);
    });
}

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
    if (settings_->verify && type != '8') check_report(report, name, trade);
    Asked* const waiting = asked_as(name);
    if (waiting == nullptr) return follow(report, name, nullptr);
    const Asked asked = answered(*waiting);
    if (type == '8')
        tally_->refuse(*settings_, fmt::format("client {}: order {} was refused: {}", number_, name,
                                               report.text_or_empty(tag::text)));
    else if (asked.kind == RequestKind::new_order)
        ++tally_->taken;
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
    if (buy ? *price > limit : *price < limit)
        violation("a trade price must not be worse than the order's limit");
}

/// Applies a report to an order, which has a new ClOrdID if the report answers a cancel or replace.
void FixLoadClient::follow(const Message& report, std::uint64_t name, const Asked* asked) {
    const auto left = report.decimal(tag::leaves_qty, 0);
    const auto filled = report.decimal(tag::cum_qty, 0);
    if (!left || !filled) return violation("a report without LeavesQty or CumQty");
    const bool is_new = asked != nullptr && asked->kind == RequestKind::new_order;
    LiveOrder* order = find(asked != nullptr && !is_new ? asked->order : name);
    if (is_new) {
        last_accepted_ = name;
        last_side_ = asked->side;
        if (*left > 0 && asked->price_e2 != 0)
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
    tally_->refuse(*settings_, fmt::format("client {}: request {} was refused: {}", number_,
                                           asked.name, reject.text_or_empty(tag::text)));
    if (order == nullptr) return;
    order->asked = false;
    if (ending_) remove(*order);  // it stays at the exchange
}

}  // namespace damrak::client
