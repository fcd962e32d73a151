#include "support/simulation/tcp_world.hpp"

#include <utility>

#include <fmt/format.h>

#include "support/commands.hpp"
#include "support/simulation/world_time.hpp"

namespace damrak::simulation {

TcpWorld::TcpWorld(std::uint64_t seed)
    : random_(mix_bits(seed)),
      clock_(k_morning_ns),
      network_random_(random_.next()),
      network_(clock_, network_random_),
      disk_random_(random_.next()),
      disk_(disk_random_),
      seed_(seed) {}

void TcpWorld::plan(ProcessSetup& setup) {
    setup.engine.maximum_events = random_.coin() ? 16U : 256U;
    setup.journal = {.directory = "data",
                     .segment_bytes = 4'096 * (8 + std::uint64_t{random_.below(24)}),
                     .durability = static_cast<journal::Durability>(random_.below(3)),
                     .prefault_bytes = 16'384,
                     .sync_interval_ns = k_millisecond_ns};
    durability_ = setup.journal.durability;
    setup.instance = {seed_, random_.next()};
    // Few of them replay everything.
    if (random_.below(4) != 0) setup.snapshot_every = 5 + random_.below(100);
    setup.pipeline = draw_pipeline(random_);
    stops_.pipelined_worlds = setup.pipeline ? 1 : 0;
    setup.opening = {instrument_command(1, test_stock("TEST")),
                     instrument_command(2, test_stock("AAPL"))};
    const auto place = [this] { mortality_.place(); };
    setup.beside = [this] { step_others(); };
    network_.on_host_call = place;
    disk_.on_call = place;
}

std::optional<std::string> TcpWorld::run() {
    const Finding finding = play();
    // It refers to its setup, which belongs to the derived world.
    disk_.orphaned = true;
    process_.reset();
    if (!finding) return std::nullopt;
    return chronicle_.reported_with(seed_, step_, *finding);
}

TcpWorld::Finding TcpWorld::play() {
    for (step_ = 0; step_ < k_steps; ++step_)
        if (Finding finding = step(true)) return finding;
    return make_peace();
}

// Also in the middle of a command: a snapshot may then contain events that nobody has received yet,
// which is a good moment for a crash.
void TcpWorld::step_others() {
    const std::uint64_t before = process_->snapshots();
    process_->step_others(random_);
    if (troubled_ && process_->snapshots() > before && random_.coin()) die_after(random_.below(10));
}

void TcpWorld::die_after(std::uint64_t places) {
    planned_ = sudden_stop(random_, durability_);
    mortality_.end_after(places);
}

TcpWorld::Finding TcpWorld::step(bool troubled) {
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
            before_turn(*process_, troubled);
            process_->turn();
            step_others();
        });
        if (!alive)
            stop(planned_);
        else if (process_->stopped())
            return "trading stopped without a reason";
        else if (troubled ? random_.below(600) == 0 : needs_restart())
            stop(Stop::close);
    }
    return step_clients(troubled);
}

TcpWorld::Finding TcpWorld::start() {
    process_ = make_process();
    journal::Result<void> started;
    if (!mortality_.survives([&] { started = process_->start(); })) {
        stop(planned_);
        return std::nullopt;
    }
    if (!started) return "it does not start: " + started.error();
    if (process_->began_with() > 0) ++stops_.snapshot_starts;
    note(fmt::format("the exchange starts with {} records, the snapshot of {}", process_->records(),
                     process_->began_with()));
    on_started(*process_);
    return std::nullopt;
}

void TcpWorld::stop(Stop how) {
    mortality_.spare();
    if (how == Stop::close) process_->close();
    note(told(how));
    stops_.count(how);
    stops_.snapshots += process_->snapshots();
    if (how == Stop::power) network_.lose_power();
    disk_.orphaned = true;
    process_.reset();
    disk_.orphaned = false;
    down_ = random_.below(40);
    if (how == Stop::power) disk_.lose_power();
    on_stopped(how);
}

TcpWorld::Finding TcpWorld::make_peace() {
    note("peace");
    mortality_.spare();
    constexpr std::uint32_t k_most_steps = 6'000;
    constexpr std::uint32_t k_between_looks = 250;
    for (std::uint32_t i = 1; i <= k_most_steps; ++i, ++step_) {
        if (Finding finding = step(false)) return finding;
        if (i % k_between_looks == 0 && all_logged_in() && !compare()) break;
    }
    return compare();
}

}  // namespace damrak::simulation
