#include "serve_follower.hpp"

#include <chrono>
#include <cstdio>
#include <stop_token>
#include <utility>

#include <fmt/format.h>

#include <damrak/base/precedence.hpp>

#include "serve_helpers.hpp"

namespace damrak::app {

void MarketObservers::on_event(const Event& event, const CommandStamp& stamp) {
    for (MarketObserver* const observer : observers_) observer->on_event(event, stamp);
}

void MarketObservers::on_batch_end(bool caught_up) {
    for (MarketObserver* const observer : observers_) observer->on_batch_end(caught_up);
}

void MarketObservers::on_turn(std::int64_t now_ns) {
    for (MarketObserver* const observer : observers_) observer->on_turn(now_ns);
}

journal::Result<void> Follower::start(journal::Journal& journal, const ServeSettings& settings,
                                      std::uint64_t after, std::uint64_t snapshot) {
    auto& files = journal::real_files();
    auto reader = journal::JournalReader::open(files, settings.data, after + 1);
    if (!reader) return std::unexpected{reader.error()};
    const journal::JournalWriter& writer = journal.writer();
    replica_.emplace(
        files,
        journal::ReplicaConfig{.directory = settings.data,
                               .snapshot_every = settings.snapshot_every,
                               .retention = settings.retention()},
        journal.identity(), std::move(*reader), state_,
        journal::JournalPositions{.appended = [&writer] { return writer.appended_position(); },
                                  .synced = [&writer] { return writer.synced_position(); }},
        snapshot);
    thread_ = std::jthread{[this](const std::stop_token& stop) { run(stop); }};
    return {};
}

void Follower::run(const std::stop_token& stop) {
    give_way();  // it may lag; where cores are few, the exchange and its clients come first
    while (!stop.stop_requested()) {
        const std::int64_t now_ns = system_time().value;
        const std::size_t work = replica_->do_work(now_ns);
        state_.observer().on_turn(now_ns);
        if (work > 0) {
            std::this_thread::yield();
            continue;
        }
        tell_trouble();
        std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
}

// Once each: the exchange goes on.
void Follower::tell_trouble() {
    const std::string trouble = replica_->trouble();
    if (trouble == told_) return;
    fmt::print(stderr, "note         behind the exchange: {}\n", trouble);
    told_ = trouble;
}

void Follower::stop() {
    if (!thread_.joinable()) return;
    thread_.request_stop();
    thread_.join();
    replica_->finish(system_time().value);
    tell_trouble();
}

}  // namespace damrak::app
