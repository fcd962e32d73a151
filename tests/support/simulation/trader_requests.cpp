// Valid and invalid requests of a trader, and the expected answers to invalid ones.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <damrak/base/byte_order.hpp>

#include "support/simulation/trader.hpp"

namespace damrak::simulation {

using namespace wire::binary;

namespace {

constexpr std::uint8_t k_invalid = 2;
constexpr std::uint8_t k_order_out_of_order = 3;
constexpr std::uint8_t k_modify_out_of_order = 5;
constexpr std::uint16_t k_unknown_type = 1;
constexpr std::size_t k_type_at = 0;
constexpr std::size_t k_sequence_at = 4;

}  // namespace

// Sends the encoded request, with another client's id if given.
void Trader::push(Request request, std::size_t length, std::uint64_t client_id) {
    const auto bytes = std::span{memory_}.first(length);
    if (client_id != 0) store_be(bytes.subspan(k_header_length).data(), client_id);
    outgoing_.insert(outgoing_.end(), bytes.begin(), bytes.end());
    last_sent_.assign(bytes.begin(), bytes.end());
    conversation_->ask(std::move(request));
}

void Trader::ask(std::uint64_t now_us) {
    if (!logged_in_ || asked_to_leave_ || finished_) return;
    // A used number is ignored silently.
    if (plan_.version == Version::v2 && !last_sent_.empty() && chance(plan_.wrong_percent))
        outgoing_.insert(outgoing_.end(), last_sent_.begin(), last_sent_.end());
    const std::uint32_t what = random_.below(100);
    if (what < 60) {
        ask_order(now_us);
    } else if (what < 78) {
        ask_cancel();
    } else if (what < 93) {
        ask_modify();
    } else if (what < 97) {
        if (plan_.version == Version::v1) beat();
    } else if (what < 99) {
        ask_nonsense();
    } else {
        ask_logout();
    }
}

void Trader::ask_hello() {
    push({.asked = Asked::hello},
         speech_.hello(memory_, plan_.keyed ? key_of(client_number_) : ApiKey{}));
}

void Trader::ask_logout() {
    asked_to_leave_ = true;
    push({.asked = Asked::logout}, speech_.logout(memory_));
}

void Trader::beat() {
    const std::size_t length = speech_.heartbeat(memory_);
    outgoing_.insert(outgoing_.end(), memory_.begin(),
                     memory_.begin() + static_cast<std::ptrdiff_t>(length));
}

void Trader::ask_nonsense() {
    const std::size_t length = speech_.logout(memory_);
    memory_[k_type_at] = std::byte{77};
    push({.asked = Asked::nonsense, .refusal = Error{k_unknown_type}}, length);
}

OrderId Trader::some_order() {
    if (orders_.empty() || chance(plan_.wrong_percent)) return {1 + random_.below(100)};
    const std::size_t at = random_.below(static_cast<std::uint32_t>(orders_.size()));
    return orders_[at];
}

void Trader::ask_order(std::uint64_t now_us) {
    const bool v2 = plan_.version == Version::v2;
    NewOrder order{.instrument = {1 + random_.below(2)},
                   .side = static_cast<std::uint8_t>(random_.below(2)),
                   .quantity = 1 + random_.below(20),
                   .price_e2 = some_price()};
    if (chance(8)) {
        order.order_type = 1;
        order.price_e2 = 0;
    }
    if (v2) {
        order.client_order_id = {++names_};
        if (chance(30)) order.time_in_force = static_cast<std::uint8_t>(1 + random_.below(3));
        if (order.time_in_force == 3) order.good_till_us = now_us + random_.below(3'000);
    }
    Request request{.asked = Asked::new_order, .order = order};
    std::uint64_t other_client = 0;
    std::uint8_t status = k_invalid;
    bool sequence_zero = false;
    if (chance(plan_.wrong_percent)) {
        request.invalid = true;
        switch (random_.below(v2 ? 3 : 4)) {
            case 0:
                order.quantity = 0;
                break;
            case 1:
                order.instrument = {9};
                break;
            case 2:
                other_client = 99'999;
                break;
            default:
                sequence_zero = true;
                status = k_order_out_of_order;
                break;
        }
        if (!v2)
            request.refusal.emplace(OrderAck{.client_id = speech_.client_id(),
                                             .quantity = order.order_type == 0 ? order.quantity : 0,
                                             .instrument = order.instrument,
                                             .status = status});
        request.order = order;
    }
    const std::size_t length = speech_.new_order(memory_, order);
    if (sequence_zero) std::fill_n(memory_.begin() + k_sequence_at, 4, std::byte{0});
    push(std::move(request), length, other_client);
}

void Trader::ask_cancel() {
    const CancelOrder cancel{.order_id = some_order()};
    CancelOrder sent = cancel;
    if (plan_.version == Version::v2) {
        sent.instrument = instrument_of(cancel.order_id);
        sent.client_order_id = {++names_};
    }
    Request request{.asked = Asked::cancel,
                    .target = {.order_id = sent.order_id,
                               .client_order_id = sent.client_order_id,
                               .instrument = sent.instrument}};
    const bool wrong = chance(plan_.wrong_percent);
    if (wrong)
        request.refusal.emplace(CancelAck{speech_.client_id(), sent.order_id, sent.client_order_id,
                                          sent.instrument, k_invalid});
    const std::size_t length = speech_.cancel(memory_, sent);
    push(std::move(request), length, wrong ? 99'999 : 0);
}

void Trader::ask_modify() {
    const bool v2 = plan_.version == Version::v2;
    ModifyOrder modify{
        .order_id = some_order(), .quantity = 1 + random_.below(25), .price_e2 = some_price()};
    if (v2) {
        modify.instrument = instrument_of(modify.order_id);
        modify.client_order_id = {++names_};
        if (chance(10)) modify.quantity = 0;
    }
    Request request{.asked = Asked::modify, .target = modify};
    const std::size_t length = speech_.modify(memory_, modify);
    std::uint64_t other_client = 0;
    if (chance(plan_.wrong_percent)) {
        std::uint8_t status = k_invalid;
        if (v2 || random_.coin()) {
            other_client = 99'999;
        } else {
            std::fill_n(memory_.begin() + k_sequence_at, 4, std::byte{0});
            status = k_modify_out_of_order;
        }
        request.refusal.emplace(ModifyAck{.client_id = speech_.client_id(),
                                          .old_order_id = modify.order_id,
                                          .client_order_id = modify.client_order_id,
                                          .quantity = modify.quantity,
                                          .price_e2 = modify.price_e2,
                                          .instrument = modify.instrument,
                                          .status = status});
    }
    push(std::move(request), length, other_client);
}

}  // namespace damrak::simulation
