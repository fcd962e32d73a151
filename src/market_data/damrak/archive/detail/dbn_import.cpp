#include <damrak/archive/detail/dbn_import.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <damrak/wire/itch/directory.hpp>

namespace damrak::archive {

namespace itch = wire::itch;

namespace {

std::optional<std::uint32_t> price_of(std::int64_t price_e9) {
    constexpr std::int64_t k_finer = 100'000;
    if (price_e9 < 0 || price_e9 % k_finer != 0) return std::nullopt;
    const std::int64_t price_e4 = price_e9 / k_finer;
    if (price_e4 > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
    return static_cast<std::uint32_t>(price_e4);
}

}  // namespace

std::string DbnImport::symbol_of(std::uint32_t instrument) const {
    const std::string number = fmt::format("{}", instrument);
    const auto of = std::ranges::find(metadata_->mappings, number, &wire::dbn::Mapping::found);
    return of == metadata_->mappings.end() ? number : of->asked;
}

// Instruments with duplicate names, or names that ITCH cannot carry, are named by their number or
// locate.
const DbnImport::Listed* DbnImport::listed(std::uint32_t instrument) {
    if (const auto known = listed_.find(instrument); known != listed_.end()) return &known->second;
    if (listed_.size() == std::numeric_limits<std::uint16_t>::max()) {
        too_many_ = true;
        return nullptr;
    }
    Listed one{.locate = static_cast<std::uint16_t>(listed_.size() + 1), .stock = {}};
    for (const std::string& name :
         {symbol_of(instrument), fmt::format("{}", instrument), fmt::format("#{}", one.locate)}) {
        const auto stock = itch::Stock::from(name);
        if (!stock || name.empty() || std::ranges::any_of(listed_, [&](const auto& other) {
                return other.second.stock == *stock;
            }))
            continue;
        one.stock = *stock;
        break;
    }
    writer_->add(itch::plain_directory(one.locate, now_ns_, one.stock, 1));
    return &listed_.emplace(instrument, one).first->second;
}

void DbnImport::on(const wire::dbn::Mbo& event) {
    constexpr std::uint64_t k_undefined = std::numeric_limits<std::uint64_t>::max();
    constexpr std::uint64_t k_day_ns = 86'400'000'000'000;
    if (now_ns_ < 0) {
        const bool says = metadata_->start_ns != 0 && metadata_->start_ns != k_undefined;
        const std::uint64_t start = says ? metadata_->start_ns : event.event_ns;
        midnight_ns_ = start - start % k_day_ns;
        now_ns_ = 0;
    }
    // Orders of a snapshot have times of earlier days, and some feeds go back slightly in time.
    // ITCH times have 48 bits of nanoseconds.
    constexpr std::uint64_t k_most_ns = (std::uint64_t{1} << 48U) - 1;
    if (event.event_ns != k_undefined && event.event_ns > midnight_ns_)
        now_ns_ = std::max(
            now_ns_, static_cast<std::int64_t>(std::min(event.event_ns - midnight_ns_, k_most_ns)));
    const Listed* const of = listed(event.instrument);
    if (of == nullptr) return;
    const Key key{of->locate, event.order};
    const auto known = open_.find(key);
    switch (event.action) {
        case 'A':
            add(event, *of);
            break;
        case 'M':
            change(event, *of);
            break;
        case 'C':
            if (known != open_.end()) take(key, std::min(event.size, known->second.shares));
            break;
        case 'F':
            if (known != open_.end()) known->second.filled += event.size;
            break;
        case 'R':
            clear(*of);
            break;
        default:
            break;
    }
}

void DbnImport::add(const wire::dbn::Mbo& event, const Listed& listed) {
    const Key key{listed.locate, event.order};
    if (const auto known = open_.find(key); known != open_.end()) take(key, known->second.shares);
    const auto price = price_of(event.price_e9);
    if (!price || (event.side != 'A' && event.side != 'B')) {
        ++left_out_;
        return;
    }
    if (event.size == 0) return;
    const bool is_free = references_.insert(event.order).second;
    const Open open{
        .reference = is_free ? event.order : ++renamed_, .price_e4 = *price, .shares = event.size};
    if (!is_free) references_.insert(open.reference);
    open_.emplace(key, open);
    writer_->add(itch::AddOrder{.stock_locate = listed.locate,
                                .tracking_number = 0,
                                .timestamp_ns = now_ns_,
                                .order_ref = open.reference,
                                .side = event.side == 'B' ? Side::buy : Side::sell,
                                .shares = open.shares,
                                .stock = listed.stock,
                                .price_e4 = open.price_e4});
}

// A smaller size at the same price keeps its priority; every other change is a new order.
void DbnImport::change(const wire::dbn::Mbo& event, const Listed& listed) {
    const Key key{listed.locate, event.order};
    const auto known = open_.find(key);
    if (known == open_.end()) return add(event, listed);
    const Open& open = known->second;
    if (price_of(event.price_e9) == open.price_e4 && event.size <= open.shares)
        return take(key, open.shares - event.size);
    add(event, listed);
}

void DbnImport::take(const Key& key, std::uint32_t shares) {
    Open& open = open_.at(key);
    const std::uint32_t executed = std::min(open.filled, shares);
    const std::uint32_t cancelled = shares - executed;
    const auto put = [&](auto message) {
        message.stock_locate = key.first;
        message.timestamp_ns = now_ns_;
        message.order_ref = open.reference;
        writer_->add(message);
    };
    if (executed > 0) {
        itch::OrderExecuted message;
        message.executed_shares = executed;
        message.match_number = ++matches_;
        put(message);
    }
    open.filled -= executed;
    open.shares -= executed;
    if (cancelled > 0 && cancelled == open.shares) {
        put(itch::OrderDelete{});
    } else if (cancelled > 0) {
        itch::OrderCancel message;
        message.cancelled_shares = cancelled;
        put(message);
    }
    open.shares -= cancelled;
    if (open.shares > 0) return;
    references_.erase(open.reference);
    open_.erase(key);
}

void DbnImport::clear(const Listed& listed) {
    for (auto next = open_.lower_bound({listed.locate, 0});
         next != open_.end() && next->first.first == listed.locate;) {
        const auto [key, open] = *next;
        ++next;
        take(key, open.shares);
    }
}

}  // namespace damrak::archive
