#include "support/simulation/ouch_ledger.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace damrak::simulation {

void OuchLedger::note_loss(bool logged_out) {
    // A logout that the exchange did not get is a loss.
    if (!ends_.lost_cancels || (logged_out && !ends_.logout_cancels)) return;
    for (const auto& [order, open] : open_) doomed_.insert(order);
}

void OuchLedger::note_asked(const OuchRequest& request) {
    if (!request.order.empty()) asked_[request.order] = {.request = request, .login = logins_};
    if (const auto found = open_.find(request.about); found != open_.end())
        found->second.asked_about = true;
    if (request.letter == 'C') asked_for_all_ = true;
}

const OuchRequest* OuchLedger::answered(std::uint32_t which) const {
    if (answered_.empty()) return nullptr;
    return &asked_.find(answered_[which % answered_.size()])->second.request;
}

OuchLedger::Finding OuchLedger::unanswered() const {
    for (const auto& [order, asked] : asked_)
        if (asked.request.letter == 'O' && !asked.answered)
            return fmt::format("order {} was not answered", order);
    return std::nullopt;
}

void OuchLedger::begin_session() {
    OuchLedger next{version_, ends_};
    next.logins_ = logins_;
    next.fills_ = std::move(fills_);
    *this = std::move(next);
}

// No order outlives the session, whose tokens the next one gives out again.
OuchLedger::Finding OuchLedger::on_system_event(const OuchMessage& message) {
    if (!message.ends_session())
        return std::exchange(began_, true) ? Finding{"the session begins twice"} : std::nullopt;
    ended_ = true;
    if (open_.empty()) return std::nullopt;
    return fmt::format("order {} is open behind the end", open_.begin()->first);
}

OuchLedger::Finding OuchLedger::note(const OuchMessage& message) {
    if (ended_) return fmt::format("{} comes behind the end", message.text());
    if (message.letter == 'S') return on_system_event(message);
    if (!began_) return fmt::format("the session begins with {}", message.text());
    Asked* asked = nullptr;
    switch (message.letter) {
        case 'A':
            return on_accepted(message);
        case 'U':
            return on_replaced(message);
        case 'C':
        case 'E':
            return on_less(message);
        case 'M':
            return on_modified(message);
        case 'X':
            return on_mass_cancelled(message);
        case 'J':
            return answer(asked, message, 'O');
        case 'Q':
            if (message.number == highest_ + 1) return std::nullopt;
            return fmt::format("the next reference is {} and not {}", message.number, highest_ + 1);
        default:
            return fmt::format("it did nothing for {}", message.text());
    }
}

// Each token is answered once, and by what it was asked with.
OuchLedger::Finding OuchLedger::answer(Asked*& asked, const OuchMessage& message, char letter) {
    const auto found = asked_.find(message.order);
    if (found == asked_.end() || found->second.request.letter != letter)
        return fmt::format("{} answers no request", message.text());
    asked = &found->second;
    if (std::exchange(asked->answered, true))
        return fmt::format("{} is answered twice", message.order);
    answered_.push_back(message.order);
    if (version_ == OuchVersion::v50)
        highest_ = std::max<std::uint64_t>(highest_, std::stoull(message.order));
    if (asked->login == logins_ && !doomed_.empty())
        return fmt::format("{} is answered before order {} of a lost connection was cancelled",
                           message.order, *doomed_.begin());
    return std::nullopt;
}

OuchLedger::Finding OuchLedger::on_accepted(const OuchMessage& message) {
    Asked* asked = nullptr;
    if (Finding finding = answer(asked, message, 'O')) return finding;
    const OuchRequest& request = asked->request;
    if (message.bytes != accepted_by(version_, request.bytes(version_), message))
        return fmt::format("order {} is accepted with other bytes", message.order);
    open_[message.order] = {.quantity = message.quantity,
                            .side = message.side,
                            .symbol = message.symbol,
                            .price_e4 = message.price_e4,
                            .reference = message.number,
                            .rests = request.rests};
    return std::nullopt;
}

// Its size is the one asked for, less what the order has traded.
OuchLedger::Finding OuchLedger::on_replaced(const OuchMessage& message) {
    Asked* asked = nullptr;
    if (Finding finding = answer(asked, message, 'U')) return finding;
    const auto found = open_.find(message.previous);
    const OuchRequest& request = asked->request;
    if (found == open_.end() || request.about != message.previous)
        return fmt::format("{} replaces {}, which is not open", message.order, message.previous);
    Open order = found->second;
    open_.erase(found);
    if (message.side != order.side || message.symbol != order.symbol ||
        message.price_e4 != request.price_e4 ||
        message.quantity + order.executed != request.quantity)
        return fmt::format("{} is not what {} was to become", message.text(), message.previous);
    order.quantity = message.quantity;
    order.price_e4 = message.price_e4;
    order.reference = message.number;
    order.asked_about = false;
    open_[message.order] = order;
    if (doomed_.erase(message.previous) > 0) doomed_.insert(message.order);
    return std::nullopt;
}

OuchLedger::Finding OuchLedger::on_less(const OuchMessage& message) {
    const auto found = open_.find(message.order);
    if (found == open_.end())
        return fmt::format("{} is about {}, which is not open", message.text(), message.order);
    Open& order = found->second;
    if (message.quantity == 0 || message.quantity > order.quantity)
        return fmt::format("{} takes from the {} that are left of {}", message.text(),
                           order.quantity, message.order);
    if (message.letter == 'C') {
        if (Finding finding = check_reason(order, message)) return finding;
    } else {
        const bool is_worse = order.side == 'B' ? message.price_e4 > order.price_e4
                                                : message.price_e4 < order.price_e4;
        if (is_worse) return fmt::format("{} trades at {}", message.order, message.price_e4);
        order.executed += message.quantity;
        fills_.push_back({.match = message.number,
                          .quantity = message.quantity,
                          .price_e4 = message.price_e4,
                          .side = order.side});
    }
    order.quantity -= message.quantity;
    if (order.quantity > 0) return std::nullopt;
    doomed_.erase(message.order);
    open_.erase(found);
    return std::nullopt;
}

OuchLedger::Finding OuchLedger::check_reason(const Open& order, const OuchMessage& message) const {
    const bool may_be_cancelled =
        order.asked_about || asked_for_all_ || ends_.lost_cancels || ends_.logout_cancels;
    if (message.code == 'Q' || message.code == 'E' || (message.code == 'U' && may_be_cancelled) ||
        (message.code == 'I' && !order.rests))
        return std::nullopt;
    return fmt::format("order {} is cancelled for {}", message.order, message.code);
}

OuchLedger::Finding OuchLedger::on_modified(const OuchMessage& message) {
    const auto found = open_.find(message.order);
    if (found == open_.end())
        return fmt::format("{} is about {}, which is not open", message.text(), message.order);
    Open& order = found->second;
    if (!order.asked_about || order.side == 'B' || message.side == 'B' ||
        message.quantity > order.quantity)
        return fmt::format("order {} with {} left is modified to {}{}", message.order,
                           order.quantity, message.side, message.quantity);
    order.quantity = message.quantity;
    order.side = message.side;
    return std::nullopt;
}

// It comes behind the messages of all that it cancelled.
OuchLedger::Finding OuchLedger::on_mass_cancelled(const OuchMessage& message) {
    Asked* asked = nullptr;
    if (Finding finding = answer(asked, message, 'C')) return finding;
    if (message.symbol != asked->request.symbol)
        return fmt::format("{} cancelled {}", message.text(), message.symbol);
    for (const auto& [order, open] : open_)
        if (message.symbol.empty() || message.symbol == open.symbol)
            return fmt::format("order {} is open behind {}", order, message.text());
    return std::nullopt;
}

}  // namespace damrak::simulation
