#include "support/simulation/ouch_customer.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include <damrak/wire/ouch/encode.hpp>

namespace damrak::simulation {

namespace {

namespace ouch = wire::ouch;
namespace v42 = wire::ouch::v42;
namespace v50 = wire::ouch::v50;
using session::SoupState;

using OuchVersion = session::ouch::Version;

constexpr std::uint32_t k_ouch_day = 99'998;

template <std::size_t n>
ouch::Alpha<n> alpha(std::string_view text) {
    return *ouch::Alpha<n>::from(text);
}
std::uint32_t ref(const std::string& order) {
    return order.empty() ? 0 : static_cast<std::uint32_t>(std::stoul(order));
}

}  // namespace

OuchCustomer::OuchCustomer(std::uint32_t number, std::uint64_t seed, OuchVersion version)
    : random_(seed),
      name_(fmt::format("U{}", number)),
      version_(version),
      memory_(2'000),
      rules_{.most_delay_ns = 1'000'000 + random_.below(20'000'000),
             .window_bytes = 2'000 + random_.below(6'000),
             .part_percent = random_.below(60)} {
    begin(1);
}

void OuchCustomer::begin(std::uint64_t next) {
    session::SoupCredentials login{.next = next};
    std::ranges::copy(name_, login.user.begin());
    client_ = std::make_unique<Client>(*this, out_, session::SoupClientConfig{}, login);
}

std::optional<std::string> OuchCustomer::step(sim::Network& network, Timestamp now, bool troubled) {
    if (!socket_.open()) {
        if (random_.below(6) == 0) {
            socket_ = network.connect(rules_);
            if (socket_.open()) {
                out_ = session::OutputBuffer{memory_};
                inbox_.clear();
                client_->connect(now);
            }
        }
    } else {
        move_bytes(now);
    }
    if (troubled) trade(now);
    if (socket_.open()) {
        client_->on_time(now);
        if (client_->over()) complain(fmt::format("its login at {} is rejected", client_->next()));
        if (!client_->fault().empty()) complain(std::string{client_->fault()});
        const bool lost = client_->state() == SoupState::lost;
        if (lost || (troubled && random_.below(150) == 0)) lose(troubled && random_.below(4) == 0);
    }
    if (!complaint_) return std::nullopt;
    return fmt::format("{}: {}", name_, *complaint_);
}

void OuchCustomer::complain(std::string what) {
    if (!complaint_) complaint_ = std::move(what);
}

void OuchCustomer::move_bytes(Timestamp now) {
    std::array<std::byte, 4'096> room{};
    const auto got = socket_.receive(room);
    inbox_.insert(inbox_.end(), room.begin(),
                  room.begin() + static_cast<std::ptrdiff_t>(got.bytes));
    const auto done = client_->on_bytes(inbox_, now);
    inbox_.erase(inbox_.begin(), inbox_.begin() + static_cast<std::ptrdiff_t>(done.consumed_bytes));
    while (unsent_ > 0 && client_->send(unanswered_[unanswered_.size() - unsent_].bytes, now))
        --unsent_;
    const auto waiting = out_.readable();
    if (!waiting.empty()) out_.consume(socket_.send(waiting));
    if (got.closed) lose(false);
}

void OuchCustomer::lose(bool dies) {
    ++losses_;
    const std::uint32_t how = random_.below(10);
    if (how < 5)
        socket_.close();
    else if (how < 9)
        socket_.reset();
    else
        socket_.vanish();
    socket_ = {};
    unsent_ = 0;
    if (!dies) return client_->disconnected();
    ++deaths_;
    begin(1 + random_.below(static_cast<std::uint32_t>(messages_.size()) + 1));
}

// It does not know which of these the exchange received.
void OuchCustomer::on_accepted(std::string_view /*session*/, std::uint64_t /*next*/) {
    unsent_ = unanswered_.size();
    resent_ += unsent_;
}

void OuchCustomer::on_message(std::uint64_t number, std::span<const std::byte> bytes) {
    const auto message = read_ouch(version_, bytes);
    if (!message) return complain(fmt::format("message {} cannot be read", number));
    if (number > messages_.size() + 1)
        return complain(fmt::format("message {} comes after {}", number, messages_.size()));
    if (number == messages_.size() + 1) {
        messages_.push_back(*message);
        return note(*message);
    }
    ++repeated_;
    if (const OuchMessage& before = messages_[number - 1]; before != *message)
        complain(fmt::format("message {} was \"{}\" and is \"{}\"", number, before.text(),
                             message->text()));
}

void OuchCustomer::note(const OuchMessage& message) {
    // The answers to later requests imply the earlier ones: references increase.
    const auto is_answered = [&](const Request& request) {
        if (message.letter == 'C' || message.letter == 'E')
            return request.about == message.order && !open_.contains(message.order);
        const bool names = message.letter == 'A' || message.letter == 'U' ||
                           message.letter == 'J' || message.letter == 'X';
        return (names && !message.order.empty() && request.order == message.order) ||
               (message.letter == 'U' && request.about == message.previous);
    };
    switch (message.letter) {
        case 'A':
            open_[message.order] = {.quantity = message.quantity, .side = message.side};
            break;
        case 'U':
            open_.erase(message.previous);
            open_[message.order] = {.quantity = message.quantity, .side = message.side};
            break;
        case 'C':
        case 'E':
            if (const auto found = open_.find(message.order); found != open_.end()) {
                if (message.quantity > found->second.quantity)
                    return complain(fmt::format("more than is left of order {}", message.order));
                found->second.quantity -= message.quantity;
                if (found->second.quantity == 0) open_.erase(found);
            }
            break;
        default:
            break;
    }
    for (std::size_t i = unanswered_.size(); i > 0; --i) {
        if (!is_answered(unanswered_[i - 1])) continue;
        if (unanswered_.size() - (i - 1) <= unsent_) --unsent_;
        unanswered_.erase(unanswered_.begin() + static_cast<std::ptrdiff_t>(i) - 1);
    }
}

std::string OuchCustomer::next_order() {
    ++requests_;
    return version_ == OuchVersion::v42 ? fmt::format("T{}", requests_) : fmt::to_string(requests_);
}

template <class M>
void OuchCustomer::ask(std::string order, std::string about, const M& message) {
    std::vector<std::byte> bytes(ouch::k_longest_message);
    bytes.resize(ouch::encode(message, bytes));
    unanswered_.push_back(
        {.order = std::move(order), .about = std::move(about), .bytes = std::move(bytes)});
    if (logged_in()) ++unsent_;
}

/// With or without a connection: requests that cannot be sent now are sent after the next login.
void OuchCustomer::trade(Timestamp now) {
    constexpr std::size_t k_most_unanswered = 60;
    if (unanswered_.size() > k_most_unanswered) return;
    if (random_.below(20) == 0) enter();
    if (random_.below(40) == 0 && !open_.empty()) {
        auto order = open_.begin();
        std::advance(order, random_.below(static_cast<std::uint32_t>(open_.size())));
        change(order->first, order->second);
    }
    if (version_ != OuchVersion::v50) return;
    if (random_.below(400) == 0) cancel_all();
    if (random_.below(300) == 0 && logged_in() && unsent_ == 0) {
        std::array<std::byte, ouch::k_longest_message> bytes;
        const std::size_t length = ouch::encode(v50::AccountQuery{}, bytes);
        static_cast<void>(client_->send(std::span{bytes}.first(length), now));
    }
}

void OuchCustomer::enter() {
    const std::string order = next_order();
    const char side = random_.coin() ? 'B' : 'S';
    const std::uint32_t quantity = 1 + random_.below(50);
    const std::uint32_t price_e4 = 100 * (995 + random_.below(10));
    const bool rests = random_.below(4) != 0;
    const auto symbol = alpha<8>(random_.coin() ? "TEST" : "AAPL");
    orders_.push_back(order);
    if (version_ == OuchVersion::v42)
        return ask(order, {},
                   v42::EnterOrder{.order_token = alpha<14>(order),
                                   .side = side,
                                   .shares = quantity,
                                   .symbol = symbol,
                                   .price_e4 = price_e4,
                                   .time_in_force = rests ? k_ouch_day : 0,
                                   .firm = {},
                                   .display = 'Y',
                                   .capacity = 'P',
                                   .iso = 'N',
                                   .cross_type = 'N',
                                   .customer_type = 'N'});
    ask(order, {},
        v50::EnterOrder{.user_ref = ref(order),
                        .side = side,
                        .quantity = quantity,
                        .symbol = symbol,
                        .price_e4 = price_e4,
                        .time_in_force = rests ? '0' : '3',
                        .display = 'Y',
                        .capacity = 'P',
                        .iso = 'N',
                        .cross_type = 'N',
                        .cl_ord_id = {},
                        .appendage = {}});
}

// Cancels it fully or partly, modifies its side, or replaces it.
void OuchCustomer::change(const std::string& order, const Open& open) {
    const bool is_42 = version_ == OuchVersion::v42;
    const auto left = static_cast<std::uint32_t>(open.quantity);
    const std::uint32_t size = random_.coin() ? 0 : random_.below(left);
    if (random_.below(4) == 0 && open.side != 'B') {
        const char side = random_.coin() ? 'T' : 'E';
        if (is_42)
            return ask(
                {}, order,
                v42::ModifyOrder{.order_token = alpha<14>(order), .side = side, .shares = left});
        return ask({}, order,
                   v50::ModifyOrder{
                       .user_ref = ref(order), .side = side, .quantity = left, .appendage = {}});
    }
    if (random_.coin()) {
        if (is_42)
            return ask({}, order,
                       v42::CancelOrder{.order_token = alpha<14>(order), .shares = size});
        return ask({}, order,
                   v50::CancelOrder{.user_ref = ref(order), .quantity = size, .appendage = {}});
    }
    const std::string fresh = next_order();
    const std::uint32_t price_e4 = 100 * (995 + random_.below(10));
    const std::uint32_t quantity = 1 + random_.below(60);
    if (is_42)
        return ask(fresh, order,
                   v42::ReplaceOrder{.existing_token = alpha<14>(order),
                                     .replacement_token = alpha<14>(fresh),
                                     .shares = quantity,
                                     .price_e4 = price_e4,
                                     .time_in_force = k_ouch_day,
                                     .display = 'Y',
                                     .iso = 'N'});
    ask(fresh, order,
        v50::ReplaceOrder{.orig_user_ref = ref(order),
                          .user_ref = ref(fresh),
                          .quantity = quantity,
                          .price_e4 = price_e4,
                          .time_in_force = '0',
                          .display = 'Y',
                          .iso = 'N',
                          .cl_ord_id = {},
                          .appendage = {}});
}

void OuchCustomer::cancel_all() {
    const std::string order = next_order();
    ask(order, {},
        v50::MassCancel{.user_ref = ref(order),
                        .firm = alpha<4>(""),
                        .symbol = alpha<8>(random_.coin() ? "" : "TEST"),
                        .appendage = {}});
}

}  // namespace damrak::simulation
