#include <damrak/gateway/fix/detail/market_data.hpp>

#include <algorithm>
#include <string_view>

namespace damrak::gateway::fix {

namespace {

using detail::MarketEntry;
using detail::MarketRefusal;
using detail::MarketTerms;
using views::PublicLevel;

constexpr std::array k_sides{Side::buy, Side::sell};

std::size_t index_of(Side side) { return static_cast<std::size_t>(side); }

MarketEntry entry_of(const PublicLevel& level, Side side, char action) {
    return {.action = action,
            .type = side == Side::buy ? MarketEntry::k_bid : MarketEntry::k_offer,
            .price = level.price,
            .quantity = level.quantity,
            .orders = level.orders};
}

std::string_view id_name(const MarketTerms& terms) {
    switch (terms.subject) {
        case MarketTerms::Subject::security:
            return "SecurityStatusReqID";
        case MarketTerms::Subject::session:
            return "TradSesReqID";
        case MarketTerms::Subject::book:
            break;
    }
    return "MDReqID";
}

// Walks over what was reported and what holds now, both best first: adds what is gone, or all else.
void add_differences(std::span<const PublicLevel> told, std::span<const PublicLevel> now, Side side,
                     bool what_is_gone, std::vector<MarketEntry>& into) {
    const auto is_better = [side](const PublicLevel& a, const PublicLevel& b) {
        return side == Side::buy ? a.price > b.price : a.price < b.price;
    };
    while (!told.empty() || !now.empty()) {
        const bool gone = now.empty() || (!told.empty() && is_better(told[0], now[0]));
        const bool fresh = told.empty() || (!now.empty() && is_better(now[0], told[0]));
        const bool other = !gone && (fresh || told[0] != now[0]);
        if (gone && what_is_gone) into.push_back(entry_of(told[0], side, MarketEntry::k_delete));
        if (other && !what_is_gone)
            into.push_back(
                entry_of(now[0], side, fresh ? MarketEntry::k_new : MarketEntry::k_change));
        if (!fresh) told = told.subspan(1);
        if (!gone) now = now.subspan(1);
    }
}

}  // namespace

std::expected<void, MarketRefusal> FixMarketData::take(std::uint32_t client, const budget::Who& who,
                                                       const detail::MarketRequest& request,
                                                       std::uint64_t position, Timestamp now) {
    const auto of_client = [&](const auto& line) { return line->client == client; };
    const auto of_request = [&](const auto& line) {
        return of_client(line) && line->terms->id == request.terms.id &&
               line->terms->subject == request.terms.subject;
    };
    const bool is_known = std::ranges::any_of(lines_, of_request);
    if (request.terms.kind == MarketTerms::Kind::unsubscribe) {
        if (!is_known)
            return std::unexpected{MarketRefusal{
                .reason = '\0',
                .text = detail::FixText{"no subscription has this {}", id_name(request.terms)}}};
        for (const auto& line : lines_) line->over |= of_request(line);
        sweep();
        return {};
    }
    if (is_known)
        return std::unexpected{
            MarketRefusal{.reason = MarketRefusal::k_duplicate_id,
                          .text = detail::FixText{"this {} is in use", id_name(request.terms)}}};
    const auto too_much = [](const detail::FixText& text) {
        return std::unexpected{MarketRefusal{.reason = MarketRefusal::k_too_much, .text = text}};
    };
    const auto has = static_cast<std::size_t>(std::ranges::count_if(lines_, of_client));
    if (has + request.instruments.size() > k_most_lines_of_client)
        return too_much(detail::FixText{"more than {} instruments are watched by one client",
                                        k_most_lines_of_client});
    std::vector<budget::Row::Place> places;
    for (std::size_t i = 0; i < request.instruments.size(); ++i) {
        auto place = row_->take(who);
        if (!place)
            return too_much(
                detail::FixText{"no more may be watched: {}", budget::text(place.error())});
        places.push_back(*std::move(place));
    }
    auto place = places.begin();
    const auto terms = std::make_shared<const MarketTerms>(request.terms);
    for (const InstrumentDefinition* const instrument : request.instruments) {
        Watch& watch = watches_[instrument->id.value];
        ++watch.lines;
        auto line = std::make_unique<Line>();
        line->client = client;
        line->place = std::move(*place++);
        line->terms = terms;
        line->instrument = instrument;
        line->watch = &watch;
        line->position = position;
        line->asked = now;
        lines_.push_back(std::move(line));
        snapshots_->want(instrument->id, position);
    }
    again_ = true;
    return {};
}

void FixMarketData::drop(std::uint32_t client) {
    bool any = false;
    for (const auto& line : lines_) {
        if (line->client != client) continue;
        line->over = true;
        any = true;
    }
    if (any) sweep();
}

void FixMarketData::sweep() {
    for (const auto& line : lines_) {
        if (!line->over || --line->watch->lines > 0) continue;
        snapshots_->forget(line->instrument->id);
        watches_.erase(line->instrument->id.value);
    }
    std::erase_if(lines_, [](const auto& line) { return line->over; });
    next_ = 0;
    left_ = lines_.size();
}

bool FixMarketData::has_news(Timestamp now) {
    const std::uint64_t version = snapshots_->version();
    if (version != seen_ || (again_ && now >= again_at_)) {
        seen_ = version;
        left_ = lines_.size();
        again_ = false;
        again_at_ = {now.value + k_again_ns};
    }
    return left_ > 0;
}

// Whether there is something that was not reported to it.
bool FixMarketData::look(Line& line) {
    Watch& watch = *line.watch;
    if (watch.seen != seen_) {
        if (snapshots_->look(line.instrument->id, watch.view)) {
            watch.seen = seen_;
        } else {
            again_ = true;
        }
    }
    return watch.view.version != line.version && watch.view.position >= line.position;
}

FixMarketData::Visible FixMarketData::visible(const Line& line) {
    const MarketTerms& terms = *line.terms;
    Visible sides;
    for (const Side side : k_sides) {
        if (!(side == Side::buy ? terms.bids : terms.offers)) continue;
        const std::span<const PublicLevel> all{line.watch->view.sides[index_of(side)]};
        sides[index_of(side)] = all.first(
            terms.depth == 0 ? all.size() : std::min<std::size_t>(terms.depth, all.size()));
    }
    return sides;
}

// False: nothing of what it wants to see has changed.
bool FixMarketData::collect(const Line& line) {
    entries_.clear();
    if (is_snapshot(line)) {
        collect_snapshot(line);
        const Visible now = visible(line);
        const bool same_trades = !line.terms->trades || line.traded == line.watch->view.traded;
        return line.version == 0 || !same_trades || !std::ranges::equal(now[0], line.sides[0]) ||
               !std::ranges::equal(now[1], line.sides[1]);
    }
    collect_changes(line);
    return !entries_.empty();
}

void FixMarketData::collect_snapshot(const Line& line) {
    const Visible now = visible(line);
    for (const Side side : k_sides)
        for (const PublicLevel& level : now[index_of(side)])
            entries_.push_back(entry_of(level, side, MarketEntry::k_new));
    // The last one, if there was none since it was reported before.
    const std::uint64_t traded = line.watch->view.traded;
    const bool has_new = line.version != 0 && line.traded != traded;
    collect_trades(line, has_new || traded == 0 ? line.traded : traded - 1);
}

void FixMarketData::collect_changes(const Line& line) {
    const Visible now = visible(line);
    // At no time is there more of the book than there ever was.
    for (const bool what_is_gone : {true, false})
        for (const Side side : k_sides)
            add_differences(line.sides[index_of(side)], now[index_of(side)], side, what_is_gone,
                            entries_);
    collect_trades(line, line.traded);
}

void FixMarketData::collect_trades(const Line& line, std::uint64_t from) {
    if (!line.terms->trades) return;
    const feed::MarketSnapshot& view = line.watch->view;
    if (view.traded > feed::MarketSnapshot::k_trades)
        from = std::max(from, view.traded - feed::MarketSnapshot::k_trades);
    for (; from < view.traded; ++from) {
        const feed::SnapshotTrade& trade = view.trade(from);
        entries_.push_back({.action = MarketEntry::k_new,
                            .type = MarketEntry::k_trade,
                            .price = trade.price,
                            .quantity = trade.quantity,
                            .trade = trade.id,
                            .time = trade.time});
    }
}

void FixMarketData::note_reported(Line& line) {
    const Visible now = visible(line);
    for (std::size_t i = 0; i < now.size(); ++i) line.sides[i].assign(now[i].begin(), now[i].end());
    line.traded = line.watch->view.traded;
    line.status = line.watch->view.status;
    line.version = line.watch->view.version;
}

}  // namespace damrak::gateway::fix
