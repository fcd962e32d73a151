#include "support/simulation/fix_exchange_world.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <damrak/journal/recovery.hpp>

#include "support/commands.hpp"

namespace damrak::simulation {

namespace {

constexpr std::int64_t k_morning_ns = 1'700'000'000'000'000'000;
constexpr std::int64_t k_millisecond_ns = 1'000'000;
constexpr std::uint32_t k_steps = 2'500;

/// What follows from a journal for those who trade by FIX, without the door.
struct Owed {
    std::map<std::string, std::vector<std::string>, std::less<>> reports;  ///< by comp id
    std::map<std::string, int, std::less<>> orders;                        ///< by ClOrdID
    std::uint64_t sequence = 0;
    std::uint32_t index = 0;

    static std::string client_of(std::string_view name) {
        return std::string{name.substr(0, name.find('-'))};
    }
    void on_fix_event(const Event& event, const Origin& origin, const CommandStamp& stamp,
                      const views::FixOrders::Applied& applied) {
        index = stamp.sequence.value == sequence ? index + 1 : 0;
        sequence = stamp.sequence.value;
        const auto note = views::FixNote::of(origin.tag);
        const bool by_fix = door_of(origin.session) == Door::fix;
        const bool refused = by_fix && event.kind == EventKind::rejected && note.request == 'D';
        if (refused || (event.kind == EventKind::accepted && applied.order != nullptr))
            ++orders[std::string{note.name.view()}];
        const bool told = event.kind == EventKind::accepted || event.kind == EventKind::executed ||
                          event.kind == EventKind::cancelled || event.kind == EventKind::expired;
        if (refused)
            owe(note.name.view());
        else if (told && applied.order != nullptr)
            owe(applied.order->name.view());
    }
    void owe(std::string_view name) {
        reports[client_of(name)].push_back(fmt::format("{}-{}", sequence, index));
    }
    void on_event(const Event& /*event*/, const CommandStamp& /*stamp*/) const {}
    void on_batch_end(bool /*caught_up*/) const {}
};

/// It is large, and so is the state that it hears.
std::unique_ptr<journal::ExchangeState<Owed>> owed_by(const sim::Disk& used,
                                                      const FixSetup& setup) {
    // Who reads a journal may cut its end.
    RandomStream unused{0};
    sim::Disk disk{unused};
    disk.copy_from(used);
    auto state = std::make_unique<journal::ExchangeState<Owed>>(setup.engine);
    const auto read =
        journal::recover(disk, setup.journal.directory, {},
                         [&](std::span<const journal::Record> records) { state->apply(records); });
    return read ? std::move(state) : nullptr;
}

}  // namespace

void FixTally::add(const FixTally& other) {
    reports += other.reports;
    orders += other.orders;
    kills += other.kills;
    closes += other.closes;
    losses += other.losses;
    deaths += other.deaths;
    made_up += other.made_up;
    duplicates += other.duplicates;
    snapshots += other.snapshots;
    snapshot_starts += other.snapshot_starts;
}

FixExchangeWorld::FixExchangeWorld(std::uint64_t seed, FixPlant plant)
    : seed_(seed),
      random_(mix_bits(seed)),
      clock_(k_morning_ns),
      network_random_(random_.next()),
      network_(clock_, network_random_),
      no_network_(clock_, network_random_),
      disk_random_(random_.next()),
      disk_(disk_random_) {
    plan();
    setup_.plant = plant;
}

void FixExchangeWorld::plan() {
    setup_.engine = small_engine();
    setup_.journal = {.directory = "data",
                      .segment_bytes = 4'096 * (8 + std::uint64_t{random_.below(24)}),
                      .prefault_bytes = 16'384,
                      .sync_interval_ns = k_millisecond_ns};
    setup_.instance = {seed_, random_.next()};
    setup_.door.maximum_connections = 30;
    setup_.door.input_bytes = 9'000 + random_.below(10'000);
    setup_.door.output_bytes = 20'000 + random_.below(40'000);
    setup_.door.on_disconnect = [this](SessionId id, std::string_view reason) {
        note(fmt::format("session {:x} is ended: {}", id.value, reason));
    };
    setup_.desk.folder = "data/fix";
    setup_.desk.maximum_sessions = 16;
    setup_.desk.cancel_on_disconnect = random_.below(4) == 0;
    setup_.store = {.file_bytes = std::uint64_t{16'384} << random_.below(3),
                    .retained_bytes = std::uint64_t{64} << 20U,
                    .prefault_bytes = 4'096};
    // Few of them replay everything.
    if (random_.below(4) != 0) setup_.snapshot_every = 5 + random_.below(100);
    setup_.opening = {instrument_command(1, test_stock("TEST"))};
    const std::uint32_t count = 2 + random_.below(3);
    for (std::uint32_t i = 1; i <= count; ++i) {
        FixCounterparty& client =
            clients_.emplace_back(i, random_.next(), Timestamp{clock_.time_of_day_ns()});
        client.note = [this](const std::string& line) { note(line); };
    }
    const auto place = [this] { mortality_.place(); };
    setup_.beside = [this] { step_helpers(); };
    network_.on_host_call = place;
    disk_.on_call = place;
}

std::optional<std::string> FixExchangeWorld::run() {
    const Finding finding = play();
    for (const FixCounterparty& client : clients_) {
        tally_.reports += client.reports().size();
        tally_.orders += client.orders().size();
        tally_.losses += client.losses();
        tally_.deaths += client.deaths();
        tally_.duplicates += client.duplicates();
    }
    if (!finding) return std::nullopt;
    return chronicle_.told_with(seed_, step_, *finding);
}

FixExchangeWorld::Finding FixExchangeWorld::play() {
    for (step_ = 0; step_ < k_steps; ++step_)
        if (Finding finding = step(true)) return finding;
    return make_peace();
}

// In the middle of a command, as threads of their own: a snapshot may have in it what nobody was
// told yet, and that is a good moment to die.
void FixExchangeWorld::step_helpers() {
    if (random_.below(3) != 0) return;
    const std::uint64_t before = process_->snapshots();
    process_->sync();
    process_->follow();
    if (troubled_ && process_->snapshots() > before && random_.coin())
        mortality_.end_after(random_.below(10));
}

FixExchangeWorld::Finding FixExchangeWorld::step(bool troubled) {
    troubled_ = troubled;
    clock_.advance((1 + random_.below(12)) * k_millisecond_ns);
    if (troubled && !mortality_.is_near() && random_.below(150) == 0)
        mortality_.end_after(random_.below(random_.coin() ? 20 : 300));
    network_.advance();
    if (process_ == nullptr) {
        if (down_ > 0)
            --down_;
        else if (Finding finding = start())
            return finding;
    } else {
        const bool alive = mortality_.survives([&] {
            process_->turn();
            if (random_.below(3) == 0) process_->keep();
            if (random_.below(3) == 0) process_->sync();
            if (random_.below(10) == 0) process_->follow();
        });
        if (!alive)
            stop(false);
        else if (process_->stopped())
            return "trading stopped without a reason";
        else if (troubled && random_.below(600) == 0)
            stop(true);
    }
    for (FixCounterparty& client : clients_)
        if (Finding finding = client.step(network_, Timestamp{clock_.time_of_day_ns()}, troubled))
            return finding;
    return std::nullopt;
}

FixExchangeWorld::Finding FixExchangeWorld::start() {
    process_ =
        std::make_unique<FixProcess>(network_, no_network_, disk_, clock_, setup_, disk_.on_call);
    journal::Result<void> started;
    if (!mortality_.survives([&] { started = process_->start(); })) {
        stop(false);
        return std::nullopt;
    }
    if (!started) return "it does not start: " + started.error();
    tally_.made_up += process_->made_up();
    if (process_->began_with() > 0) ++tally_.snapshot_starts;
    note(
        fmt::format("the exchange starts with {} records, the snapshot of {}, and makes up for "
                    "{} reports",
                    process_->records(), process_->began_with(), process_->made_up()));
    return std::nullopt;
}

void FixExchangeWorld::stop(bool in_order) {
    mortality_.spare();
    if (in_order) process_->close();
    note(in_order ? "the exchange is closed" : "the exchange is killed");
    ++(in_order ? tally_.closes : tally_.kills);
    tally_.snapshots += process_->snapshots();
    disk_.orphaned = true;
    process_.reset();
    disk_.orphaned = false;
    down_ = random_.below(40);
}

// Links hold, nobody dies, nobody asks for anything: what is owed comes.
FixExchangeWorld::Finding FixExchangeWorld::make_peace() {
    note("peace");
    mortality_.spare();
    constexpr std::uint32_t k_most_steps = 6'000;
    constexpr std::uint32_t k_between_looks = 250;
    for (std::uint32_t i = 1; i <= k_most_steps; ++i, ++step_) {
        if (Finding finding = step(false)) return finding;
        if (i % k_between_looks == 0 && is_all_told()) break;
    }
    return compare();
}

bool FixExchangeWorld::is_all_told() {
    if (!std::ranges::all_of(clients_, &FixCounterparty::logged_on)) return false;
    const auto state = owed_by(disk_, setup_);
    return state != nullptr && std::ranges::all_of(clients_, [&](const FixCounterparty& client) {
               const Owed& owed = state->observer();
               const auto found = owed.reports.find(client.name());
               const std::size_t reports = found == owed.reports.end() ? 0 : found->second.size();
               return client.reports().size() >= reports &&
                      std::ranges::all_of(client.orders(), [&](const std::string& name) {
                          return owed.orders.contains(name);
                      });
           });
}

FixExchangeWorld::Finding FixExchangeWorld::compare() {
    const auto state = owed_by(disk_, setup_);
    if (state == nullptr) return "the journal cannot be read";
    Owed& owed = state->observer();
    for (const FixCounterparty& client : clients_) {
        for (const std::string& name : client.orders())
            if (const int count = owed.orders[name]; count != 1)
                return fmt::format("order {} is in the journal {} times", name, count);
        const auto& told = client.reports();
        const auto& due = owed.reports[client.name()];
        const auto [one, other] = std::ranges::mismatch(told, due);
        if (one == told.end() && other == due.end()) continue;
        return fmt::format("{} heard {} reports and is owed {}; number {} is {} and should be {}{}",
                           client.name(), told.size(), due.size(), one - told.begin() + 1,
                           one == told.end() ? "not there" : *one,
                           other == due.end() ? "not there" : *other,
                           client.logged_on() ? "" : "; it is not logged on");
    }
    return std::nullopt;
}

}  // namespace damrak::simulation
