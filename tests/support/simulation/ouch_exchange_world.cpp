#include "support/simulation/ouch_exchange_world.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <damrak/journal/recovery.hpp>
#include <damrak/standard_exchange/gateway_states.hpp>

namespace damrak::simulation {

namespace {

using gateway::ouch::OuchTag;
using session::ouch::RequestKind;

/// Messages that OUCH clients are owed according to the journal, without the gateway and its state.
class OuchOwed {
  public:
    struct Session {
        std::vector<std::string> messages;
        bool ending = false;
        bool ended = false;
    };
    std::map<std::uint64_t, std::vector<Session>> sessions;  ///< by user
    std::optional<std::string> finding;

    explicit OuchOwed(OuchEnds ends) : ends_(ends) {}

    /// Of a session: what is left of its orders, by the exchange's id.
    [[nodiscard]] std::map<std::uint64_t, std::uint64_t> open(std::uint64_t session) const {
        std::map<std::uint64_t, std::uint64_t> left;
        for (const auto& [id, order] : orders_)
            if (order.session == session && order.open > 0)
                left[id] = static_cast<std::uint64_t>(order.open);
        return left;
    }
    /// Before its events.
    void begin(const journal::Record& record) {
        if (record.head.kind == journal::k_attachment_kind)
            attached_ = std::string{journal::attachment_of(record).view()};
        head_ = record.head;
        if (record.command.kind != CommandKind::session_opened || !ends_.lost_cancels ||
            !ends_.logout_cancels || finding)
            return;
        if (const auto left = open(head_.session); !left.empty())
            finding = fmt::format("a login finds order {} of a connection that ended",
                                  left.begin()->first);
    }
    void on_event(const Event& event, const CommandStamp& stamp) {
        const SessionId asker{head_.session};
        const bool by_ouch = gateway_of(asker) == gateway::ouch::k_ouch_gateway;
        const RequestKind asked =
            by_ouch ? OuchTag::of(journal::origin_of(head_).tag).kind : RequestKind{};
        const auto owe = [&](std::uint64_t session, char letter, std::int64_t quantity,
                             std::uint64_t number) {
            auto& all = sessions[session];
            if (all.empty() || all.back().ended) all.emplace_back();
            auto& sent = all.back().messages;
            const auto time_ns = static_cast<std::uint64_t>(stamp.timestamp.value);
            if (sent.empty()) sent.push_back(OuchMessage::text_of('S', 0, 0, time_ns));
            sent.push_back(OuchMessage::text_of(letter, static_cast<std::uint64_t>(quantity),
                                                number, time_ns));
        };
        if (event.kind == EventKind::day_ended) {
            for (auto& [user, all] : sessions) all.back().ending = !all.back().ended;
            return;
        }
        if (by_ouch && event.kind == EventKind::rejected && asked == RequestKind::end_session) {
            Session& last = sessions[asker.value].back();
            if (!std::exchange(last.ending, false)) return;
            owe(asker.value, 'S', 0, 0);
            last.ended = true;
            return;
        }
        if (asked == RequestKind::enter_anew &&
            (event.kind == EventKind::accepted || event.kind == EventKind::rejected)) {
            const auto withdrawn = orders_.find(event.client_order_id().value);
            const Order before = withdrawn->second;
            orders_.erase(withdrawn);
            if (event.kind == EventKind::rejected) return owe(before.session, 'C', before.open, 0);
            orders_[event.order_id.value] = {.session = before.session,
                                             .open = event.remaining.value,
                                             .executed = before.executed,
                                             .price = event.price};
            return owe(before.session, 'U', 0, event.order_id.value);
        }
        if (by_ouch && event.kind == EventKind::accepted) {
            orders_[event.order_id.value] = {
                .session = asker.value, .open = event.remaining.value, .price = event.price};
            return owe(asker.value, 'A', 0, event.order_id.value);
        }
        if (by_ouch && event.kind == EventKind::rejected) {
            if (asked == RequestKind::query) owe(asker.value, 'Q', 0, 0);
            if (asked == RequestKind::enter || asked == RequestKind::mass_cancel)
                owe(asker.value, 'J', 0, 0);
            return;
        }
        if (event.kind == EventKind::mass_cancelled && asked == RequestKind::mass_cancel)
            return owe(asker.value, 'X', 0, 0);
        on_order(event, asked, owe);
    }
    void on_batch_end(bool /*caught_up*/) const {}

  private:
    template <class Owe>
    void on_order(const Event& event, RequestKind asked, const Owe& owe) {
        const auto found = orders_.find(event.order_id.value);
        if (found == orders_.end()) return;
        const Order before = found->second;
        Order& order = found->second;
        if (event.kind == EventKind::executed) {
            order.open = event.remaining.value;
            order.executed += event.quantity.value;
            return owe(order.session, 'E', event.quantity.value, event.trade_id().value);
        }
        if (event.kind == EventKind::cancelled || event.kind == EventKind::expired) {
            // It enters again with the next record, if anything is left of what was wanted.
            if (asked == RequestKind::withdraw && event.reason == Reason::requested &&
                wanted_quantity() > order.executed)
                return;
            order.open = event.remaining.value;
            return owe(order.session, 'C', event.quantity.value, 0);
        }
        if (event.kind != EventKind::replaced) return;
        const std::uint64_t id = event.new_order_id().value;
        orders_.erase(found);
        orders_[id] = {.session = before.session,
                       .open = event.remaining.value,
                       .executed = before.executed,
                       .price = event.price};
        if (asked == RequestKind::replace) return owe(before.session, 'U', 0, id);
        if (asked == RequestKind::modify) return owe(before.session, 'M', 0, 0);
        if (id != event.order_id.value || event.price != before.price)
            owe(before.session, 'T', 0, id);
        if (event.remaining.value < before.open)
            owe(before.session, 'C', before.open - event.remaining.value, 0);
    }
    struct Order {
        std::uint64_t session = 0;
        std::int64_t open = 0;
        std::int64_t executed = 0;
        Price price{};
    };
    /// Of the replace in the last attachment: of 4.2 by its length, or of 5.0.
    [[nodiscard]] std::int64_t wanted_quantity() const {
        constexpr std::size_t k_length_v42 = 47;
        const std::size_t at = attached_.size() == k_length_v42 ? 29 : 9;
        std::int64_t quantity = 0;
        for (const char byte : attached_.substr(at, 4))
            quantity = quantity << 8 | static_cast<unsigned char>(byte);
        return quantity;
    }
    OuchEnds ends_;
    std::map<std::uint64_t, Order> orders_;  ///< of OUCH clients, by the exchange's id
    journal::RecordHead head_{};
    std::string attached_;
};

/// It is large, and so is the state that it hears.
std::unique_ptr<standard_exchange::ExchangeState<OuchOwed>> ouch_owed_by(
    const simulation::Disk& used, const ProcessSetup& setup, OuchEnds ends) {
    // Reading a journal may cut its end.
    RandomStream unused{0};
    simulation::Disk disk{unused};
    disk.copy_from(used);
    auto state =
        std::make_unique<standard_exchange::ExchangeState<OuchOwed>>(setup.engine, OuchOwed{ends});
    const auto read = journal::recover(disk, setup.journal.directory, {},
                                       [&](std::span<const journal::Record> records) {
                                           for (const journal::Record& record : records) {
                                               state->observer().begin(record);
                                               state->apply({&record, 1});
                                           }
                                       });
    return read ? std::move(state) : nullptr;
}

std::optional<std::string> judge(const OuchCustomer& client, const OuchOwed& owed) {
    const auto found = owed.sessions.find(client.session().value);
    const auto due =
        found == owed.sessions.end() ? std::vector<OuchOwed::Session>{} : found->second;
    const auto heard = client.sessions();
    for (std::size_t day = 0; day < std::max(heard.size(), due.size()); ++day) {
        const auto texts = day < heard.size() ? heard[day] : std::vector<OuchMessage>{};
        const auto owes = day < due.size() ? due[day].messages : std::vector<std::string>{};
        for (std::size_t i = 0; i < std::max(texts.size(), owes.size()); ++i) {
            const std::string one = i < texts.size() ? texts[i].text() : "nothing";
            const std::string other = i < owes.size() ? owes[i] : "nothing";
            if (one != other)
                return fmt::format("{} was sent \"{}\" as message {} of day {} and is owed \"{}\"",
                                   client.name(), one, i + 1, day + 1, other);
        }
    }
    if (auto finding = client.ledger().unanswered())
        return fmt::format("{}: {}", client.name(), *finding);
    std::map<std::uint64_t, std::uint64_t> left;
    for (const auto& [order, open] : client.ledger().open()) left[open.reference] = open.quantity;
    if (left != owed.open(client.session().value))
        return fmt::format("{} takes other orders for open than the exchange", client.name());
    return std::nullopt;
}

/// Both sides of each trade are reported, and agree.
std::optional<std::string> judge_trades(const std::deque<OuchCustomer>& clients) {
    std::map<std::uint64_t, std::vector<OuchLedger::Fill>> trades;
    for (const OuchCustomer& client : clients)
        for (const OuchLedger::Fill& fill : client.ledger().fills())
            trades[fill.match].push_back(fill);
    for (const auto& [match, sides] : trades)
        if (sides.size() != 2 || sides[0].quantity != sides[1].quantity ||
            sides[0].price_e4 != sides[1].price_e4 ||
            (sides[0].side == 'B') == (sides[1].side == 'B'))
            return fmt::format("the {} sides of trade {} do not agree", sides.size(), match);
    return std::nullopt;
}

}  // namespace

void OuchTally::add(const OuchTally& other) {
    WorldTally::add(other);
    messages += other.messages;
    orders += other.orders;
    trades += other.trades;
    clients.add(other.clients);
}

OuchExchangeWorld::OuchExchangeWorld(std::uint64_t seed, Plant plant) : TcpWorld(seed) {
    using session::ouch::Version;
    TcpWorld::plan(setup_);
    setup_.plant = plant;
    setup_.gateway.maximum_connections = 30;
    setup_.gateway.output_bytes = 1'000 + random_.below(20'000);
    setup_.gateway.version = random_.coin() ? Version::v42 : Version::v50;
    ends_ = {.lost_cancels = random_.below(3) == 0, .logout_cancels = random_.below(3) != 0};
    setup_.gateway.cancel_on_disconnect = ends_.lost_cancels;
    setup_.gateway.cancel_on_logout = ends_.logout_cancels;
    const std::uint32_t count = 2 + random_.below(3);
    for (std::uint32_t i = 1; i <= count; ++i)
        clients_.emplace_back(i, random_.next(), setup_.gateway.version, ends_);
}

OuchTally OuchExchangeWorld::tally() const {
    OuchTally tally;
    static_cast<WorldTally&>(tally) = stops();
    for (const OuchCustomer& client : clients_) {
        for (const auto& session : client.sessions()) tally.messages += session.size();
        tally.orders += client.orders();
        tally.trades += client.ledger().fills().size();
        tally.clients.add(client.counts());
    }
    tally.trades /= 2;
    return tally;
}

std::unique_ptr<SimulatedProcess> OuchExchangeWorld::make_process() {
    return make_ouch_process(network_, disk_, clock_, setup_, disk_.on_call);
}

void OuchExchangeWorld::before_turn(SimulatedProcess& process, bool troubled) {
    if (!troubled || random_.below(400) != 0) return;
    Command command{};
    command.kind = CommandKind::end_day;
    process.submit(command);
}

OuchExchangeWorld::Finding OuchExchangeWorld::step_clients(bool troubled) {
    for (OuchCustomer& client : clients_)
        if (Finding finding = client.step(network_, now(), troubled)) return finding;
    return std::nullopt;
}

bool OuchExchangeWorld::all_logged_in() const {
    return std::ranges::all_of(clients_, &OuchCustomer::logged_in);
}

OuchExchangeWorld::Finding OuchExchangeWorld::compare() {
    const auto state = ouch_owed_by(disk_, setup_, ends_);
    if (state == nullptr) return "the journal cannot be read";
    for (const OuchCustomer& client : clients_)
        if (Finding finding = judge(client, state->observer())) return finding;
    if (state->observer().finding) return state->observer().finding;
    return judge_trades(clients_);
}

}  // namespace damrak::simulation
