#include <damrak/recorded_market/drift.hpp>

#include <array>
#include <bit>

namespace damrak::recorded_market {

namespace {

constexpr std::array k_fields{
    &DriftCounts::messages,        &DriftCounts::taken,      &DriftCounts::missed_trades,
    &DriftCounts::missed_quantity, &DriftCounts::withdrawn,  &DriftCounts::differences,
    &DriftCounts::refused,         &DriftCounts::not_played, &DriftCounts::revealed};

std::size_t place_of(std::uint64_t DriftCounts::* what) {
    std::size_t place = 0;
    while (k_fields[place] != what) ++place;
    return place;
}

}  // namespace

DriftCounts& DriftCounts::operator+=(const DriftCounts& other) {
    for (const auto field : k_fields) this->*field += other.*field;
    return *this;
}

Drift::Drift(std::uint32_t instruments)
    : count_(instruments),
      cells_(std::make_unique<Cells[]>(instruments + std::size_t{1})),
      since_ns_(std::make_unique<std::atomic<std::int64_t>[]>(instruments + std::size_t{1})) {
    for (std::uint32_t id = 0; id <= count_; ++id) since_ns_[id] = k_never;
}

void Drift::add(InstrumentId id, std::uint64_t DriftCounts::* what, std::uint64_t more) {
    static_assert(k_fields.size() == k_counts);
    std::atomic<std::uint64_t>& cell = cells_[place(id)][place_of(what)];
    cell.store(cell.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
    const bool differs = what != &DriftCounts::messages && what != &DriftCounts::not_played;
    std::atomic<std::int64_t>& since_ns = since_ns_[place(id)];
    if (!differs || since_ns.load(std::memory_order_relaxed) != k_never) return;
    since_ns.store(time_ns_, std::memory_order_relaxed);
    differing_.fetch_add(1, std::memory_order_relaxed);
}

DriftCounts Drift::of(InstrumentId id) const {
    DriftCounts counts;
    const Cells& cells = cells_[place(id)];
    for (std::size_t i = 0; i < k_fields.size(); ++i)
        counts.*k_fields[i] = cells[i].load(std::memory_order_relaxed);
    return counts;
}

std::optional<std::int64_t> Drift::differs_since_ns(InstrumentId id) const {
    const std::int64_t since_ns = since_ns_[place(id)].load(std::memory_order_relaxed);
    return since_ns == k_never ? std::nullopt : std::optional{since_ns};
}

DriftCounts Drift::total() const {
    DriftCounts sum;
    for (std::uint32_t id = 0; id <= count_; ++id) sum += of(InstrumentId{id});
    return sum;
}

}  // namespace damrak::recorded_market
