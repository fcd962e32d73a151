// FIX market data: which client subscribed to which instruments, and what was sent to each. Turns
// requests and feed::MarketSnapshots into full and incremental refreshes, and into the status of
// instruments. Owned by
// FixMarketRequests, on the thread of the gateways. Once a turn it serves a bounded number of
// subscriptions that have news.
//
// A subscriber gets the difference between the book now and what it was sent last, when there is
// room for it: a slow reader gets fewer updates, and never a queue of old ones.
// A turn without news costs a comparison; a watcher whose instrument changed, a walk over what it
// sees of the book. Memory for a watcher is taken when it asks, up to k_most_lines of them, each
// with a place in a row.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include <damrak/budget/row.hpp>
#include <damrak/domain/instrument.hpp>
#include <damrak/feed/market_snapshots.hpp>
#include <damrak/gateway/fix/detail/market_messages.hpp>
#include <damrak/gateway/fix/detail/market_request.hpp>

namespace damrak::gateway::fix {

class FixMarketData {
  public:
    /// Instruments that all requests together watch, and those of one client.
    static constexpr std::uint32_t k_most_lines = 16'384;
    static constexpr std::size_t k_most_lines_of_client = 1'024;

    /// Both outlive it.
    FixMarketData(feed::MarketSnapshots& snapshots, budget::Row& row)
        : snapshots_(&snapshots), row_(&row) {}

    /// Of client number `client`, with places of `who`. `position`: the record up to which the
    /// client has the reports of its orders; what it is shown is not older.
    [[nodiscard]] std::expected<void, detail::MarketRefusal> take(
        std::uint32_t client, const budget::Who& who, const detail::MarketRequest& request,
        std::uint64_t position, Timestamp now);
    /// All that it watches.
    void drop(std::uint32_t client);
    [[nodiscard]] bool idle() const { return lines_.empty(); }

    /// `teller.has_room(client)`; `teller.tell_snapshot(client, message)`, `teller.tell_changes`
    /// and `teller.tell_status(client, subject, message)`, all three false if that failed for good;
    /// `teller.refuse(client, request, refusal)`.
    template <class Teller>
    void tell(Timestamp now, Teller&& teller);

  private:
    static constexpr std::size_t k_lines_a_turn = 64;
    static constexpr std::size_t k_entries_a_message = 500;
    static constexpr std::int64_t k_again_ns = 1'000'000;
    static constexpr std::int64_t k_patience_ns = 10'000'000'000;

    using Entries = std::vector<detail::MarketEntry>;
    using Levels = std::vector<views::PublicLevel>;
    using Visible = std::array<std::span<const views::PublicLevel>, 2>;

    /// An instrument that is looked at.
    struct Watch {
        feed::MarketSnapshot view;
        std::uint64_t seen = 0;  ///< version of the snapshots
        std::size_t lines = 0;
    };
    /// One instrument of one request.
    struct Line {
        std::uint32_t client = 0;
        budget::Row::Place place;
        std::shared_ptr<const detail::MarketTerms> terms;
        const InstrumentDefinition* instrument = nullptr;
        Watch* watch = nullptr;
        std::uint64_t position = 0;
        Timestamp asked{};
        // What the client was sent last.
        std::array<Levels, 2> sides;
        std::uint64_t traded = 0;
        feed::TradingStatus status;
        std::uint64_t version = 0;  ///< of the view; zero: nothing yet
        bool over = false;
    };

    [[nodiscard]] bool has_news(Timestamp now);
    [[nodiscard]] bool look(Line& line);
    [[nodiscard]] static Visible visible(const Line& line);
    [[nodiscard]] bool collect(const Line& line);
    void collect_snapshot(const Line& line);
    void collect_changes(const Line& line);
    void collect_trades(const Line& line, std::uint64_t from);
    static void note_reported(Line& line);
    template <class Teller>
    [[nodiscard]] bool say(const Line& line, Teller& teller);
    template <class Teller>
    static void refuse(const Line& line, Timestamp now, Teller& teller);
    template <class Teller>
    [[nodiscard]] bool say_book(const Line& line, Teller& teller);
    template <class Teller>
    [[nodiscard]] bool say_status(const Line& line, Teller& teller);
    [[nodiscard]] bool is_snapshot(const Line& line) const {
        return line.version == 0 || !line.terms->incremental;
    }
    void sweep();

    feed::MarketSnapshots* snapshots_;
    budget::Row* row_;
    std::vector<std::unique_ptr<Line>> lines_;
    std::unordered_map<std::uint32_t, Watch> watches_;  ///< by instrument
    Entries entries_;
    std::uint64_t seen_ = 0;  ///< version of the snapshots
    std::size_t next_ = 0;    ///< line
    std::size_t left_ = 0;    ///< lines that are still to be looked at
    bool again_ = false;      ///< some could not be sent what there is
    Timestamp again_at_{};
};

template <class Teller>
void FixMarketData::tell(Timestamp now, Teller&& teller) {
    if (!has_news(now)) return;
    bool any_over = false;
    for (std::size_t told = 0; left_ > 0 && told < k_lines_a_turn; --left_) {
        Line& line = *lines_[next_];
        next_ = (next_ + 1) % lines_.size();
        if (!look(line)) {
            const bool waits = line.version == 0;
            again_ |= waits;
            line.over = waits && now.value - line.asked.value > k_patience_ns;
            if (line.over) refuse(line, now, teller);
        } else if (!teller.has_room(line.client)) {
            again_ = true;
        } else {
            ++told;
            const bool done = say(line, teller);
            note_reported(line);
            line.over = !done || line.terms->kind == detail::MarketTerms::Kind::snapshot;
        }
        any_over |= line.over;
    }
    if (any_over) sweep();
}

template <class Teller>
bool FixMarketData::say(const Line& line, Teller& teller) {
    if (line.terms->subject != detail::MarketTerms::Subject::book) return say_status(line, teller);
    return !collect(line) || say_book(line, teller);
}

template <class Teller>
void FixMarketData::refuse(const Line& line, Timestamp now, Teller& teller) {
    const detail::FixText text{"there is no market data at present"};
    if (line.terms->subject == detail::MarketTerms::Subject::book)
        return teller.refuse(line.client, line.terms->id, {.reason = '\0', .text = text});
    static_cast<void>(teller.tell_status(line.client, line.terms->subject,
                                         {.request = line.terms->id,
                                          .symbol = line.instrument->symbol.view(),
                                          .status = {},
                                          .time = now,
                                          .text = text.view()}));
}

template <class Teller>
bool FixMarketData::say_status(const Line& line, Teller& teller) {
    const feed::MarketSnapshot& view = line.watch->view;
    const bool is_first = line.version == 0;
    if (!is_first && view.status == line.status) return true;
    return teller.tell_status(line.client, line.terms->subject,
                              {.request = line.terms->id,
                               .symbol = line.instrument->symbol.view(),
                               .status = view.status,
                               .unsolicited = !is_first,
                               .time = view.time,
                               .text = {}});
}

template <class Teller>
bool FixMarketData::say_book(const Line& line, Teller& teller) {
    detail::MarketMessage message{.request = line.terms->id,
                                  .instrument = line.instrument,
                                  .time = line.watch->view.time,
                                  .entries = entries_};
    if (is_snapshot(line)) return teller.tell_snapshot(line.client, message);
    const std::span<const detail::MarketEntry> all{entries_};
    for (std::size_t i = 0; i < all.size(); i += message.entries.size()) {
        message.entries = all.subspan(i, std::min(k_entries_a_message, all.size() - i));
        if (!teller.tell_changes(line.client, message)) return false;
    }
    return true;
}

}  // namespace damrak::gateway::fix
