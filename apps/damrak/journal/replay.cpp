#include "journal/replay.hpp"

#include <utility>

#include <fmt/format.h>

#include <damrak/journal/recovery.hpp>
#include <damrak/journal/snapshot.hpp>
#include <damrak/standard_exchange/gateway_states.hpp>

namespace damrak::app {

namespace {

struct Observer {
    JournalReplay::Hearer hearer{};
    void on_event(const Event& event, const CommandStamp& stamp) { hearer(event, stamp); }
    void on_batch_end(bool /*caught_up*/) {}
};

}  // namespace

struct JournalReplay::State {
    State(const EngineConfig& engine, Hearer hearer)
        : exchange(engine, Observer{std::move(hearer)}) {}

    standard_exchange::ExchangeState<Observer> exchange;
};

JournalReplay::JournalReplay(std::unique_ptr<State> state) : state_(std::move(state)) {}
JournalReplay::JournalReplay(JournalReplay&&) noexcept = default;
JournalReplay::~JournalReplay() = default;

journal::Result<JournalReplay> JournalReplay::open(const std::filesystem::path& directory,
                                                   const journal::JournalFolder& contents,
                                                   Hearer hearer) {
    if (contents.segments.empty())
        return std::unexpected{
            fmt::format("{} contains no journal (no journal-….seg file)", directory.string())};
    journal::FileSystem& files = journal::real_files();
    const journal::SegmentHeader& oldest = contents.segments.front().header;
    JournalReplay replay{std::make_unique<State>(oldest.identity.engine, std::move(hearer))};
    if (oldest.first_sequence > 1) {
        const auto loaded = journal::load_newest_snapshot(files, directory, oldest.identity,
                                                          replay.state_->exchange);
        if (!loaded) return std::unexpected{loaded.error()};
        if (loaded->info) replay.first_ = loaded->info->sequence + 1;
    }
    return replay;
}

void JournalReplay::apply(std::span<const journal::Record> records) {
    state_->exchange.apply(records);
}

const InstrumentDefinition* JournalReplay::definition(InstrumentId id) const {
    const InstrumentState* const in = state_->exchange.engine().instrument(id);
    return in == nullptr ? nullptr : &in->definition();
}

std::optional<views::QueuePosition> JournalReplay::queue_position(InstrumentId instrument,
                                                                  OrderId id) const {
    return views::queue_position(state_->exchange.engine(), instrument, id);
}

std::uint64_t JournalReplay::state_hash() const { return state_->exchange.state_hash(); }
std::uint64_t JournalReplay::commands() const { return state_->exchange.progress().commands(); }

views::MarketDepth JournalReplay::depth() const {
    views::MarketDepth depth{state_->exchange.engine().config()};
    depth.load(state_->exchange.engine());
    return depth;
}

}  // namespace damrak::app
