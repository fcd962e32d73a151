#include <damrak/feed/market_snapshots.hpp>

#include <utility>

namespace damrak::feed {

namespace {

// Events that may change the public market.
bool concerns_market(EventKind kind) {
    switch (kind) {
        case EventKind::accepted:
        case EventKind::executed:
        case EventKind::cancelled:
        case EventKind::replaced:
        case EventKind::expired:
        case EventKind::triggered:
        case EventKind::refreshed:
        case EventKind::rested:
        case EventKind::trading_state_changed:
        case EventKind::phase_changed:
            return true;
        default:
            return false;
    }
}

}  // namespace

MarketSnapshots::MarketSnapshots(std::uint32_t maximum_instruments)
    : instruments_(maximum_instruments),
      slots_(std::make_unique<Slot[]>(maximum_instruments)) {}  // NOLINT(modernize-avoid-c-arrays)

void MarketSnapshots::want(InstrumentId id, std::uint64_t position) {
    slots_[id.value - 1].wanted.store(position + 1, std::memory_order_release);
    requests_.fetch_add(1, std::memory_order_release);
}

void MarketSnapshots::forget(InstrumentId id) {
    slots_[id.value - 1].wanted.store(0, std::memory_order_release);
    requests_.fetch_add(1, std::memory_order_release);
}

bool MarketSnapshots::look(InstrumentId id, MarketSnapshot& view) {
    Slot& slot = slots_[id.value - 1];
    const std::unique_lock lock{slot.mutex, std::try_to_lock};
    if (!lock) return false;
    const MarketSnapshot& now = slot.view;
    if (view.version == now.version) return true;
    view.sides = now.sides;
    if (now.traded - view.traded > MarketSnapshot::k_trades)
        view.traded = now.traded - MarketSnapshot::k_trades;
    while (view.traded != now.traded) view.add(now.trade(view.traded));
    view.status = now.status;
    view.position = now.position;
    view.version = now.version;
    view.time = now.time;
    return true;
}

void MarketSnapshotWriter::on_event(const Event& event, const CommandStamp& stamp) {
    position_ = stamp.sequence.value;
    time_ = stamp.timestamp;
    if (!concerns_market(event.kind)) return;
    const bool is_trade = event.kind == EventKind::executed && adds_to_volume(event);
    if (is_trade)
        last_trades_[event.instrument.value - 1] = {.id = event.trade_id(),
                                                    .price = event.price,
                                                    .quantity = event.quantity,
                                                    .time = stamp.timestamp};
    Watched& of = watched(event.instrument);
    if (!of.wanted) [[likely]]
        return;
    // Older trades would be overwritten anyway.
    if (is_trade && of.trades.size() == MarketSnapshot::k_trades)
        of.trades.erase(of.trades.begin());
    if (is_trade) of.trades.push_back(last_trades_[event.instrument.value - 1]);
    of.time = stamp.timestamp;
    touch(event.instrument);
}

void MarketSnapshotWriter::touch(InstrumentId id) {
    if (!std::exchange(watched(id).changed, true)) changed_.push_back(id);
}

void MarketSnapshotWriter::note_requests() {
    const std::uint64_t requests = snapshots_->requests();
    if (requests == requests_ && !std::exchange(ask_again_, false)) return;
    requests_ = requests;
    for (std::uint32_t i = 1; i <= snapshots_->instruments(); ++i) {
        const InstrumentId id{i};
        Watched& of = watched(id);
        const std::uint64_t wanted = snapshots_->wanted(id);
        if (wanted == 0) {
            of = {};
            continue;
        }
        const bool is_new = !std::exchange(of.wanted, true);
        // The first snapshot includes the last trade.
        const SnapshotTrade& last = last_trades_[i - 1];
        if (is_new && last.id) of.trades.assign(1, last);
        if (is_new) of.time = last.time;
        if (!is_new && wanted == of.asked_after + 1) continue;
        // A reader that asks repeatedly does not delay earlier requests.
        if (of.asked) {
            ask_again_ = true;
            continue;
        }
        of.asked_after = wanted - 1;
        of.asked = true;
        asked_.push_back(id);
    }
}

}  // namespace damrak::feed
