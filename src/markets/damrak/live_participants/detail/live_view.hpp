// The public market of an exchange that runs, as participants see it: public changes and depth,
// from the books of its order-by-order feed.
//
//   LiveView view{books, instruments};
//   view.refresh();                       after the books have moved
//   view.latest({1}).bid …
//
// One thread. A refresh costs the best prices of each instrument that changed; depth() costs the
// displayed levels of one that changed since the last call.
#pragma once

#include <cstdint>
#include <vector>

#include <damrak/client/itch/feed_books.hpp>
#include <damrak/domain/instrument.hpp>
#include <damrak/market_kernel/participant.hpp>

namespace damrak::live_participants {

class LiveView {
  public:
    /// `books` must outlive the view. Instruments are found by their symbol.
    LiveView(const client::FeedBooks& books, const std::vector<InstrumentDefinition>& instruments);

    /// Whether the feed has named all instruments.
    [[nodiscard]] bool is_complete() const;
    /// Symbols that the feed has not named.
    [[nodiscard]] std::vector<std::string> missing() const;

    /// Looks at what changed. Its changes have this time.
    void refresh(Timestamp now);
    /// Between the two last calls of refresh(): bits of MarketNews.
    [[nodiscard]] std::uint8_t news(InstrumentId instrument) const { return at(instrument).news; }

    [[nodiscard]] const views::PublicChange& latest(InstrumentId instrument) const {
        return at(instrument).latest;
    }
    [[nodiscard]] const views::VisibleDepth& depth(InstrumentId instrument);
    /// The exchange's own id of the instrument: its stock locate code. Zero: not named yet.
    [[nodiscard]] InstrumentId at_exchange(InstrumentId instrument) const {
        return {at(instrument).locate};
    }

  private:
    struct Row {
        std::string symbol;
        std::uint16_t locate = 0;
        std::uint64_t changes = 0;  ///< of the feed's instrument when last looked at
        std::uint8_t news = 0;
        views::PublicChange latest{};
        views::VisibleDepth depth;
        std::uint64_t depth_changes = 0;
    };

    [[nodiscard]] const Row& at(InstrumentId id) const { return rows_[id.value - 1]; }
    void find_locates();
    void look(Row& row, const client::FeedInstrument& stock, Timestamp now);

    const client::FeedBooks* books_;
    std::vector<Row> rows_;
    std::size_t named_ = 0;  ///< instruments of the feed that were looked at for their symbol
};

}  // namespace damrak::live_participants
