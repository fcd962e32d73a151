#include "support/simulation/udp_exchange_world.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "support/commands.hpp"
#include "support/simulation/world_time.hpp"

namespace damrak::simulation {

void UdpTally::add(const UdpTally& other) {
    StopTally::add(other);
    orders += other.orders;
    told += other.told;
    lost += other.lost;
    overtaking += other.overtaking;
    counts.add(other.counts);
    forgotten += other.forgotten;
    snapshots += other.snapshots;
    snapshot_starts += other.snapshot_starts;
    pipelined_worlds += other.pipelined_worlds;
}

UdpExchangeWorld::UdpExchangeWorld(std::uint64_t seed, Plant plant, bool compare_counts)
    : seed_(seed),
      compare_counts_(compare_counts),
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

void UdpExchangeWorld::plan() {
    setup_.journal = {.directory = "data",
                      .segment_bytes = 4'096 * (8 + std::uint64_t{random_.below(24)}),
                      .durability = static_cast<journal::Durability>(random_.below(3)),
                      .prefault_bytes = 16'384,
                      .sync_interval_ns = k_millisecond_ns};
    setup_.instance = {seed_, random_.next()};
    setup_.gateway.salt = random_.next();
    setup_.engine.maximum_events = random_.coin() ? 16U : 256U;
    setup_.engine.maximum_participants = 400;
    setup_.engine.maximum_accounts = 1'000;
    forgets_ = random_.coin();
    if (forgets_) setup_.gateway.source_timeout_ns = 300 * k_millisecond_ns;
    setup_.gateway.cancel_on_silence = random_.below(4) != 0;
    // Few of them replay everything.
    if (random_.below(4) != 0) setup_.snapshot_every = 20 + random_.below(300);
    setup_.pipeline = draw_pipeline(random_);
    setup_.opening = {instrument_command(1, test_stock("TEST")),
                      instrument_command(2, test_stock("AAPL"))};
    network_.rules = {.lost_percent = random_.below(30),
                      .repeated_percent = random_.below(20),
                      .most_delay_ns = 1'000'000 + random_.below(40'000'000),
                      .stuck_percent = random_.below(30),
                      .host_room = 20 + std::size_t{random_.below(200)}};
    const std::uint32_t count = 2 + random_.below(3);
    for (std::uint32_t i = 1; i <= count; ++i)
        customers_.emplace_back(i, random_.next(), forgets_ ? 1'500'000'000U : 0U);
    const auto place = [this] { mortality_.place(); };
    setup_.beside = [this] { process_->step_others(random_); };
    network_.on_host_call = place;
    no_network_.on_host_call = place;
    disk_.on_call = place;
    network_.on_given = [this](const net::Datagram& datagram) { numbers_.note(datagram); };
}

std::optional<std::string> UdpExchangeWorld::run() {
    const Finding finding = play();
    tally_.pipelined_worlds = setup_.pipeline ? 1 : 0;
    for (const UdpCustomer& customer : customers_) {
        tally_.orders += customer.orders().size();
        tally_.told += customer.told().size();
    }
    tally_.lost = network_.lost();
    tally_.overtaking = network_.overtaking();
    tally_.counts.add(numbers_.counts());
    if (!finding) return std::nullopt;
    return chronicle_.reported_with(seed_, step_, *finding);
}

UdpExchangeWorld::Finding UdpExchangeWorld::play() {
    for (step_ = 0; step_ < k_steps; ++step_)
        if (Finding finding = step(true)) return finding;
    return make_peace();
}

UdpExchangeWorld::Finding UdpExchangeWorld::step(bool troubled) {
    clock_.advance((1 + random_.below(12)) * k_millisecond_ns);
    if (troubled && !mortality_.is_near() && random_.below(150) == 0) {
        planned_ = sudden_stop(random_, setup_.journal.durability);
        mortality_.end_after(random_.below(random_.coin() ? 20 : 300));
    }
    if (random_.below(20) == 0) disk_.write_back_some();
    if (process_ == nullptr) {
        if (down_ > 0)
            --down_;
        else if (Finding finding = start())
            return finding;
    } else if (Finding finding = step_exchange(troubled)) {
        return finding;
    }
    for (UdpCustomer& customer : customers_)
        if (Finding finding = customer.step(network_, clock_.elapsed_ns(), troubled))
            return finding;
    return std::nullopt;
}

UdpExchangeWorld::Finding UdpExchangeWorld::step_exchange(bool troubled) {
    const bool alive = mortality_.survives([&] {
        process_->turn();
        process_->step_others(random_);
    });
    if (!alive) {
        stop(planned_);
        return std::nullopt;
    }
    if (process_->stopped()) return "trading stopped without a reason";
    const UdpCounts counted = UdpCounts::of(process_->udp_counters());
    if (compare_counts_ && counted != numbers_.counts())
        return fmt::format("the gateway counted {}, and was given {}", counted.text(),
                           numbers_.counts().text());
    for (const UdpCustomer& customer : customers_)
        if (!process_->knows_sender(customer.session())) numbers_.forget(customer.session());
    if (troubled && random_.below(600) == 0) stop(Stop::close);
    return std::nullopt;
}

UdpExchangeWorld::Finding UdpExchangeWorld::start() {
    process_ = make_udp_process(network_, no_network_, disk_, clock_, setup_, disk_.on_call);
    journal::Result<void> started;
    if (!mortality_.survives([&] { started = process_->start(); })) {
        stop(planned_);
        return std::nullopt;
    }
    if (!started) return "it does not start: " + started.error();
    const auto kept = owed();
    if (kept == nullptr) return "the journal cannot be read";
    tally_.counts.add(numbers_.counts());
    numbers_.begin_behind(*kept);
    if (process_->began_with() > 0) ++tally_.snapshot_starts;
    note(fmt::format("the exchange starts with {} records, the snapshot of {}", process_->records(),
                     process_->began_with()));
    return std::nullopt;
}

void UdpExchangeWorld::stop(Stop how) {
    mortality_.spare();
    if (how == Stop::close) process_->close();
    note(told(how));
    tally_.count(how);
    tally_.snapshots += process_->snapshots();
    tally_.forgotten += process_->udp_counters().forgotten;
    disk_.orphaned = true;
    process_.reset();
    disk_.orphaned = false;
    if (how == Stop::power) disk_.lose_power();
    down_ = random_.below(40);
}

std::unique_ptr<UdpOwed> UdpExchangeWorld::owed() const {
    return UdpOwed::by(disk_, setup_.journal.directory.string(), setup_.engine);
}

// Ends losses, crashes and new requests: every request arrives, and every owed answer is delivered.
UdpExchangeWorld::Finding UdpExchangeWorld::make_peace() {
    note("peace");
    mortality_.spare();
    network_.rules.lost_percent = 0;
    network_.rules.repeated_percent = 0;
    network_.rules.host_room = 100'000;
    constexpr std::uint32_t k_settling_steps = 100;
    const auto run_steps = [this](std::uint32_t count) -> Finding {
        for (std::uint32_t i = 0; i < count; ++i, ++step_)
            if (Finding finding = step(false)) return finding;
        return std::nullopt;
    };
    if (Finding finding = run_steps(k_settling_steps)) return finding;
    for (UdpCustomer& customer : customers_) static_cast<void>(customer.take_reply_numbers());
    // Everything sent before must have arrived by the end of this phase.
    if (Finding finding = run_steps(k_settling_steps)) return finding;
    std::vector<std::set<std::uint32_t>> before;
    for (UdpCustomer& customer : customers_) before.push_back(customer.take_reply_numbers());
    for (UdpCustomer& customer : customers_) customer.repeat_all(network_);
    constexpr int k_rounds = 40;
    for (int i = 0; i < k_rounds && (i == 0 || !is_all_done()); ++i)
        if (Finding finding = run_steps(k_settling_steps)) return finding;
    // Senders that were forgotten start their numbers again.
    for (std::size_t i = 0; i < customers_.size() && !forgets_; ++i)
        if (Finding finding = check_replies(customers_[i], before[i])) return finding;
    return compare();
}

// Replies sent after the faults ended all arrived: those with numbers above the highest before.
UdpExchangeWorld::Finding UdpExchangeWorld::check_replies(UdpCustomer& customer,
                                                          const std::set<std::uint32_t>& before) {
    const std::set<std::uint32_t> heard = customer.take_reply_numbers();
    if (heard.empty()) return std::nullopt;
    const std::uint32_t first = before.empty() ? *heard.begin() : *before.rbegin() + 1;
    for (std::uint32_t number = first; number < *heard.rbegin(); ++number)
        if (!heard.contains(number))
            return fmt::format("{} did not hear reply {} of {} to {}, and none was lost",
                               customer.name(), number, first, *heard.rbegin());
    return std::nullopt;
}

// Public formats are not answered: missing orders may still wait for their turn.
bool UdpExchangeWorld::is_all_done() {
    return std::ranges::all_of(customers_, &UdpCustomer::is_answered) && !compare();
}

UdpExchangeWorld::Finding UdpExchangeWorld::compare() {
    const auto due = owed();
    if (due == nullptr) return "the journal cannot be read";
    for (const UdpCustomer& customer : customers_) {
        if (!customer.is_answered())
            return fmt::format("{} has {} requests without an answer", customer.name(),
                               customer.unanswered());
        for (const UdpCustomer::Order& order : customer.orders()) {
            const int count = due->entered(customer.session(), order.sequence);
            // A change of a missing order is not in the journal.
            const bool may_miss = order.action != wire::packet::Action::new_order;
            if (count == 1 || (may_miss && count == 0)) continue;
            return fmt::format("number {} of {} is in the journal {} times", order.sequence,
                               customer.name(), count);
        }
        for (const std::string& told : customer.told())
            if (!due->owes(customer.session(), told))
                return fmt::format("{} was told \"{}\", which does not follow from the journal",
                                   customer.name(), told);
        if (Finding finding = check_refusals(customer, *due)) return finding;
    }
    return std::nullopt;
}

// Rejected by the exchange, as in the journal; or by the gateway: a duplicate number, or a change
// of a missing order, which is checked again when it is repeated after a restart.
UdpExchangeWorld::Finding UdpExchangeWorld::check_refusals(const UdpCustomer& customer,
                                                           const UdpOwed& due) const {
    using wire::packet::Refusal;
    for (const UdpCustomer::Reply& reply : customer.refusals()) {
        if (due.owes(customer.session(), reported_as(reply))) continue;
        const bool entered = due.entered(customer.session(), reply.sequence) > 0;
        const bool is_change =
            customer.find(reply.sequence)->action != wire::packet::Action::new_order;
        const bool by_number = reply.reason == std::to_underlying(Refusal::duplicate_sequence);
        const bool unknown = reply.reason == std::to_underlying(Reason::unknown_order);
        if ((by_number && (entered || is_change)) || (unknown && is_change)) continue;
        return fmt::format("{} was refused \"{}\", {} in the journal", customer.name(),
                           reported_as(reply), entered ? "which is" : "which is not");
    }
    return std::nullopt;
}

}  // namespace damrak::simulation
