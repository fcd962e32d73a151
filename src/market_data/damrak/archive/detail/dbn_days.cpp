#include <damrak/archive/detail/dbn_days.hpp>

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <damrak/archive/day_date.hpp>
#include <damrak/archive/day_json.hpp>
#include <damrak/wire/itch/descriptor.hpp>
#include <damrak/wire/itch/directory.hpp>
#include <damrak/wire/itch/view_mark.hpp>

namespace damrak::archive {

namespace itch = wire::itch;

std::expected<void, std::string> DbnDays::move_to(std::uint64_t time_ns,
                                                  const std::function<void()>& carry) {
    constexpr std::uint64_t k_day_ns = 86'400'000'000'000;
    const std::uint64_t day = time_ns / k_day_ns;
    const auto within_ns = static_cast<std::int64_t>(time_ns % k_day_ns);
    const bool is_first = !day_;
    if (is_first || day > *day_) {
        day_ = day;
        now_ns_ = is_first ? within_ns : 0;
        if (auto begun = begin_day(time_ns); !begun) return begun;
        if (!is_first) carry();
    }
    // Some feeds go back slightly in time.
    if (day == *day_) now_ns_ = std::max(now_ns_, within_ns);
    return {};
}

std::expected<void, std::string> DbnDays::begin_day(std::uint64_t time_ns) {
    if (files_->has_begun()) files_->set_depth(depth_);
    if (auto begun = files_->begin(utc_date_of(time_ns), depth_); !begun) return begun;
    ++days_;
    if (depth_.depth == 0) return {};
    itch::SystemEvent opening;
    opening.tracking_number = itch::k_made_by_view;
    opening.timestamp_ns = now_ns_;
    opening.event_code = 'O';
    add(opening);
    return {};
}

std::string DbnDays::symbol_of(std::uint32_t number) const {
    const std::string text = fmt::to_string(number);
    const auto of = std::ranges::find(metadata_->mappings, text, &wire::dbn::Mapping::found);
    return of == metadata_->mappings.end() ? text : of->asked;
}

// Instruments with duplicate names, or names that ITCH cannot carry, are named by their number or
// locate.
DbnInstrument DbnDays::made(std::uint32_t number) const {
    DbnInstrument one{.locate = static_cast<std::uint16_t>(instruments_.size() + 1)};
    for (const std::string& name :
         {symbol_of(number), fmt::to_string(number), fmt::format("#{}", one.locate)}) {
        const auto stock = itch::Stock::from(name);
        if (!stock || name.empty() || std::ranges::any_of(instruments_, [&](const auto& other) {
                return other.second.stock == *stock;
            }))
            continue;
        one.stock = *stock;
        break;
    }
    return one;
}

const DbnInstrument* DbnDays::instrument(std::uint32_t number) {
    auto known = instruments_.find(number);
    if (known == instruments_.end()) {
        if (instruments_.size() == std::numeric_limits<std::uint16_t>::max()) {
            drop("records of more than 65,535 instruments");
            return nullptr;
        }
        known = instruments_.emplace(number, made(number)).first;
    }
    DbnInstrument& one = known->second;
    if (std::exchange(one.listed_on, days_) != days_) {
        auto directory = itch::plain_directory(one.locate, now_ns_, one.stock, 1);
        directory.tracking_number = depth_.depth;
        add(one, directory);
    }
    return &one;
}

std::optional<std::uint32_t> DbnDays::price(std::int64_t price_e9) {
    constexpr std::int64_t k_unit = 100'000;
    if (price_e9 == wire::dbn::k_no_price) {
        drop("orders or trades without a price");
        return std::nullopt;
    }
    if (price_e9 <= 0 || price_e9 / k_unit > itch::k_max_price_e4) {
        ++beyond_;
        return std::nullopt;
    }
    if (price_e9 % k_unit != 0) {
        ++too_fine_;
        return std::nullopt;
    }
    return static_cast<std::uint32_t>(price_e9 / k_unit);
}

// The quantity is revealed for the trade: the book has it besides, and changes by records of its
// own.
void DbnDays::trade_displayed(const DbnInstrument& of, Side resting, std::uint32_t price_e4,
                              std::uint32_t shares) {
    constexpr std::uint64_t k_of_trades = itch::k_anonymous | std::uint64_t{1} << 62U;
    itch::AddOrder revealed;
    revealed.tracking_number = itch::k_made_by_view;
    revealed.order_ref = k_of_trades | ++displayed_trades_;
    revealed.side = resting;
    revealed.shares = shares;
    revealed.stock = of.stock;
    revealed.price_e4 = price_e4;
    add(of, revealed);
    itch::OrderExecuted trade;
    trade.order_ref = revealed.order_ref;
    trade.executed_shares = shares;
    trade.match_number = next_match();
    add(of, trade);
}

void DbnDays::trade_hidden(const DbnInstrument& of, std::optional<Side> resting,
                           std::uint32_t price_e4, std::uint32_t shares) {
    itch::Trade trade;
    if (resting) trade.tracking_number = itch::k_side_is_known;
    trade.side = resting.value_or(Side::buy);
    trade.shares = shares;
    trade.stock = of.stock;
    trade.price_e4 = price_e4;
    trade.match_number = next_match();
    add(of, trade);
}

void DbnDays::note_crossed() {
    if (++crossed_ == 1) first_crossed_ = time_text(now_ns_);
}

std::expected<Imported, std::string> DbnDays::finish() {
    if (files_->has_begun()) files_->set_depth(depth_);
    auto days = files_->close();
    if (!days) return std::unexpected{std::move(days.error())};
    Imported imported;
    imported.days = *std::move(days);
    for (const auto& [kind, count] : dropped_)
        imported.notes.push_back(fmt::format("left out: {} {}", count, kind));
    if (crossed_ > 0)
        imported.notes.push_back(
            fmt::format("{} records left a book whose bid is above its ask, the first at {}",
                        crossed_, first_crossed_));
    if (too_fine_ > 0)
        imported.faults.push_back(fmt::format(
            "{} records with prices finer than 0.0001, which ITCH cannot carry, are left out",
            too_fine_));
    if (beyond_ > 0)
        imported.faults.push_back(fmt::format(
            "{} records with prices of 0 or less, or above 200,000, which ITCH cannot carry, are "
            "left out",
            beyond_));
    return imported;
}

}  // namespace damrak::archive
