#include "support/simulation/fix_exchange_world.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <damrak/exchange/door_states.hpp>
#include <damrak/journal/recovery.hpp>

#include "support/commands.hpp"
#include "support/simulation/world_time.hpp"

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
                      const gateway::FixOrders::Applied& applied) {
        index = stamp.sequence.value == sequence ? index + 1 : 0;
        sequence = stamp.sequence.value;
        const auto note = gateway::FixNote::of(origin.tag);
        const gateway::ClOrdId name = note.full_name(applied.attachment);
        const bool by_fix = door_of(origin.session) == gateway::k_fix_door;
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

/// Each of them is among the others, in the same order.
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
/// end of what it is owed; of the rest, reports and orders may be lost.
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

/// It is large, and so is the state that it hears.
std::unique_ptr<exchange::ExchangeState<Owed>> owed_by(const sim::Disk& used,
                                                       const FixSetup& setup) {
    // Reading a journal may cut its end.
    RandomStream unused{0};
    sim::Disk disk{unused};
    disk.copy_from(used);
    auto state = std::make_unique<exchange::ExchangeState<Owed>>(setup.engine);
    const auto read =
        journal::recover(disk, setup.journal.directory, {},
                         [&](std::span<const journal::Record> records) { state->apply(records); });
    return read ? std::move(state) : nullptr;
}

}  // namespace

void FixTally::add(const FixTally& other) {
    StopTally::add(other);
    reports += other.reports;
    orders += other.orders;
    losses += other.losses;
    deaths += other.deaths;
    missing_reported += other.missing_reported;
    duplicates += other.duplicates;
    snapshots += other.snapshots;
    snapshot_starts += other.snapshot_starts;
    pipelined_worlds += other.pipelined_worlds;
}

FixExchangeWorld::FixExchangeWorld(std::uint64_t seed, Plant plant)
    : seed_(seed),
      random_(mix_bits(seed)),
      clock_(k_morning_ns),
      network_random_(random_.next()),
      network_(clock_, network_random_),
      disk_random_(random_.next()),
      disk_(disk_random_) {
    plan();
    setup_.plant = plant;
}

void FixExchangeWorld::plan() {
    setup_.engine.maximum_events = random_.coin() ? 16U : 256U;
    setup_.journal = {.directory = "data",
                      .segment_bytes = 4'096 * (8 + std::uint64_t{random_.below(24)}),
                      .durability = static_cast<journal::Durability>(random_.below(3)),
                      .prefault_bytes = 16'384,
                      .sync_interval_ns = k_millisecond_ns};
    setup_.instance = {seed_, random_.next()};
    setup_.door.maximum_connections = 30;
    setup_.door.input_bytes = 9'000 + random_.below(10'000);
    setup_.door.output_bytes = 20'000 + random_.below(40'000);
    setup_.door.on_disconnect = [this](SessionId id, std::string_view reason) {
        note(fmt::format("session {:x} is ended: {}", id.value, reason));
    };
    setup_.application.folder = "data/fix";
    setup_.application.maximum_sessions = 16;
    setup_.application.cancel_on_disconnect = random_.coin();
    setup_.store = {.file_bytes = std::uint64_t{16'384} << random_.below(3),
                    .retained_bytes = std::uint64_t{64} << 20U,
                    .prefault_bytes = 4'096};
    // Few of them replay everything.
    if (random_.below(4) != 0) setup_.snapshot_every = 5 + random_.below(100);
    setup_.pipeline = draw_pipeline(random_);
    setup_.opening = {instrument_command(1, test_stock("TEST")),
                      instrument_command(2, test_stock("AAPL"))};
    const std::uint32_t count = 2 + random_.below(3);
    for (std::uint32_t i = 1; i <= count; ++i) {
        FixCounterparty& client =
            clients_.emplace_back(i, random_.next(), Timestamp{clock_.time_of_day_ns()});
        client.note = [this](const std::string& line) { note(line); };
    }
    const auto place = [this] { mortality_.place(); };
    setup_.beside = [this] { step_others(); };
    network_.on_host_call = place;
    disk_.on_call = place;
}

std::optional<std::string> FixExchangeWorld::run() {
    const Finding finding = play();
    tally_.pipelined_worlds = setup_.pipeline ? 1 : 0;
    for (const FixCounterparty& client : clients_) {
        tally_.reports += client.reports().size();
        tally_.orders += client.orders().size();
        tally_.losses += client.losses();
        tally_.deaths += client.deaths();
        tally_.duplicates += client.duplicates();
    }
    if (!finding) return std::nullopt;
    return chronicle_.reported_with(seed_, step_, *finding);
}

FixExchangeWorld::Finding FixExchangeWorld::play() {
    for (step_ = 0; step_ < k_steps; ++step_)
        if (Finding finding = step(true)) return finding;
    return make_peace();
}

// Also in the middle of a command: a snapshot may then contain events that nobody has received yet,
// which is a good moment to crash.
void FixExchangeWorld::step_others() {
    const std::uint64_t before = process_->snapshots();
    process_->step_others(random_);
    if (troubled_ && process_->snapshots() > before && random_.coin()) die_after(random_.below(10));
}

void FixExchangeWorld::die_after(std::uint64_t places) {
    planned_ = sudden_stop(random_, setup_.journal.durability);
    mortality_.end_after(places);
}

FixExchangeWorld::Finding FixExchangeWorld::step(bool troubled) {
    troubled_ = troubled;
    clock_.advance((1 + random_.below(12)) * k_millisecond_ns);
    if (troubled && !mortality_.is_near() && random_.below(150) == 0)
        die_after(random_.below(random_.coin() ? 20 : 300));
    if (random_.below(20) == 0) disk_.write_back_some();
    network_.advance();
    if (process_ == nullptr) {
        if (down_ > 0)
            --down_;
        else if (Finding finding = start())
            return finding;
    } else {
        const bool alive = mortality_.survives([&] {
            process_->turn();
            step_others();
        });
        if (!alive)
            stop(planned_);
        else if (process_->stopped())
            return "trading stopped without a reason";
        else if (troubled && random_.below(600) == 0)
            stop(Stop::close);
    }
    for (FixCounterparty& client : clients_)
        if (Finding finding = client.step(network_, Timestamp{clock_.time_of_day_ns()}, troubled))
            return finding;
    return std::nullopt;
}

FixExchangeWorld::Finding FixExchangeWorld::start() {
    process_ = make_fix_process(network_, disk_, clock_, setup_, disk_.on_call);
    journal::Result<void> started;
    if (!mortality_.survives([&] { started = process_->start(); })) {
        stop(planned_);
        return std::nullopt;
    }
    if (!started) return "it does not start: " + started.error();
    tally_.missing_reported += process_->missing_reported();
    if (process_->began_with() > 0) ++tally_.snapshot_starts;
    note(
        fmt::format("the exchange starts with {} records, the snapshot of {}, and makes up for "
                    "{} reports",
                    process_->records(), process_->began_with(), process_->missing_reported()));
    return std::nullopt;
}

void FixExchangeWorld::stop(Stop how) {
    mortality_.spare();
    if (how == Stop::close) process_->close();
    note(told(how));
    tally_.count(how);
    tally_.snapshots += process_->snapshots();
    if (how == Stop::power) network_.lose_power();
    disk_.orphaned = true;
    process_.reset();
    disk_.orphaned = false;
    down_ = random_.below(40);
    if (how != Stop::power) return;
    disk_.lose_power();
    for (FixCounterparty& client : clients_) client.start_over(Timestamp{clock_.time_of_day_ns()});
}

// Links hold, nobody dies, nobody asks for anything: what is owed comes.
FixExchangeWorld::Finding FixExchangeWorld::make_peace() {
    note("peace");
    mortality_.spare();
    constexpr std::uint32_t k_most_steps = 6'000;
    constexpr std::uint32_t k_between_looks = 250;
    for (std::uint32_t i = 1; i <= k_most_steps; ++i, ++step_) {
        if (Finding finding = step(false)) return finding;
        if (i % k_between_looks == 0 && is_all_reported()) break;
    }
    return compare();
}

bool FixExchangeWorld::is_all_reported() {
    return std::ranges::all_of(clients_, &FixCounterparty::logged_on) && !compare();
}

FixExchangeWorld::Finding FixExchangeWorld::compare() {
    const auto state = owed_by(disk_, setup_);
    if (state == nullptr) return "the journal cannot be read";
    for (const FixCounterparty& client : clients_)
        if (Finding finding = judge(client, state->observer())) return finding;
    return std::nullopt;
}

}  // namespace damrak::simulation
