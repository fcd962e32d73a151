#include "support/simulation/conversation.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

namespace damrak::simulation {

namespace {

using namespace wire::binary;

struct Describer {
    std::string operator()(const Hello&) const { return "hello"; }
    std::string operator()(const Heartbeat&) const { return "heartbeat"; }
    std::string operator()(const Logout&) const { return "logout"; }
    std::string operator()(const SessionTimeout&) const { return "session_timeout"; }
    std::string operator()(const Error& m) const { return fmt::format("error {}", m.code); }
    std::string operator()(const HelloAck& m) const {
        return fmt::format("hello_ack {} client {}", m.status, m.client_id.value);
    }
    std::string operator()(const LogoutAck& m) const {
        return fmt::format("logout_ack {} client {}", m.status, m.client_id.value);
    }
    std::string operator()(const NewOrder& m) const {
        return fmt::format("new_order i{} side {} type {} tif {} {}@{} c{}", m.instrument.value,
                           m.side, m.order_type, m.time_in_force, m.quantity, m.price_e2,
                           m.client_order_id.value);
    }
    std::string operator()(const CancelOrder& m) const {
        return fmt::format("cancel #{}", m.order_id.value);
    }
    std::string operator()(const ModifyOrder& m) const {
        return fmt::format("modify #{} {}@{}", m.order_id.value, m.quantity, m.price_e2);
    }
    std::string operator()(const OrderAck& m) const {
        return fmt::format("order_ack {} #{} {}@{} i{} c{} time {}", m.status, m.order_id.value,
                           m.quantity, m.price_e2, m.instrument.value, m.client_order_id.value,
                           m.server_time_us);
    }
    std::string operator()(const CancelAck& m) const {
        return fmt::format("cancel_ack {} #{} i{} c{}", m.status, m.order_id.value,
                           m.instrument.value, m.client_order_id.value);
    }
    std::string operator()(const ModifyAck& m) const {
        return fmt::format("modify_ack {} #{}>#{} {}@{} i{} c{}", m.status, m.old_order_id.value,
                           m.new_order_id.value, m.quantity, m.price_e2, m.instrument.value,
                           m.client_order_id.value);
    }
    std::string operator()(const Trade& m) const {
        return fmt::format("trade {} #{} {}@{} c{} time {}", m.trade_id, m.order_id.value,
                           m.quantity, m.price_e2, m.client_order_id.value, m.timestamp_us);
    }
    // Traders neither quote nor link orders.
    std::string operator()(const auto&) const { return "a message of quotes or links"; }
};

// Rejects are not journaled, so nobody else knows their time.
Message without_time(Message message) {
    if (auto* const ack = std::get_if<OrderAck>(&message)) ack->server_time_us = 0;
    return message;
}

Finding differ(const Message& expected, const Message& actual) {
    if (expected == actual) return std::nullopt;
    return fmt::format("expected   {}\n  but received  {}", describe(expected), describe(actual));
}

}  // namespace

std::string describe(const Message& message) { return std::visit(Describer{}, message); }

Finding Conversation::hear(const Header& header, const Message& message) {
    const auto tell = [&](const std::string& what) {
        return fmt::format("client {} (session {}): {}", client_, session.value, what);
    };
    if (over_) return tell("something came after the end of the session");
    if (header.server_sequence != ++messages_)
        return tell(
            fmt::format("answer {} carries the number {}", messages_, header.server_sequence));
    Finding finding;
    if (std::holds_alternative<SessionTimeout>(message)) {
        over_ = true;
    } else if (std::holds_alternative<Trade>(message)) {
        finding = hear_next(message, 0);
    } else {
        finding = hear_answer(message);
    }
    return finding ? Finding{tell(*finding)} : std::nullopt;
}

Finding Conversation::hear_answer(const Message& message) {
    if (unanswered() == 0) return "received an answer without a request: " + describe(message);
    const Request& request = requests_[answered_++];
    if (request.refusal) return differ(*request.refusal, without_time(message));
    return hear_next(message, answered_);
}

const Message* Conversation::next_unreported() const {
    for (std::size_t i = heard_; i < answers_.size(); ++i)
        if (!answers_[i].instead) return &answers_[i].message;
    return nullptr;
}

void Conversation::pass_over_trades_of_others(const Message& message) {
    while (heard_ < answers_.size() && answers_[heard_].instead &&
           (*answers_[heard_].told || answers_[heard_].message != message))
        ++heard_;
}

Finding Conversation::hear_next(const Message& heard, std::uint64_t request) {
    Message message = heard;
    if (auto* const trade = std::get_if<Trade>(&message); trade != nullptr) {
        ++trades_;
        if (version_ == Version::v1 && std::exchange(trade->trade_id, 0) != trades_)
            return fmt::format("its trade {} has a wrong number: {}", trades_, describe(heard));
    }
    pass_over_trades_of_others(message);
    if (heard_ == answers_.size())
        return "received what is not in the journal: " + describe(message);
    const Answer& answer = answers_[heard_++];
    acknowledged_ = std::max(acknowledged_, answer.record);
    if (Finding finding = differ(answer.message, message)) return finding;
    if (answer.told && std::exchange(*answer.told, true))
        return "received a trade that another connection received: " + describe(heard);
    if (answer.request != request)
        return fmt::format("received the answer to its request {} instead of {}", answer.request,
                           request);
    return std::nullopt;
}

}  // namespace damrak::simulation
