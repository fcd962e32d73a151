#include "support/simulation/fix_exchange_world.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <damrak/journal/recovery.hpp>
#include <damrak/standard_exchange/gateway_states.hpp>

namespace damrak::simulation {

namespace {

/// Reports that FIX clients are owed according to the journal, without the gateway.
struct Owed {
    std::map<std::string, std::vector<std::string>, std::less<>> reports;  ///< by comp id
    std::map<std::string, int, std::less<>> orders;                        ///< by ClOrdID
    std::uint64_t sequence = 0;
    std::uint32_t index = 0;

    static std::string client_of(std::string_view name) {
        return std::string{name.substr(0, name.find('-'))};
    }
    void on_fix_event(const Event& event, const Origin& origin, const CommandStamp& stamp,
                      const gateway::fix::FixOrders::Applied& applied) {
        index = stamp.sequence.value == sequence ? index + 1 : 0;
        sequence = stamp.sequence.value;
        const auto note = gateway::fix::FixNote::of(origin.tag);
        const gateway::fix::ClOrdId name = note.full_name(applied.attachment);
        const bool by_fix = gateway_of(origin.session) == gateway::fix::k_fix_gateway;
        const bool refused = by_fix && event.kind == EventKind::rejected && note.request == 'D';
        if (refused || (event.kind == EventKind::accepted && applied.order != nullptr))
            ++orders[std::string{name.view()}];
        const bool told = event.kind == EventKind::accepted || event.kind == EventKind::executed ||
                          event.kind == EventKind::cancelled || event.kind == EventKind::expired;
        if (refused)
            owe(name.view());
        else if (told && applied.order != nullptr)
            owe(applied.orders->name(*applied.order));
    }
    void owe(std::string_view name) {
        reports[client_of(name)].push_back(fmt::format("{}-{}", sequence, index));
    }
    void on_event(const Event& /*event*/, const CommandStamp& /*stamp*/) const {}
    void on_batch_end(bool /*caught_up*/) const {}
};

using Reports = std::span<const std::string>;

/// Whether `some` are among `others`, in the same order.
bool is_among(Reports some, Reports others) {
    auto at = others.begin();
    for (const std::string& one : some) {
        at = std::find(at, others.end(), one);
        if (at == others.end()) return false;
        ++at;
    }
    return true;
}

/// Checks what a client received. After a reset of its numbers, the messages since then must be the
/// end of what it is owed; earlier reports and orders may be lost.
std::optional<std::string> judge(const FixCounterparty& client, Owed& owed) {
    for (std::size_t i = 0; i < client.orders().size(); ++i) {
        const std::string& name = client.orders()[i];
        const int count = owed.orders[name];
        if (count != 1 && (count != 0 || i >= client.earlier_orders()))
            return fmt::format("order {} is in the journal {} times", name, count);
    }
    const Reports told = client.reports();
    const Reports due = owed.reports[client.name()];
    const Reports late = told.subspan(client.earlier_reports());
    const Reports expected =
        client.started_over() ? due.last(std::min(late.size(), due.size())) : due;
    const Reports rest = due.first(due.size() - expected.size());
    const auto [one, other] = std::ranges::mismatch(late, expected);
    const bool is_same = one == late.end() && other == expected.end();
    if (is_same && is_among(told.first(client.earlier_reports()), rest)) return std::nullopt;
    return fmt::format(
        "{} heard {} reports and is owed {}; number {} of the last {} is {} and "
        "should be {}{}",
        client.name(), told.size(), due.size(), one - late.begin() + 1, late.size(),
        one == late.end() ? "not there" : *one, other == expected.end() ? "not there" : *other,
        client.logged_on() ? "" : "; it is not logged on");
}

/// Allocated, because the state and its observer are large.
std::unique_ptr<standard_exchange::ExchangeState<Owed>> owed_by(const simulation::Disk& used,
                                                                const FixSetup& setup) {
    // Reading a journal may cut its end.
    RandomStream unused{0};
    simulation::Disk disk{unused};
    disk.copy_from(used);
    auto state = std::make_unique<standard_exchange::ExchangeState<Owed>>(setup.engine);
    const auto read =
        journal::recover(disk, setup.journal.directory, {},
                         [&](std::span<const journal::Record> records) { state->apply(records); });
    return read ? std::move(state) : nullptr;
}

}  // namespace

void FixTally::add(const FixTally& other) {
    WorldTally::add(other);
    reports += other.reports;
    orders += other.orders;
    losses += other.losses;
    deaths += other.deaths;
    missing_reported += other.missing_reported;
    full_stores += other.full_stores;
    duplicates += other.duplicates;
}

FixExchangeWorld::FixExchangeWorld(std::uint64_t seed, Plant plant) : TcpWorld(seed) {
    plan(setup_);
    plan_gateway();
    setup_.plant = plant;
    const std::uint32_t count = 2 + random_.below(3);
    for (std::uint32_t i = 1; i <= count; ++i) {
        FixCounterparty& client = clients_.emplace_back(i, random_.next(), now());
        client.note = [this](const std::string& line) { note(line); };
    }
}

void FixExchangeWorld::plan_gateway() {
    setup_.gateway.maximum_connections = 30;
    setup_.gateway.input_bytes = 9'000 + random_.below(10'000);
    setup_.gateway.output_bytes = 20'000 + random_.below(40'000);
    setup_.gateway.on_disconnect = [this](SessionId id, std::string_view reason) {
        note(fmt::format("session {:x} is ended: {}", id.value, reason));
    };
    setup_.store_is_full = [this] { return is_full_; };
    setup_.application.folder = "data/fix";
    setup_.application.maximum_sessions = 16;
    setup_.application.cancel_on_disconnect = random_.coin();
    setup_.store = {.file_bytes = std::uint64_t{16'384} << random_.below(3),
                    .retained_bytes = std::uint64_t{64} << 20U,
                    .prefault_bytes = 4'096};
}

FixTally FixExchangeWorld::tally() const {
    FixTally tally;
    static_cast<WorldTally&>(tally) = stops();
    tally.missing_reported = missing_reported_;
    tally.full_stores = full_stores_;
    for (const FixCounterparty& client : clients_) {
        tally.reports += client.reports().size();
        tally.orders += client.orders().size();
        tally.losses += client.losses();
        tally.deaths += client.deaths();
        tally.duplicates += client.duplicates();
    }
    return tally;
}

std::unique_ptr<SimulatedProcess> FixExchangeWorld::make_process() {
    return make_fix_process(network_, disk_, clock_, setup_, disk_.on_call);
}

void FixExchangeWorld::on_started(const SimulatedProcess& process) {
    missing_reported_ += process.missing_reported();
    note(fmt::format("and makes up for {} reports", process.missing_reported()));
}

void FixExchangeWorld::on_stopped(Stop how) {
    if (is_full_) ++full_stores_;
    is_full_ = was_full_ = false;
    if (how != Stop::power) return;
    for (FixCounterparty& client : clients_) client.start_over(now());
}

// Sometimes there is room again before the restart.
FixExchangeWorld::Finding FixExchangeWorld::step_clients(bool troubled) {
    if (!troubled || (is_full_ && random_.below(200) == 0))
        is_full_ = false;
    else if (random_.below(500) == 0)
        is_full_ = was_full_ = true;
    for (FixCounterparty& client : clients_)
        if (Finding finding = client.step(network_, now(), troubled)) return finding;
    return std::nullopt;
}

bool FixExchangeWorld::all_logged_in() const {
    return std::ranges::all_of(clients_, &FixCounterparty::logged_on);
}

FixExchangeWorld::Finding FixExchangeWorld::compare() {
    const auto state = owed_by(disk_, setup_);
    if (state == nullptr) return "the journal cannot be read";
    for (const FixCounterparty& client : clients_)
        if (Finding finding = judge(client, state->observer())) return finding;
    return std::nullopt;
}

}  // namespace damrak::simulation
