#include "support/simulation/world.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <damrak/journal/verify.hpp>
#include <damrak/standard_exchange/gateway_states.hpp>

namespace damrak::simulation {

namespace {

constexpr const char* k_folder = "data";

}  // namespace

void Tally::add(const Tally& other) {
    StopTally::add(other);
    worlds += other.worlds;
    records += other.records;
    trades += other.trades;
    answers += other.answers;
    disk_faults += other.disk_faults;
    lost_records += other.lost_records;
    bits_flipped += other.bits_flipped;
    pipelined_worlds += other.pipelined_worlds;
    snapshots += other.snapshots;
    snapshot_starts += other.snapshot_starts;
    shortened_starts += other.shortened_starts;
}

World::~World() = default;

std::optional<Failure> World::run() {
    Finding finding;
    for (step_ = 0; step_ < options_.steps && !finding; ++step_) finding = step(true);
    if (!finding) finding = settle();
    tally_.worlds = 1;
    tally_.pipelined_worlds = setup_.pipeline ? 1 : 0;
    tally_.records = witness_.records();
    tally_.trades = witness_.trades();
    for (const Trader& trader : traders_) tally_.answers += trader.heard();
    if (!finding) return std::nullopt;
    return Failure{seed_, chronicle_.reported_with(seed_, step_, *finding)};
}

template <class F>
bool World::survives(F&& f) {
    if (mortality_.survives(std::forward<F>(f))) return true;
    disk_.orphaned = true;
    note(told(planned_));
    return false;
}

Finding World::step(bool asking) {
    clock_.advance(1'000 + random_.below(40'000));
    if (asking) make_trouble();
    network_.advance();
    if (process_ == nullptr) {
        if (down_ > 0)
            --down_;
        else if (Finding finding = start_exchange())
            return finding;
    } else if (Finding finding = step_exchange()) {
        return finding;
    }
    if (Finding finding = look()) return finding;
    if (Finding finding = step_traders(asking)) return finding;
    return check_service();
}

Finding World::step_exchange() {
    if (std::exchange(close_asked_, false)) return stop_exchange(Stop::close);
    const std::uint32_t slow = faulty_ > 0 ? 4 : 1;  // a failing disk is slow, too
    const bool alive = survives([&] {
        if (random_.below(10) < 7) process_->turn();
        if (chance_in(3)) process_->keep();
        if (chance_in(2 * slow)) process_->sync();
        if (chance_in(3)) process_->follow();
        const auto agents = static_cast<std::uint32_t>(process_->agents());
        for (std::uint32_t i = random_.below(4 * agents + 1); i > 0; --i)
            process_->step_agent(random_.below(agents));
        if (chance_in(8)) process_->turn();
    });
    if (!alive) return stop_exchange(planned_);
    if (!process_->stopped()) return std::nullopt;
    note("trading stopped: " + process_->writer().refusal());
    if (!disk_failed_) return "trading stopped without a reason";
    return stop_exchange(Stop::kill);
}

Finding World::step_traders(bool asking) {
    const auto count = static_cast<std::uint32_t>(traders_.size());
    const std::uint32_t first = random_.below(count);
    const auto now_us = static_cast<std::uint64_t>(clock_.time_of_day_ns() / 1'000);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t which = (first + i) % count;
        if (random_.below(3) == 0 && !(steady_ && which == 0)) continue;
        if (Finding finding = traders_[which].step(network_, now_us, asking)) return finding;
    }
    return std::nullopt;
}

void World::attach_conversations() {
    for (Trader& trader : traders_) {
        Conversation* const conversation = trader.conversation();
        const std::uint64_t accepted = trader.socket().accepted_as();
        if (conversation == nullptr || conversation->session || accepted <= first_accepted_)
            continue;
        witness_.attach({first_session_.value + accepted - first_accepted_}, *conversation);
    }
}

// Reads the records of the exchange, and compares its state with them.
Finding World::look() {
    if (process_ == nullptr) return std::nullopt;
    attach_conversations();
    if (Finding finding = witness_.follow(disk_, k_folder)) return finding;
    if (witness_.records() != process_->writer().appended_position())
        return fmt::format("the journal gives {} records of {}", witness_.records(),
                           process_->writer().appended_position());
    if (Finding finding = compare_state(witness_.state_hash(), "what its journal says"))
        return finding;
    if (process_->gateway().connections() > network_.host_sockets())
        return "the exchange keeps more connections than there are";
    return std::nullopt;
}

// Unless work is in progress.
Finding World::compare_state(std::uint64_t hash, const char* what) {
    if (!options_.compare_state) return std::nullopt;
    const std::optional<std::uint64_t> own = process_->exchange().state_hash();
    if (!own || *own == hash) return std::nullopt;
    return fmt::format("the state of the exchange is not {}", what);
}

// A correct client is served, whatever the others do.
Finding World::check_service() {
    if (!steady_) return std::nullopt;
    const Trader& steady = traders_.front();
    const bool waits = process_ != nullptr && !disk_failed_ && steady.connected() &&
                       steady.conversation()->unanswered() > 0;
    waiting_ = waits ? waiting_ + 1 : 0;
    constexpr std::uint32_t k_patience = 150;
    if (waiting_ < k_patience || steady.conversation()->session.value == 0) return std::nullopt;
    if (steady.heard() != std::exchange(steady_heard_, steady.heard())) {
        waiting_ = 0;
        return std::nullopt;
    }
    return "a correct client waits for its answer: " + steady.state();
}

Finding World::start_exchange() {
    disk_failed_ = faulty_ > 0;
    recovery_seen_ = false;
    process_ = std::make_unique<simulation::ExchangeProcess>(network_, disk_, clock_, setup_);
    journal::Result<void> started;
    if (!survives([&] { started = process_->start(); })) return stop_exchange(planned_);
    if (!started) {
        note("no start: " + started.error());
        process_.reset();
        if (!disk_failed_) return "it does not start: " + started.error();
        down_ = faulty_ + 1;
        return std::nullopt;
    }
    return after_start();
}

// Even if the process crashes before it has started completely.
Finding World::look_at_recovery() {
    if (std::exchange(recovery_seen_, true)) return std::nullopt;
    const std::uint64_t kept = process_->recovery().last_sequence;
    note(fmt::format("the exchange starts with {} records of {}; {}", kept, appended_,
                     process_->recovery().cut));
    if (kept < must_keep_)
        return fmt::format("record {} was acknowledged or synced, and {} were kept", must_keep_,
                           kept);
    tally_.lost_records += appended_ - std::min(kept, appended_);
    return witness_.return_to(disk_, k_folder, kept);
}

Finding World::after_start() {
    if (Finding finding = look_at_recovery()) return finding;
    first_session_ = process_->exchange().last_session();
    first_accepted_ = network_.accepted();
    if (Finding finding = look()) return finding;
    if (!options_.compare_state) return std::nullopt;
    const auto replayed = journal::verify<standard_exchange::ExchangeState<>>(disk_, k_folder);
    if (!replayed) return "the journal does not verify: " + replayed.error();
    if (process_->began_with() > 0) ++tally_.snapshot_starts;
    if (replayed->journal.first_sequence > 1) ++tally_.shortened_starts;
    return compare_state(replayed->state_hash, "that of a fresh replay of its journal");
}

// The number of records that survive any failure of the machine.
std::uint64_t World::least_on_disk() {
    std::uint64_t least = process_->writer().synced_position();
    if (setup_.journal.durability == journal::Durability::async) return least;
    for (const Trader& trader : traders_)
        if (trader.conversation() != nullptr)
            least = std::max(least, trader.conversation()->acknowledged());
    return least;
}

Finding World::stop_exchange(Stop how) {
    mortality_.spare();
    if (process_->has_journal()) {
        if (Finding finding = look_at_recovery()) return finding;
        attach_conversations();
        if (Finding finding = witness_.follow(disk_, k_folder)) return finding;
        if (how == Stop::close) {
            note(told(how));
            process_->close();
            if (Finding finding = witness_.follow(disk_, k_folder)) return finding;
        }
        appended_ = process_->writer().appended_position();
        on_disk_ = least_on_disk();
        must_keep_ = appended_;
    }
    if (how == Stop::power) must_keep_ = on_disk_;
    if (how == Stop::power) network_.lose_power();
    tally_.snapshots += process_->snapshots();
    disk_.orphaned = true;
    process_.reset();
    disk_.orphaned = false;
    witness_.part();
    // After an orderly shutdown the power may fail as well.
    if (how == Stop::power || (how == Stop::close && random_.coin())) {
        if (disk_failed_) must_keep_ = on_disk_;
        disk_.lose_power();
    }
    tally_.count(how);
    down_ = random_.below(60);
    if (chance_in(20))
        clock_.set_by((static_cast<std::int64_t>(random_.below(4'000)) - 2'000) * 1'000'000);
    if (chance_in(4))
        if (Finding finding = try_flipped_bit()) return finding;
    return chance_in(4) ? try_spoilt_snapshot() : std::nullopt;
}

// Ends the world in order: all reports are delivered, all clients leave, and nothing is left over.
Finding World::settle() {
    constexpr std::uint32_t k_most_steps = 3'000;
    mortality_.spare();
    faulty_ = 0;
    disk_.full = disk_.sync_fails = false;
    note("peace");
    // A process that waits for disk space retries after a second, which is long here.
    if (process_ != nullptr && disk_failed_)
        if (Finding finding = stop_exchange(Stop::kill)) return finding;
    down_ = 0;
    const auto served = [](const Trader& trader) {
        return !trader.connected() || trader.is_served();
    };
    for (std::uint32_t i = 0; i < k_most_steps; ++i, ++step_) {
        if (Finding finding = step(false)) return finding;
        if (process_ != nullptr && i > 200 && std::ranges::all_of(traders_, served)) break;
    }
    for (const Trader& trader : traders_) {
        if (served(trader)) continue;
        const Conversation& conversation = *trader.conversation();
        const Message* const unreported = conversation.next_unreported();
        return fmt::format(
            "client {} (session {}) is not told everything: {} requests without an "
            "answer; next in the journal: {}; {}",
            trader.client(), conversation.session.value, conversation.unanswered(),
            unreported == nullptr ? "nothing" : describe(*unreported), trader.state());
    }
    for (Trader& trader : traders_) trader.leave();
    for (std::uint32_t i = 0; i < 300; ++i, ++step_)
        if (Finding finding = step(false)) return finding;
    std::uint64_t vanished = 0;
    for (const Trader& trader : traders_) vanished += trader.vanished();
    if (network_.host_sockets() > vanished)
        return fmt::format("all have left, and the exchange keeps {} connections ({} vanished)",
                           network_.host_sockets(), vanished);
    return witness_.compare_books();
}

}  // namespace damrak::simulation
