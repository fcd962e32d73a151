// Rows of the tables of best prices and of levels: after each change, or at fixed times.
//
// On days of limited depth a step is a participant's message with what the view changes before and
// after it; the row comes with the participant's message. Where the view alone changes something,
// the row comes once time advances; so it does on days of levels alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <damrak/tables/detail/books.hpp>
#include <damrak/wire/itch/view_mark.hpp>

namespace damrak::tables {

class BookRows {
  public:
    BookRows(const Context& context, const Books& books, const TableQuery& query);

    /// Rows at fixed times stop where the chunk has this many.
    void want(std::size_t rows) { wanted_rows_ = rows; }
    /// Writes the rows that come before a message of this time; false: the chunk is full.
    [[nodiscard]] bool before(std::int64_t time_ns, Chunk& chunk) {
        if (time_ns == time_ns_) return true;
        if (!is_sampled()) {
            if (!changed_by_view_.empty()) write_changes_of_view(chunk);
        } else if (!write_samples(time_ns - 1, chunk)) {
            return false;
        }
        time_ns_ = time_ns;
        return true;
    }
    /// Writes the levels of the rows so far. Until then their columns are shorter than the first
    /// ones: a column is written in longer runs than a row is wide.
    void flush(Chunk& chunk);
    /// Writes the rows up to this time, for which there are no more messages, as far as the chunk
    /// has room; call it again for more.
    void finish(std::int64_t until_ns, Chunk& chunk) {
        if (is_sampled())
            static_cast<void>(write_samples(until_ns, chunk));
        else
            write_changes_of_view(chunk);
    }

    /// After the message was applied to the books.
    void on(std::uint64_t sequence, const auto& message, Chunk& chunk) {
        if constexpr (requires { message.order_ref; } || requires { message.match_number; }) {
            const InstrumentId id = books_->flow.instrument(message.stock_locate);
            if (!id) return;
            Shown& shown = shown_of(id, message.stock_locate);
            shown.time_ns = message.timestamp_ns;
            shown.sequence = sequence;
            if (is_sampled()) return note_first(id, shown);
            // Of days of levels alone the view makes all changes; what it was between two of them
            // at the same time, nobody recorded.
            const bool is_view_alone = context_->depth.has(archive::DayDepth::k_levels_alone) ||
                                       context_->marks.is_by_view(message);
            if (is_view_alone) return note_view(id, shown);
            shown.is_changed_by_view = false;
            if (is_whole_ && !shown.levels.empty())
                write_touched(id, shown, chunk);
            else
                write_change(id, shown, chunk);
        }
    }

  private:
    static constexpr std::uint64_t k_unknown_shares = std::numeric_limits<std::uint64_t>::max();
    static constexpr std::uint32_t k_unknown_orders = std::numeric_limits<std::uint32_t>::max();
    /// By default one that is known to be empty.
    struct Level {
        std::uint64_t shares = 0;
        std::uint32_t orders = 0;
        std::uint32_t price_e4 = 0;  ///< zero: there is no such level, or it is not known
        friend bool operator==(const Level&, const Level&) = default;
    };
    static const Level k_unknown;
    using Levels = std::vector<Level>;  ///< bids, then asks

    /// An instrument, and what its last row shows.
    struct Shown {
        std::int64_t time_ns = 0;  ///< of the last message about it
        std::uint64_t sequence = 0;
        std::uint16_t locate = 0;
        bool has_rows = false;  ///< sampled: it is in `sampled_`
        bool is_changed_by_view = false;
        Levels levels{};  ///< empty: there is no row
    };

    [[nodiscard]] bool is_sampled() const { return query_.is_sampled(); }
    [[nodiscard]] bool write_rows_at(std::int64_t until_ns, Chunk& chunk);
    Shown& shown_of(InstrumentId id, std::uint16_t locate) {
        if (id.value > shown_.size()) shown_.resize(id.value);
        Shown& shown = shown_[id.value - 1];
        shown.locate = locate;
        return shown;
    }
    [[nodiscard]] Level* side_of(Levels& levels, Side side) const {
        return levels.data() + (side == Side::buy ? 0 : count_);
    }
    void note_first(InstrumentId id, Shown& shown);
    void note_view(InstrumentId id, Shown& shown);
    void write_change(InstrumentId id, Shown& shown, Chunk& chunk);
    /// The same where only the last message can have changed what is shown.
    void write_touched(InstrumentId id, Shown& shown, Chunk& chunk);
    [[nodiscard]] bool update_touched(const order_flow::BuiltBook& built, Level* levels) const;
    void write_changes_of_view(Chunk& chunk);
    /// The rows of all times up to this one.
    [[nodiscard]] bool write_samples(std::int64_t until_ns, Chunk& chunk);
    /// Into levels_: the book as it is at this time.
    void look(InstrumentId id, std::int64_t time_ns);
    [[nodiscard]] static Level level_of(const order_flow::BuiltBook& built,
                                        const DepthLevel& level);
    void look_at(const order_flow::BuiltBook& built, Side side, Level* into) const;
    void look_at_orders(const order_flow::BuiltBook& built, Side side, Level* into) const;
    void push(std::int64_t time_ns, const Shown& shown, const Levels& levels, Chunk& chunk);
    void push_level(std::size_t at, Column& price, Column& shares, Column& orders) const;

    const Context* context_;
    const Books* books_;
    TableQuery query_;
    std::size_t wanted_rows_ = 0;
    std::size_t count_;  ///< levels of each side that rows have
    std::size_t known_;  ///< of these, the ones that the day can show
    bool is_whole_;      ///< the day shows all of every book
    Levels levels_;
    std::vector<Level> rows_;  ///< the levels of rows that are to be written
    std::vector<Shown> shown_;
    std::vector<InstrumentId> changed_by_view_;
    std::vector<InstrumentId> sampled_;
    std::int64_t time_ns_ = 0;         ///< of the last message
    std::size_t next_at_ = 0;          ///< of the query's times
    std::int64_t next_sample_ns_ = 0;  ///< multiple of the interval
    std::size_t next_sampled_ = 0;     ///< of sampled_, the next one at that time
};

}  // namespace damrak::tables
