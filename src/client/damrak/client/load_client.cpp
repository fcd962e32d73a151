#include <damrak/client/load_client.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <damrak/base/system_time.hpp>

namespace damrak::client {

using namespace wire::binary;

namespace {

constexpr std::uint8_t k_market = 1;
constexpr std::uint64_t k_never = ~std::uint64_t{0};

}  // namespace

LoadClient::LoadClient(const LoadSettings& settings, LoadTally& tally, std::uint64_t number)
    : settings_(&settings),
      tally_(&tally),
      number_(number),
      wire_(settings.version),
      draws_(settings, number),
      choice_(mix_bits(mix_bits(settings.seed) + number)),
      window_(settings.window),
      live_limit_(k_live_orders + settings.window) {
    live_.reserve(live_limit_);
}

LoadClient::LiveOrder* LoadClient::find(OrderId id) {
    for (LiveOrder& order : live_)
        if (order.id == id) return &order;
    const auto market = std::ranges::lower_bound(markets_, id, {}, &LiveOrder::id);
    const bool is_there = market != markets_.end() && market->id == id && market->remaining > 0;
    return is_there ? &*market : nullptr;
}

void LoadClient::remove(LiveOrder& order) {
    if (order.price_e2 == 0) {
        order.remaining = 0;
        return;
    }
    order = live_.back();
    live_.pop_back();
}

std::size_t LoadClient::request(std::span<std::byte> to, std::int64_t from_ns) {
    if (outstanding_ == settings_->window) return 0;
    const std::uint32_t at = oldest_ + outstanding_;
    Asked& asked = window_[at < settings_->window ? at : at - settings_->window];
    asked = {.from_ns = from_ns};
    const std::size_t length = ending_ ? ask_ending(to, asked) : ask_drawn(to, asked);
    if (length == 0) return 0;
    asked.sequence = wire_.sequence();
    outstanding_ += 1;
    return length;
}

std::size_t LoadClient::heartbeat(std::span<std::byte> to, std::int64_t /*now_ns*/) {
    return is_v2() ? 0 : wire_.heartbeat(to);
}

// A cancel or modify without a live order names the last accepted one, which was filled or
// cancelled. This keeps the mix exact, and "not found" is an answer like any other.
std::size_t LoadClient::ask_drawn(std::span<std::byte> to, Asked& asked) {
    const RequestKind kind = draws_.kind();
    std::size_t length = 0;
    if (kind == RequestKind::new_order) {
        length = ask_new(to, asked);
    } else {
        LiveOrder* const order = draw_order(live_, choice_);
        const OrderId id = order != nullptr ? order->id : last_order_id_;
        if (!id && !settings_->echo) return 0;  // no order was accepted yet
        if (order != nullptr) order->asked = true;
        const std::uint8_t side = order != nullptr ? order->side : LoadDraws::k_buy;
        length = kind == RequestKind::cancel ? ask_cancel(to, asked, id)
                                             : ask_modify(to, asked, id, side);
    }
    tally_->asked[std::to_underlying(kind)] += 1;
    draws_.take();
    return length;
}

std::size_t LoadClient::ask_new(std::span<std::byte> to, Asked& asked) {
    const LoadDraws::Terms terms = draws_.new_order();
    const bool market = live_.size() + outstanding_new_ >= live_limit_;
    asked.kind = RequestKind::new_order;
    asked.side = terms.side;
    asked.price_e2 = market ? 0 : terms.price_e2;
    asked.quantity = terms.quantity;
    outstanding_new_ += 1;
    return wire_.new_order(to, {.client_order_id = ClientOrderId{wire_.sequence() + 1},
                                .instrument = settings_->instrument,
                                .side = asked.side,
                                .order_type = market ? k_market : std::uint8_t{0},
                                .quantity = asked.quantity,
                                .price_e2 = asked.price_e2,
                                .good_till_us = k_never});
}

std::size_t LoadClient::ask_cancel(std::span<std::byte> to, Asked& asked, OrderId id) {
    asked.kind = RequestKind::cancel;
    asked.order_id = id;
    constexpr std::size_t k_tail =
        k_capture_cancel_order_length - Layout<Version::v1, CancelOrder>::k_length;
    return wire_.cancel(to,
                        {.order_id = id,
                         .client_order_id = ClientOrderId{wire_.sequence() + 1},
                         .instrument = settings_->instrument},
                        settings_->capture ? k_tail : 0);
}

std::size_t LoadClient::ask_modify(std::span<std::byte> to, Asked& asked, OrderId id,
                                   std::uint8_t side) {
    const LoadDraws::Terms terms = draws_.modify(side);
    asked.kind = RequestKind::modify;
    asked.order_id = id;
    asked.price_e2 = terms.price_e2;
    asked.quantity = terms.quantity;
    return wire_.modify(to, {.order_id = id,
                             .client_order_id = ClientOrderId{wire_.sequence() + 1},
                             .quantity = asked.quantity,
                             .price_e2 = asked.price_e2,
                             .instrument = settings_->instrument});
}

std::size_t LoadClient::ask_ending(std::span<std::byte> to, Asked& asked) {
    if (LiveOrder* const order = draw_order(live_, choice_)) {
        order->asked = true;
        return ask_cancel(to, asked, order->id);
    }
    if (outstanding_ > 0 || logged_out_) return 0;
    asked.kind = RequestKind::logout;
    return wire_.logout(to);
}

Heard LoadClient::receive(std::span<const std::byte> bytes, std::int64_t now_ns) {
    now_ns_ = now_ns;
    if (settings_->same_clock) {
        calendar_ns_ = system_time_ns();
        calendar_ahead_ns_ = std::min(calendar_ahead_ns_, calendar_ns_ - now_ns);
    }
    const Heard heard = wire_.receive(bytes, *this);
    broken_ = heard.fault != Fault::none;
    if (broken_) violation("bytes that are not a message of the protocol");
    return heard;
}

void LoadClient::close() {
    if (outstanding_ == 0) return;
    tally_->error(tally_->unanswered, fmt::format("client {}: no answer to request {}", number_,
                                                  window_[oldest_].sequence));
    tally_->unanswered += outstanding_ - 1;
    outstanding_ = 0;
}

}  // namespace damrak::client
