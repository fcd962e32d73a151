#include <damrak/client/fix_load_client.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include <damrak/base/assert.hpp>

namespace damrak::client {

namespace tag = fix_codec::tag;
using fix_codec::MessageTemplate;
using fix_codec::TemplateWriter;

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
    RequestKind kind = draws_.kind();
    const bool is_full = live_.size() + outstanding_new_ >= live_limit_;
    if (kind == RequestKind::new_order && is_full && !market_trades_) kind = RequestKind::cancel;
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

}  // namespace damrak::client
