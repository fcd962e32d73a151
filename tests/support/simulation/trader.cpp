#include "support/simulation/trader.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <damrak/base/byte_order.hpp>

namespace damrak::simulation {

using namespace wire::binary;

Finding Trader::step(simulation::Network& network, std::uint64_t now_us, bool asking) {
    if (pause_ > 0) {
        --pause_;
        return std::nullopt;
    }
    if (!socket_.open()) {
        if (asking) connect(network);
        return std::nullopt;
    }
    if (stall_ > 0) {
        --stall_;
    } else if (Finding finding = receive()) {
        return finding;
    }
    if (!socket_.open()) return std::nullopt;
    if (asking) misbehave();
    if (!socket_.open()) return std::nullopt;
    const bool room = conversation_->unanswered() < plan_.window && outgoing_.empty();
    if (asking && room && chance(60)) ask(now_us);
    send();
    return std::nullopt;
}

void Trader::connect(simulation::Network& network) {
    if (conversation_) past_.push_back(std::move(conversation_));
    conversation_ = std::make_unique<Conversation>(client_number_, plan_.version);
    socket_ = network.connect(plan_.link);
    speech_ = client::BinaryClient{plan_.version};
    outgoing_.clear();
    incoming_.clear();
    last_sent_.clear();
    logged_in_ = asked_to_leave_ = finished_ = false;
    stall_ = 0;
    if (!plan_.keyed) orders_.clear();
    ask_hello();
}

void Trader::drop(void (simulation::ClientSocket::*how)()) {
    if (!socket_.open()) return;
    (socket_.*how)();
    logged_in_ = false;
    pause_ = 5 + random_.below(60);
}

Finding Trader::receive() {
    std::array<std::byte, 512> room{};
    const std::size_t wanted = chance(30) ? 1 + random_.below(40) : room.size();
    const simulation::Moved got = socket_.receive(std::span{room}.first(wanted));
    incoming_.insert(incoming_.end(), room.begin(),
                     room.begin() + static_cast<std::ptrdiff_t>(got.bytes));
    const client::Heard heard = speech_.receive(incoming_, *this);
    incoming_.erase(incoming_.begin(),
                    incoming_.begin() + static_cast<std::ptrdiff_t>(heard.consumed_bytes));
    if (finding_) return finding_;
    if (heard.fault != Fault::none)
        return fmt::format("client {}: bytes that are not an answer", client_number_);
    if (got.closed) drop(&simulation::ClientSocket::close);
    return std::nullopt;
}

void Trader::send() {
    while (!outgoing_.empty()) {
        Bytes next(outgoing_.begin(), outgoing_.end());
        const std::size_t sent = socket_.send(next);
        if (sent == 0) return;
        outgoing_.erase(outgoing_.begin(), outgoing_.begin() + static_cast<std::ptrdiff_t>(sent));
    }
}

void Trader::misbehave() {
    if (random_.below(10'000) < plan_.stall_per_10k) stall_ = 20 + random_.below(300);
    if (random_.below(10'000) >= plan_.lost_per_10k) return;
    switch (random_.below(5)) {
        case 0:
            return drop(&simulation::ClientSocket::close);
        case 1:
            return drop(&simulation::ClientSocket::reset);
        case 2:
            ++vanished_;
            return drop(&simulation::ClientSocket::vanish);
        case 3:  // a last message, in one packet with the end
            if (logged_in_ && !finished_ && plan_.version == Version::v1) beat();
            send();
            return drop(&simulation::ClientSocket::close);
        default:  // sends nothing more, but reads
            if (note) note(fmt::format("client {} half-closes", client_number_));
            socket_.finish();
            outgoing_.clear();
            finished_ = true;
            return;
    }
}

std::string Trader::state() const {
    const Request* const oldest = conversation_->oldest_unanswered();
    return fmt::format("{} bytes to send, {} on their way, {} heard in part, stalled for {}, {}",
                       outgoing_.size(), socket_.unread_by_host(), incoming_.size(), stall_,
                       oldest == nullptr
                           ? "nothing asked"
                           : fmt::format("asked {}", static_cast<int>(oldest->asked)));
}

void Trader::take(const Header& header, const Message& message) {
    ++heard_;
    if (note) note(fmt::format("  client {} hears {}", client_number_, describe(message)));
    if (!finding_) finding_ = conversation_->hear(header, message);
}

void Trader::on_hello(const Header& header, const HelloAck& ack) {
    take(header, ack);
    logged_in_ = ack.status == 1;
    asked_to_leave_ = false;
}

void Trader::on_logout(const Header& header, const LogoutAck& ack) {
    take(header, ack);
    asked_to_leave_ = false;
    logged_in_ = false;
    if (!finished_) ask_hello();
}

void Trader::on_order_ack(const Header& header, const OrderAck& ack) {
    take(header, ack);
    if (ack.order_id) orders_.push_back(ack.order_id);
}

void Trader::on_modify_ack(const Header& header, const ModifyAck& ack) {
    take(header, ack);
    if (ack.new_order_id) orders_.push_back(ack.new_order_id);
}

}  // namespace damrak::simulation
