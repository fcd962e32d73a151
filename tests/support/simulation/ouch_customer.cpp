#include "support/simulation/ouch_customer.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace damrak::simulation {

void OuchCounts::add(const OuchCounts& other) {
    losses += other.losses;
    deaths += other.deaths;
    logouts += other.logouts;
    glances += other.glances;
    repeated += other.repeated;
    resent += other.resent;
    reentered += other.reentered;
    sessions += other.sessions;
    rereads += other.rereads;
}

OuchCustomer::OuchCustomer(std::uint32_t number, std::uint64_t seed, OuchVersion version,
                           OuchEnds ends)
    : random_(seed),
      name_(fmt::format("U{}", number)),
      version_(version),
      rules_{.most_delay_ns = 1'000'000 + random_.below(20'000'000),
             .window_bytes = 2'000 + random_.below(6'000),
             .part_percent = random_.below(60)},
      ledger_(version, ends) {}

std::optional<std::string> OuchCustomer::step(simulation::Network& network, Timestamp now,
                                              bool troubled) {
    if (!peer_.open()) {
        if (random_.below(6) == 0) {
            if (troubled && !past_.empty() && random_.below(4) == 0)
                rereads_ = past_.size() - 1 -
                           random_.below(std::min<std::uint32_t>(
                               3, static_cast<std::uint32_t>(past_.size())));
            connect(network, now);
        }
    } else {
        for (const SoupPacket& packet : peer_.move(now)) hear(packet);
    }
    if (troubled && !glances_ && !leaves_ && !rereads_) trade();
    if (peer_.open()) {
        const bool enough = glances_ && in_ && random_.below(10) == 0;
        if (troubled && logged_in() && !leaves_ && random_.below(600) == 0) {
            peer_.send('O');
            leaves_ = true;
            ++counts_.logouts;
        }
        if (peer_.lost() || enough || (troubled && random_.below(150) == 0)) lose(troubled);
    }
    if (!complaint_) return std::nullopt;
    return fmt::format("{}: {}", name_, *complaint_);
}

void OuchCustomer::complain(std::string what) {
    if (!complaint_) complaint_ = std::move(what);
}

void OuchCustomer::connect(simulation::Network& network, Timestamp now) {
    simulation::ClientSocket socket = network.connect(rules_);
    if (!socket.open()) {
        rereads_.reset();
        return;
    }
    // The exchange may have another session by now.
    if (rereads_)
        peer_.begin(std::move(socket), {.user = name_, .session = past_[*rereads_].name}, now);
    else
        peer_.begin(std::move(socket),
                    {.user = name_, .session = exchange_session_, .next = wanted_}, now);
}

void OuchCustomer::hear(const SoupPacket& packet) {
    switch (packet.type) {
        case 'A':
            return on_accepted(packet);
        case 'S':
            return on_message(next_++, packet.payload);
        case 'J':
            return complain(fmt::format("its login at {} is rejected", wanted_));
        case 'H':
            return;
        case 'Z':
            return on_session_over();
        default:
            complain(fmt::format("it is sent a packet of type {}", packet.type));
    }
}

// It does not know what of its requests the exchange has.
void OuchCustomer::on_accepted(const SoupPacket& packet) {
    in_ = true;
    next_ = packet.next();
    if (rereads_) return;
    if (exchange_session_.empty()) exchange_session_ = packet.session();
    if (exchange_session_ != packet.session())
        complain(fmt::format("its session is {} and was {}", packet.session(), exchange_session_));
    ledger_.note_login();
    if (glances_) {
        ++counts_.glances;
        if (next_ <= messages_.size())
            complain(fmt::format("message {} is to be new, and was here", next_));
        return;
    }
    if (next_ != wanted_) complain(fmt::format("it wants message {} and gets {}", wanted_, next_));
    counts_.resent += unanswered_.size();
    for (const Request& request : unanswered_) peer_.send('U', request.bytes);
}

void OuchCustomer::on_message(std::uint64_t number, const OuchBytes& bytes) {
    if (rereads_) {
        const auto& before = past_[*rereads_].messages;
        if (number > before.size()) return complain("a session that ended has more messages");
        return compare(number, before[number - 1].bytes, bytes);
    }
    if (number <= messages_.size()) {
        ++counts_.repeated;
        return compare(number, messages_[number - 1].bytes, bytes);
    }
    if (number > messages_.size() + 1) {
        if (!glances_)
            return complain(fmt::format("message {} comes after {}", number, messages_.size()));
        if (const auto found = ahead_.find(number); found != ahead_.end())
            return compare(number, found->second, bytes);
        ahead_[number] = bytes;
        return;
    }
    if (const auto found = ahead_.find(number); found != ahead_.end()) {
        compare(number, found->second, bytes);
        ahead_.erase(found);
    }
    const auto message = read_ouch(version_, bytes);
    if (!message) return complain(fmt::format("message {} cannot be read", number));
    messages_.push_back(*message);
    if (auto finding = ledger_.note(*message)) complain(*finding);
    forget_answered(*message);
}

void OuchCustomer::compare(std::uint64_t number, const OuchBytes& before, const OuchBytes& bytes) {
    if (before == bytes) return;
    const auto told = [&](const OuchBytes& from) {
        const auto message = read_ouch(version_, from);
        return message ? message->text() : std::string{"no message"};
    };
    complain(fmt::format("message {} was \"{}\" and is \"{}\"", number, told(before), told(bytes)));
}

// What was not answered never will be: the exchange heard nothing more of it.
void OuchCustomer::on_session_over() {
    if (rereads_) {
        ++counts_.rereads;
        if (next_ != past_[*rereads_].messages.size() + 1)
            complain(fmt::format("a session that ended has messages up to {}", next_ - 1));
    } else if (!glances_) {
        if (messages_.empty() || !messages_.back().ends_session())
            return complain(fmt::format("its session is over behind message {}", next_ - 1));
        ++counts_.sessions;
        past_.push_back({.name = exchange_session_, .messages = std::exchange(messages_, {})});
        exchange_session_.clear();
        ledger_.begin_session();
        unanswered_.clear();
        ahead_.clear();
        requests_ = 0;
    }
    peer_.socket().close();
    in_ = leaves_ = glances_ = false;
    rereads_.reset();
    wanted_ = messages_.size() + 1;
}

std::vector<std::vector<OuchMessage>> OuchCustomer::sessions() const {
    std::vector<std::vector<OuchMessage>> all;
    for (const PastSession& one : past_) all.push_back(one.messages);
    if (!messages_.empty()) all.push_back(messages_);
    return all;
}

// What changes an order that is gone needs no answer.
void OuchCustomer::forget_answered(const OuchMessage& message) {
    const bool names = std::string_view{"AUJX"}.contains(message.letter);
    const bool ends = !message.order.empty() && !ledger_.open().contains(message.order);
    std::erase_if(unanswered_, [&](const Request& request) {
        const OuchRequest& asked = request.asked;
        if (names && asked.order == message.order) return true;
        if (message.letter == 'U') return asked.about == message.previous;
        return ends && asked.about == message.order;
    });
}

void OuchCustomer::lose(bool troubled) {
    ++counts_.losses;
    const std::uint32_t how = random_.below(10);
    if (how < 5)
        peer_.socket().close();
    else if (how < 9)
        peer_.socket().reset();
    else
        peer_.socket().vanish();
    if (in_ && !rereads_) ledger_.note_loss(leaves_);
    in_ = leaves_ = glances_ = false;
    rereads_.reset();
    const auto had = static_cast<std::uint32_t>(messages_.size());
    wanted_ = std::uint64_t{had} + 1;
    if (!troubled) return;
    switch (random_.below(6)) {
        case 0:  // its process died, and had kept some of them
            ++counts_.deaths;
            wanted_ = 1 + random_.below(had + 1);
            break;
        case 1:  // or none
            ++counts_.deaths;
            wanted_ = 1;
            break;
        case 2:
            glances_ = true;
            wanted_ = 0;
            break;
        default:
            break;
    }
}

std::string OuchCustomer::next_order() {
    ++requests_;
    return version_ == OuchVersion::v42 ? fmt::format("T{}", requests_) : fmt::to_string(requests_);
}

void OuchCustomer::ask(const OuchRequest& request) {
    ledger_.note_asked(request);
    unanswered_.push_back({.asked = request, .bytes = request.bytes(version_)});
    if (logged_in()) peer_.send('U', unanswered_.back().bytes);
}

/// With a connection or without: what cannot be sent now is sent after the next login.
void OuchCustomer::trade() {
    constexpr std::size_t k_most_unanswered = 60;
    if (unanswered_.size() > k_most_unanswered) return;
    if (random_.below(20) == 0) enter();
    if (const auto& open = ledger_.open(); random_.below(40) == 0 && !open.empty()) {
        auto order = open.begin();
        std::advance(order, random_.below(static_cast<std::uint32_t>(open.size())));
        change(order->first, order->second);
    }
    if (random_.below(80) == 0 && in_) enter_again();
    if (version_ != OuchVersion::v50) return;
    if (random_.below(400) == 0)
        ask({.letter = 'C', .order = next_order(), .symbol = random_.coin() ? "" : "TEST"});
    if (random_.below(300) == 0 && in_) peer_.send('U', OuchRequest{.letter = 'Q'}.bytes(version_));
}

void OuchCustomer::enter() {
    ++orders_;
    ask({.letter = 'O',
         .order = next_order(),
         .side = random_.coin() ? 'B' : 'S',
         .quantity = 1 + random_.below(50),
         .symbol = random_.coin() ? "TEST" : "AAPL",
         .price_e4 = 100 * (995 + random_.below(10)),
         .rests = random_.below(4) != 0});
}

// As it was, or with another size: its token is used up either way, and nothing is to come of it.
void OuchCustomer::enter_again() {
    const OuchRequest* const before = ledger_.answered(random_.below(1'000'000));
    if (before == nullptr) return;
    OuchRequest again = *before;
    if (random_.coin()) again.quantity += 1 + random_.below(50);
    ++counts_.reentered;
    peer_.send('U', again.bytes(version_));
}

// Cancels it, as a whole or in part, changes how it sells, or replaces it.
void OuchCustomer::change(const std::string& order, const OuchLedger::Open& open) {
    const auto left = static_cast<std::uint32_t>(open.quantity);
    const std::uint32_t size = random_.coin() ? 0 : random_.below(left);
    if (random_.below(4) == 0 && open.side != 'B')
        return ask(
            {.letter = 'M', .about = order, .side = random_.coin() ? 'T' : 'E', .quantity = left});
    if (random_.coin()) return ask({.letter = 'X', .about = order, .quantity = size});
    ask({.letter = 'U',
         .order = next_order(),
         .about = order,
         .quantity = 1 + random_.below(60),
         .price_e4 = 100 * (995 + random_.below(10)),
         .hidden = random_.below(4) == 0});
}

}  // namespace damrak::simulation
