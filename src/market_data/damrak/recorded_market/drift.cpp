#include <damrak/recorded_market/drift.hpp>

#include <array>
#include <bit>

namespace damrak::recorded_market {

namespace {

constexpr std::array k_fields{&DriftCounts::messages,      &DriftCounts::taken,
                              &DriftCounts::missed_trades, &DriftCounts::missed_quantity,
                              &DriftCounts::withdrawn,     &DriftCounts::differences,
                              &DriftCounts::refused,       &DriftCounts::not_played};

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

void Drift::add(InstrumentId id, std::uint64_t DriftCounts::* what, std::uint64_t more) {
    static_assert(k_fields.size() == k_counts);
    std::atomic<std::uint64_t>& cell = cells_[place(id)][place_of(what)];
    cell.store(cell.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
}

DriftCounts Drift::of(InstrumentId id) const {
    DriftCounts counts;
    const Cells& cells = cells_[place(id)];
    for (std::size_t i = 0; i < k_fields.size(); ++i)
        counts.*k_fields[i] = cells[i].load(std::memory_order_relaxed);
    return counts;
}

DriftCounts Drift::total() const {
    DriftCounts sum;
    for (std::uint32_t id = 0; id <= count_; ++id) sum += of(InstrumentId{id});
    return sum;
}

}  // namespace damrak::recorded_market
