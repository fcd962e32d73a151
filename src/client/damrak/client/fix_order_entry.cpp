#include <damrak/client/fix_order_entry.hpp>

#include <array>

#include <fmt/format.h>

#include <damrak/base/assert.hpp>
#include <damrak/fix_codec/tags.hpp>

namespace damrak::client {

namespace tag = fix_codec::tag;

FixOrderEntry::FixOrderEntry(std::function<Timestamp()> clock)
    : clock_(std::move(clock)), prefix_(fmt::format("{:X}", clock_().value / 1'000'000)) {}

void FixOrderEntry::begin_anew() {
    begins_ = true;
    pending_.clear();
}

std::string FixOrderEntry::who() const {
    if (session_ == nullptr) return {};
    const session::fix::SessionSettings& settings = session_->settings();
    return fmt::format("{} ({})", settings.name.sender_comp_id,
                       fix_codec::name(session_->appl_version()));
}

template <class Fill>
void FixOrderEntry::send(std::string_view msg_type, const Pending& pending, Fill&& fill) {
    DAMRAK_ASSERT(session_ != nullptr);
    const std::string name = fmt::format("{}-{}", prefix_, ++requests_);
    Pending& kept = pending_[name] = pending;
    kept.sequence = session_->next_outgoing();
    session_->send(msg_type, clock_(),
                   [&](MessageWriter& writer) { fill(writer, std::string_view{name}); });
}

void FixOrderEntry::put_order(MessageWriter& writer, const OwnOrder& order, std::uint64_t quantity,
                              std::int64_t price_e2, std::int64_t stop_e2) {
    writer.put_char(tag::handl_inst, '1').put(tag::symbol, symbols_.name(order.instrument));
    writer.put_char(tag::side, order.side == Side::buy ? '1' : '2');
    writer.put_timestamp(tag::transact_time, clock_(), session_->settings().time_precision);
    const bool stop = order.extras.is_stop();
    const char usual = price_e2 != 0 ? (stop ? '4' : '2') : (stop ? '3' : '1');
    const char type = order.extras.peg != PegReference::none ? 'P'
                      : order.extras.to_limit                ? 'K'
                                                             : usual;
    writer.put(tag::order_qty, quantity).put_char(tag::ord_type, type);
    if (price_e2 != 0) writer.put_decimal(tag::price, price_e2, 2);
    if (stop_e2 > 0) writer.put_decimal(tag::stop_px, stop_e2, 2);
}

void FixOrderEntry::put_exec_inst(MessageWriter& writer, const OrderExtras& extras) {
    constexpr std::array k_followed{'\0', 'R', 'P', 'M'};
    const char peg = k_followed.at(static_cast<std::size_t>(extras.peg));
    if (peg != '\0') return static_cast<void>(writer.put_char(tag::exec_inst, peg));
    if (extras.trail_e2 > 0) writer.put_char(tag::exec_inst, 'a');
    if (extras.post) writer.put_char(tag::exec_inst, '6');
}

/// Writes the fields that a replace leaves unchanged. The time in force is explicit, so that a
/// command means the same over both protocols: a FIX order without one is a day order.
void FixOrderEntry::put_extras(MessageWriter& writer, const OwnOrder& order) {
    constexpr std::array k_values{'0', '1', '6', '3', '4', '2', '7', '9'};
    const OrderExtras& extras = order.extras;
    if (extras.in_force || order.rests())
        writer.put_char(
            tag::time_in_force,
            k_values.at(static_cast<std::size_t>(extras.in_force.value_or(TimeInForce::gtc))));
    if (extras.in_force == TimeInForce::gtd)
        writer.put_timestamp(tag::expire_time, extras.expires, session_->settings().time_precision);
    if (extras.least > 0) writer.put(tag::min_qty, extras.least);
    if (extras.shown) writer.put(tag::max_floor, *extras.shown);
    put_exec_inst(writer, extras);
    const std::int64_t distance = extras.offset_e2 > 0 ? extras.offset_e2 : extras.trail_e2;
    const bool below = extras.offset_e2 > 0 ? order.side == Side::buy : order.side == Side::sell;
    if (distance > 0) writer.put_decimal(tag::peg_offset_value, below ? -distance : distance, 2);
}

std::string FixOrderEntry::why_not(const OrderExtras& extras) const {
    if (extras.imbalance) return "the FIX gateway has no imbalance: the OUCH gateway has";
    return extras.is_linked() ? std::string{k_links_by_binary} : "";
}

std::uint32_t FixOrderEntry::enter(InstrumentId instrument, Side side, std::uint64_t quantity,
                                   std::int64_t price_e2, const OrderExtras& extras) {
    const std::uint32_t number = ++last_number_;
    const OwnOrder& order = orders_[number] = {.number = number,
                                               .instrument = instrument,
                                               .side = side,
                                               .market = price_e2 == 0 && !extras.is_stop(),
                                               .price_e2 = price_e2,
                                               .open = quantity,
                                               .extras = extras};
    send("D", {.request = 'D', .number = number},
         [&](MessageWriter& writer, std::string_view name) {
             rename(orders_[number], name);
             writer.put(tag::cl_ord_id, name);
             put_order(writer, order, quantity, price_e2, extras.stop_e2);
             put_extras(writer, order);
         });
    return number;
}

bool FixOrderEntry::cancel(std::uint32_t number) {
    const OwnOrder* const order = in_reach(number);
    if (order == nullptr) return false;
    send(
        "F", {.request = 'F', .number = number}, [&](MessageWriter& writer, std::string_view name) {
            writer.put(tag::orig_cl_ord_id, names_[number]).put(tag::cl_ord_id, name);
            writer.put(tag::symbol, symbols_.name(order->instrument));
            writer.put_char(tag::side, order->side == Side::buy ? '1' : '2');
            writer.put_timestamp(tag::transact_time, clock_(), session_->settings().time_precision);
            writer.put(tag::order_qty, order->filled + order->open);
        });
    return true;
}

bool FixOrderEntry::modify(std::uint32_t number, std::uint64_t quantity, std::int64_t price_e2,
                           std::int64_t stop_e2) {
    const OwnOrder* const order = in_reach(number);
    if (order == nullptr) return false;
    send("G", {.request = 'G', .number = number},
         [&](MessageWriter& writer, std::string_view name) {
             writer.put(tag::orig_cl_ord_id, names_[number]).put(tag::cl_ord_id, name);
             put_order(writer, *order, order->filled + quantity,
                       price_e2 != 0 ? price_e2 : order->price_e2,
                       stop_e2 > 0 ? stop_e2 : order->extras.stop_e2);
         });
    return true;
}

/// The answer has the order's own ClOrdID.
bool FixOrderEntry::ask_status(std::uint32_t number) {
    const OwnOrder* const order = in_reach(number);
    if (order == nullptr) return false;
    pending_[names_[number]] = {
        .request = 'H', .number = number, .sequence = session_->next_outgoing()};
    session_->send("H", clock_(), [&](MessageWriter& writer) {
        writer.put(tag::cl_ord_id, names_[number]);
        writer.put(tag::symbol, symbols_.name(order->instrument));
        writer.put_char(tag::side, order->side == Side::buy ? '1' : '2');
    });
    return true;
}

void FixOrderEntry::fill_logon(Session& /*session*/, MessageWriter& logon) const {
    if (begins_) logon.put_char(tag::reset_seq_num_flag, 'Y');
}

void FixOrderEntry::on_logon(Session& session) {
    logged_on_ = true;
    tell(News::Kind::logged_in, {});
    // The missed reports will follow.
    for (auto& [number, order] : orders_)
        if (order.state == OwnOrder::State::unsure) order.state = OwnOrder::State::open;
    ask_for_symbols();
    if (std::exchange(begins_, false) && session.appl_version() >= fix_codec::ApplVersion::fix43)
        ask_for_orders();
    if (books_) ask_for_books();
}

void FixOrderEntry::ask_for_orders() {
    asks_for_orders_ = true;
    send("AF", {.request = 'A'}, [](MessageWriter& writer, std::string_view name) {
        writer.put(tag::mass_status_req_id, name).put(tag::mass_status_req_type, 7);
    });
}

/// Not stored: after a loss these requests are sent again.
void FixOrderEntry::ask_for_books() {
    for (const auto& [id, name] : symbols_.all())
        session_->send_fleeting("V", clock_(),
                                [&](MessageWriter& writer) { books_->put_request(writer, id); });
}

/// Requests all instruments; FIX.4.2 has only definitions.
void FixOrderEntry::ask_for_symbols() {
    const bool list = session_->appl_version() >= fix_codec::ApplVersion::fix43;
    asks_for_symbols_ = true;
    symbols_sent_ = 0;
    session_->send_fleeting(list ? "x" : "c", clock_(), [list](MessageWriter& writer) {
        writer.put(tag::security_req_id, "instruments");
        writer.put(list ? tag::security_list_request_type : tag::security_request_type,
                   list ? 4 : 3);
    });
}

void FixOrderEntry::on_logout(Session& /*session*/, session::fix::Ended /*why*/,
                              std::string_view /*text*/) {
    logged_on_ = asks_for_orders_ = asks_for_symbols_ = false;
    if (books_) books_->forget();
    for (auto& [number, order] : orders_)
        if (order.state == OwnOrder::State::open) order.state = OwnOrder::State::unsure;
}

OwnOrder* FixOrderEntry::find(std::uint32_t number) {
    const auto found = orders_.find(number);
    return found == orders_.end() ? nullptr : &found->second;
}

OwnOrder* FixOrderEntry::in_reach(std::uint32_t number) {
    OwnOrder* const order = find(number);
    return order != nullptr && order->rests() && order->state == OwnOrder::State::open ? order
                                                                                       : nullptr;
}

void FixOrderEntry::rename(OwnOrder& order, std::string_view name) {
    numbers_.erase(names_[order.number]);
    names_[order.number] = name;
    numbers_[std::string{name}] = order.number;
}

void FixOrderEntry::remove(std::uint32_t number) {
    numbers_.erase(names_[number]);
    names_.erase(number);
    orders_.erase(number);
}

void FixOrderEntry::finish(OwnOrder& order, News::Kind kind, std::string why) {
    order.state = OwnOrder::State::finished;
    tell(kind, order, std::move(why));
    remove(order.number);
}

}  // namespace damrak::client
