#include "serve/exchange.hpp"

#include <chrono>
#include <random>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <damrak/journal/restore.hpp>

#include "cli.hpp"
#include "serve/changes.hpp"
#include "serve/watch.hpp"

namespace damrak::app {

namespace {

journal::JournalIdentity new_identity(const EngineConfig& engine) {
    std::random_device chance;
    const auto draw = [&chance] { return std::uint64_t{chance()} << 32U | chance(); };
    return {.instance = {draw(), draw()}, .engine = engine};
}

// FIX clients were told what a journal held that is not there: a new one would contradict them.
journal::Result<void> check_reported(const ServeSettings& settings,
                                     const journal::Recovery& journal, std::uint64_t told) {
    if (journal.identity || told == 0 || told == UINT64_MAX) return {};
    return std::unexpected{fmt::format(
        "{} holds FIX sessions that were told up to record {}, and {} holds no journal: restore "
        "its segments from a copy, or move the sessions away too to begin a new, empty journal",
        settings.fix_folder().string(), told, settings.data.string())};
}

}  // namespace

Exchange::Exchange(const ServeSettings& settings)
    : settings_(settings),
      trading_(make_trading(settings)),
      follower_(std::make_unique<Follower>(settings.capacity)) {
    fix_market_ = std::make_unique<FixMarket>(settings.capacity, follower_->state());
    if (trading_->show(fix_market_->snapshots())) follower_->add_patient(*fix_market_);
    follower_->add_patient(trades_);
}

journal::Result<void> Exchange::recover() {
    const auto start = std::chrono::steady_clock::now();
    auto& files = journal::real_files();
    if (const auto opened = trading_->open(); !opened) return opened;
    FollowedState& state = follower_->state();
    state.follow_all_orders(settings_.fix.has_drop_copies());
    auto restored = journal::restore(
        files, settings_.data, new_identity(settings_.capacity), state,
        {.latest_snapshot = trading_->latest_snapshot(),
         .on_loaded = [&] { trading_->follow_replay(state); },
         .on_records =
             [&](std::span<const journal::Record> records) { trading_->note_records(records); }});
    state.observer().tell_fix_events({});
    state.follow_all_orders(settings_.fix.has_drop_copies());
    if (!restored) return std::unexpected{std::move(restored.error())};
    const auto told = check_reported(settings_, restored->journal, trading_->latest_snapshot());
    if (!told) return told;
    if (restored->journal.last_sequence > 0)
        if (auto clock = check_clock(settings_, restored->journal.last_timestamp, system_time());
            !clock)
            return clock;
    auto opened = journal::Journal::open(files, settings_.journal(), restored->journal,
                                         restored->identity, system_time());
    if (!opened) return std::unexpected{opened.error()};
    journal_ = std::move(*opened);
    recovered_.journal = std::move(restored->journal);
    recovered_.snapshot = restored->snapshot;
    recovered_.notes = std::move(restored->notes);
    // A journal of smaller capacities is gone on with by those, until the command that raises them.
    if (recovered_.journal.last_sequence > 0 || restored->identity.engine != settings_.capacity)
        trading_->take_over(state);
    recovered_.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return {};
}

journal::Result<void> Exchange::start() {
    helpers_.emplace(*journal_);
    const std::uint64_t last = recovered_.journal.last_sequence;
    trading_->start(journal_->writer());
    if (const auto applied = apply(settings_); !applied) return std::unexpected{applied.error()};
    if (auto started = follower_->start(*journal_, settings_, last, recovered_.snapshot); !started)
        return started;
    if (auto used = trading_->use_certificates(settings_.fix.tls); !used) return used;
    return trading_->listen();
}

void Exchange::close() {
    trading_->close();
    trading_->note_all_reported(journal_->writer().appended_position());
    helpers_.reset();
    follower_->stop();
}

// The commands that make the market what is wanted; how many there were.
journal::Result<std::size_t> Exchange::apply(const ServeSettings& wanted) {
    const auto room = capacities_command(wanted, trading_->market().capacities);
    if (room && !trading_->submit(*room)) return std::unexpected{journal_->writer().refusal()};
    const auto plan = plan_changes(wanted, trading_->market());
    if (!plan) return std::unexpected{plan.error()};
    for (const Command& command : *plan)
        if (!trading_->submit(command)) return std::unexpected{journal_->writer().refusal()};
    return plan->size() + (room ? 1 : 0);
}

journal::Result<std::string> Exchange::reload(const ServeSettings& wanted) {
    if (const auto fixed = fixed_differences(settings_, wanted); !fixed.empty())
        return std::unexpected{
            fmt::format("{} cannot change while the exchange runs", fmt::join(fixed, ", "))};
    if (auto used = trading_->use_certificates(wanted.fix.tls); !used)
        return std::unexpected{std::move(used.error())};
    const auto applied = apply(wanted);
    if (!applied) return std::unexpected{applied.error()};
    const auto own_key = settings_.own_key;
    const bool identified_only =
        (settings_.identified_only || wanted.has_identities()) && !wanted.anonymous;
    settings_ = wanted;
    settings_.own_key = own_key;
    settings_.identified_only = identified_only;
    trading_->set_identities(settings_);
    const bool nobody = identified_only && !wanted.has_identities();
    return fmt::format("{}; {}{}", counted(static_cast<std::int64_t>(*applied), "command"),
                       wanted.credentials(),
                       nobody ? ": nobody can log in until a reload brings one (a start without "
                                "any is open to everyone)"
                              : "");
}

}  // namespace damrak::app
