// The sessions of OUCH users: their messages, how a session begins and ends, which ones are kept.
#include <algorithm>
#include <utility>

#include <damrak/gateway/ouch/ouch_orders.hpp>

namespace damrak::gateway::ouch {

// Zero: there is no room.
std::uint32_t OuchOrders::add_user(SessionId id) {
    reserve();
    const auto free = std::find_if(users_.begin() + 1, users_.end(),
                                   [](const Entry& entry) { return !entry.user.id; });
    const auto index = static_cast<std::uint32_t>(free - users_.begin());
    if (index > k_maximum_users) return 0;
    if (free == users_.end()) users_.emplace_back();
    users_[index].user.id = id;
    by_session_[id.value] = index;
    return index;
}

void OuchOrders::release(ParticipantId participant) {
    for (Entry& entry : users_) {
        const OuchUser& user = entry.user;
        if (!user.id || user.participant != participant || user.open_orders > 0 || user.tokens > 0)
            continue;
        bytes_ -= entry.bytes();
        by_session_.erase(user.id.value);
        entry = {};
    }
}

void OuchOrders::begin_session(Entry& entry) {
    keep_messages(entry);
    entry.user.ending = false;
    entry.user.ended = false;
    entry.user.disabled = false;
    entry.user.last_ref = 0;
    ++entry.user.session;
    // Orders that are still open keep their tokens, which now belong to the new session: none of
    // its references is theirs.
    const auto user = static_cast<std::uint32_t>(&entry - users_.data());
    for (std::uint32_t i = entry.user.newest_order; i != 0; i = open_->orders[i].next) {
        Order& order = open_->orders[i];
        open_->names.forget(order.name);
        order.name =
            open_->names.add(owner_of(user, entry.user.session), order.terms.token.text(), i);
        entry.user.last_ref = std::max(entry.user.last_ref, order.terms.user_ref);
    }
}

void OuchOrders::keep_messages(Entry& entry) {
    session::ouch::MessageStream ended = std::exchange(entry.messages, {});
    if (ended.empty()) return;
    bytes_ -= ended.bytes();
    ended.finish();
    bytes_ += ended.bytes();
    entry.past.push_back({.number = entry.user.session, .messages = std::move(ended)});
    if (entry.past.size() <= k_past_sessions) return;
    bytes_ -= entry.past.front().messages.bytes();
    entry.past.erase(entry.past.begin());
}

void OuchOrders::make_room_for_messages() {
    while (bytes_ > most_bytes_) {
        Entry& most = *std::ranges::max_element(users_, {}, &Entry::past_bytes);
        if (most.past.empty()) return;
        bytes_ -= most.past.front().messages.bytes();
        most.past.erase(most.past.begin());
    }
}

const session::ouch::MessageStream* OuchOrders::messages(std::uint32_t index,
                                                         std::uint32_t session) const {
    const Entry& entry = users_[index];
    if (session == entry.user.session) return &entry.messages;
    const auto found = std::ranges::find(entry.past, session, &PastSession::number);
    return found == entry.past.end() ? nullptr : &found->messages;
}

// Tokens of the day become free, except those of open orders. What was pending when the day ended
// still belongs to its session, which the gateway ends.
void OuchOrders::end_day() {
    for (Entry& entry : users_) entry.user.ending = !entry.messages.empty() && !entry.user.ended;
    if (open_ == nullptr) return;
    names_used_ -= open_->names.forget_parted();
    for (Entry& entry : users_) entry.user.tokens = entry.user.open_orders;
}

void OuchOrders::end_session(std::uint32_t user, const CommandStamp& stamp) {
    OuchUser& known = users_[user].user;
    if (!std::exchange(known.ending, false)) return;
    Reports reports{stamp};
    send(user, stamp, reports.system_event('E'));
    known.ended = true;
}

void OuchOrders::send(std::uint32_t user, const CommandStamp& stamp, Reports::Bytes message) {
    Entry& entry = users_[user];
    if (entry.user.ended) begin_session(entry);
    if (entry.messages.empty()) {
        Reports first{stamp};
        note_growth(entry.messages.append(first.system_event('S')));
    }
    note_growth(entry.messages.append(message));
}

}  // namespace damrak::gateway::ouch
