#include <damrak/client/ouch_load_client.hpp>

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <damrak/base/assert.hpp>
#include <damrak/wire/ouch/decode.hpp>
#include <damrak/wire/ouch/encode.hpp>

namespace damrak::client {

namespace ouch = wire::ouch;
namespace soupbin = wire::soupbin;
namespace v50 = wire::ouch::v50;
using soupbin::PacketType;

namespace {

constexpr std::uint32_t k_e4_of_e2 = 100;
constexpr char k_day = '0';
constexpr char k_immediate = '3';

}  // namespace

OuchLoadClient::OuchLoadClient(const LoadSettings& settings, LoadTally& tally, std::uint64_t number)
    : settings_(&settings),
      tally_(&tally),
      number_(number),
      draws_(settings, number),
      choice_(mix_bits(mix_bits(settings.seed) + number)),
      live_limit_(k_live_orders + settings.window) {
    const auto symbol = ouch::Symbol::from(settings.symbol);
    DAMRAK_ASSERT(symbol.has_value());
    symbol_ = *symbol;
    asked_.reserve(settings.window);
    live_.reserve(live_limit_);
}

template <class M>
std::size_t OuchLoadClient::write(const M& message, std::span<std::byte> to) const {
    std::array<std::byte, ouch::k_longest_message> bytes;
    const std::size_t length = ouch::encode(message, bytes);
    return soupbin::encode(PacketType::unsequenced_data, std::span{bytes}.first(length), to);
}

std::size_t OuchLoadClient::hello(std::span<std::byte> to, std::int64_t /*now_ns*/) {
    const std::size_t login =
        soupbin::encode_login_request(fmt::format("L{:05}", number_), "", "", 0, to);
    return login + write(v50::AccountQuery{}, to.subspan(login));
}

std::size_t OuchLoadClient::request(std::span<std::byte> to, std::int64_t from_ns) {
    if (ended_ || broken_ || !logged_in() || asked_.size() == settings_->window) return 0;
    LiveOrder* const order = draw_order(live_, choice_);
    if (ending_) {
        if (order != nullptr) return ask_cancel(to, from_ns, *order);
        if (!asked_.empty()) return 0;
        ended_ = true;
        return soupbin::encode(PacketType::logout_request, to);
    }
    const RequestKind kind = draws_.kind();
    // A cancel without an order waits for one; if no answers are pending, a new order is entered.
    if (kind != RequestKind::new_order && order == nullptr)
        return asked_.empty() ? ask_new(to, from_ns) : 0;
    tally_->asked[std::to_underlying(kind)] += kind == RequestKind::new_order ? 0 : 1;
    draws_.take();
    if (kind == RequestKind::new_order) return ask_new(to, from_ns);
    return kind == RequestKind::cancel ? ask_cancel(to, from_ns, *order)
                                       : ask_replace(to, from_ns, *order);
}

std::size_t OuchLoadClient::ask_new(std::span<std::byte> to, std::int64_t from_ns) {
    const LoadDraws::Terms terms = draws_.new_order();
    const bool rests = live_.size() + outstanding_new_ < live_limit_;
    const std::uint32_t reference = next_reference_++;
    tally_->asked[std::to_underlying(RequestKind::new_order)] += 1;
    outstanding_new_ += 1;
    asked_.push_back({.from_ns = from_ns,
                      .reference = reference,
                      .price_e2 = terms.price_e2,
                      .kind = RequestKind::new_order,
                      .side = terms.side,
                      .rests = rests});
    return write(v50::EnterOrder{.user_ref = reference,
                                 .side = terms.side == LoadDraws::k_buy ? 'B' : 'S',
                                 .quantity = terms.quantity,
                                 .symbol = symbol_,
                                 .price_e4 = std::uint64_t{terms.price_e2} * k_e4_of_e2,
                                 .time_in_force = rests ? k_day : k_immediate,
                                 .display = 'Y',
                                 .capacity = 'P',
                                 .iso = 'N',
                                 .cross_type = 'N',
                                 .cl_ord_id = {},
                                 .appendage = {}},
                 to);
}

std::size_t OuchLoadClient::ask_cancel(std::span<std::byte> to, std::int64_t from_ns,
                                       LiveOrder& order) {
    order.asked = true;
    asked_.push_back(
        {.from_ns = from_ns, .reference = order.reference, .kind = RequestKind::cancel});
    return write(v50::CancelOrder{.user_ref = order.reference, .quantity = 0, .appendage = {}}, to);
}

std::size_t OuchLoadClient::ask_replace(std::span<std::byte> to, std::int64_t from_ns,
                                        LiveOrder& order) {
    const LoadDraws::Terms terms = draws_.modify(order.side);
    order.asked = true;
    asked_.push_back({.from_ns = from_ns,
                      .reference = order.reference,
                      .fresh = next_reference_,
                      .price_e2 = terms.price_e2,
                      .kind = RequestKind::modify,
                      .side = order.side});
    return write(v50::ReplaceOrder{.orig_user_ref = order.reference,
                                   .user_ref = next_reference_++,
                                   .quantity = terms.quantity,
                                   .price_e4 = std::uint64_t{terms.price_e2} * k_e4_of_e2,
                                   .time_in_force = k_day,
                                   .display = 'Y',
                                   .iso = 'N',
                                   .cl_ord_id = {},
                                   .appendage = {}},
                 to);
}

std::size_t OuchLoadClient::heartbeat(std::span<std::byte> to, std::int64_t /*now_ns*/) {
    return soupbin::encode(PacketType::client_heartbeat, to);
}

OuchLoadClient::Heard OuchLoadClient::receive(std::span<const std::byte> bytes,
                                              std::int64_t now_ns) {
    now_ns_ = now_ns;
    Heard heard;
    while (!broken_ && heard.consumed_bytes < bytes.size()) {
        const auto packet = soupbin::decode(bytes.subspan(heard.consumed_bytes));
        if (packet && packet->bytes == 0) break;
        if (!packet || !take(*packet)) {
            broken_ = true;
            violation("the stream cannot be read");
            break;
        }
        heard.consumed_bytes += packet->bytes;
        heard.messages += std::size_t{logged_in()};
    }
    return heard;
}

bool OuchLoadClient::take(const soupbin::Packet& packet) {
    switch (packet.type) {
        case PacketType::login_rejected:
            broken_ = true;
            tally_->error(tally_->refused,
                          fmt::format("client {}: the login was rejected", number_));
            return true;
        case PacketType::sequenced_data: {
            const auto message = ouch::decode<v50::Outbound>(packet.payload);
            if (!message) return false;
            std::visit([this](const auto& one) { on(one); }, *message);
            return true;
        }
        case PacketType::login_accepted:
        case PacketType::server_heartbeat:
        case PacketType::debug:
        case PacketType::end_of_session:
            return true;
        default:
            return false;
    }
}

void OuchLoadClient::on(const v50::AccountAnswer& answer) {
    next_reference_ = answer.next_user_ref;
}

void OuchLoadClient::on(const v50::Accepted& accepted) {
    const Asked asked = answered(accepted.user_ref, true);
    if (asked.reference == 0) return violation("an Accepted that was not asked for");
    ++tally_->taken;
    if (accepted.order_state == 'L' && asked.rests)
        live_.push_back({.reference = accepted.user_ref,
                         .remaining = accepted.quantity,
                         .price_e2 = asked.price_e2,
                         .side = asked.side});
}

void OuchLoadClient::on(const v50::Replaced& replaced) {
    const Asked asked = answered(replaced.orig_user_ref, false);
    LiveOrder* const order = find(replaced.orig_user_ref);
    if (asked.fresh != replaced.user_ref || order == nullptr)
        return violation("a Replaced that was not asked for");
    tally_->found += 1;
    *order = {.reference = replaced.user_ref,
              .remaining = replaced.quantity,
              .price_e2 = asked.price_e2,
              .side = asked.side};
    if (replaced.order_state != 'L') reduce(replaced.user_ref, replaced.quantity, false);
}

void OuchLoadClient::on(const v50::Canceled& canceled) {
    reduce(canceled.user_ref, canceled.quantity, canceled.reason == 'U');
}

void OuchLoadClient::on(const v50::AiqCanceled& canceled) {
    reduce(canceled.user_ref, canceled.decrement_shares, false);
}

void OuchLoadClient::on(const v50::Executed& executed) {
    if (tally_->recording) tally_->trade_messages += 1;
    if (settings_->verify) check_trade(executed);
    reduce(executed.user_ref, executed.quantity, false);
}

void OuchLoadClient::on(const v50::Rejected& rejected) {
    Asked asked = answered(rejected.user_ref, true);
    if (asked.reference == 0)
        for (const Asked& one : asked_)
            if (one.fresh == rejected.user_ref) asked = one;
    if (asked.kind == RequestKind::modify) {
        static_cast<void>(answered(asked.reference, false));
        if (LiveOrder* const order = find(asked.reference)) order->asked = false;
    }
    tally_->refuse(*settings_, fmt::format("client {}: order {} was rejected: {:#04x}", number_,
                                           rejected.user_ref, rejected.reason));
}

void OuchLoadClient::on(const v50::CancelReject& rejected) {
    static_cast<void>(answered(rejected.user_ref, false));
    tally_->refuse(*settings_, fmt::format("client {}: the cancel of order {} was rejected",
                                           number_, rejected.user_ref));
    LiveOrder* const order = find(rejected.user_ref);
    if (order == nullptr) return;
    order->asked = false;
    if (ending_) remove(*order);  // it stays at the exchange
}

OuchLoadClient::LiveOrder* OuchLoadClient::find(std::uint32_t reference) {
    const auto found = std::ranges::find(live_, reference, &LiveOrder::reference);
    return found == live_.end() ? nullptr : &*found;
}

void OuchLoadClient::reduce(std::uint32_t reference, std::uint32_t quantity, bool asked_for) {
    LiveOrder* const order = find(reference);
    if (order == nullptr) return;  // a market order, which never rests
    if (quantity > order->remaining) return violation("more than was left of an order");
    order->remaining -= quantity;
    if (order->remaining > 0) return;
    if (order->asked) {
        const Asked asked = answered(reference, false);
        const bool done = asked_for && asked.kind == RequestKind::cancel;
        if (!ending_) ++(done ? tally_->found : tally_->not_found);
    }
    remove(*order);
}

void OuchLoadClient::remove(LiveOrder& order) {
    order = live_.back();
    live_.pop_back();
}

OuchLoadClient::Asked OuchLoadClient::answered(std::uint32_t reference, bool is_new) {
    const auto found = std::ranges::find_if(asked_, [&](const Asked& one) {
        return one.reference == reference && (one.kind == RequestKind::new_order) == is_new;
    });
    if (found == asked_.end()) return {};
    const Asked asked = *found;
    asked_.erase(found);
    if (is_new) outstanding_new_ -= 1;
    tally_->all_answers += 1;
    if (tally_->recording) {
        tally_->answers += 1;
        tally_->latency_ns[std::to_underlying(asked.kind)].record(
            static_cast<std::uint64_t>(std::max<std::int64_t>(0, now_ns_ - asked.from_ns)));
    }
    return asked;
}

void OuchLoadClient::check_trade(const v50::Executed& executed) {
    if (executed.timestamp_ns < last_time_ns_) violation("times must not go back");
    last_time_ns_ = executed.timestamp_ns;
    const LiveOrder* const order = find(executed.user_ref);
    if (order == nullptr) return;
    const std::uint64_t limit_e4 = std::uint64_t{order->price_e2} * k_e4_of_e2;
    if (order->side == LoadDraws::k_buy ? executed.price_e4 > limit_e4
                                        : executed.price_e4 < limit_e4)
        violation("a trade price must not be worse than the order's limit");
}

void OuchLoadClient::violation(std::string_view rule) {
    tally_->error(tally_->violations, fmt::format("client {}: {}", number_, rule));
}

void OuchLoadClient::close() {
    if (asked_.empty()) return;
    tally_->error(tally_->unanswered, fmt::format("client {}: no answer about order {}", number_,
                                                  asked_.front().reference));
    tally_->unanswered += asked_.size() - 1;
    asked_.clear();
}

}  // namespace damrak::client
