#include <damrak/tables/table_reader.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <damrak/tables/detail/auction_rows.hpp>
#include <damrak/tables/detail/book_rows.hpp>
#include <damrak/tables/detail/candle_rows.hpp>
#include <damrak/tables/detail/halt_rows.hpp>
#include <damrak/tables/detail/message_rows.hpp>
#include <damrak/tables/detail/trade_rows.hpp>
#include <damrak/wire/itch/encode.hpp>
#include <damrak/wire/itch/walk.hpp>

namespace damrak::tables {

namespace {

std::int64_t midnight_ns(std::int32_t date) {
    using namespace std::chrono;
    if (date == 0) return 0;
    const sys_days day{year{date / 10'000} / (date / 100 % 100) / (date % 100)};
    return duration_cast<nanoseconds>(day.time_since_epoch()).count();
}

bool has_levels(Table table) { return table == Table::bbo || table == Table::depth; }
bool needs_books(Table table) { return table != Table::auctions && table != Table::halts; }

/// Empty: the day can give the table.
std::string refusal(const archive::DayDepth& depth, const TableQuery& query,
                    const DayWindow& window) {
    using archive::DayDepth;
    if (query.table == Table::depth && (query.levels == 0 || query.levels > k_most_levels))
        return fmt::format("{} levels: a table has 1 to {}", query.levels, k_most_levels);
    if (query.every_ns < 0) return "rows come at a positive interval";
    if (!query.at_ns.empty() &&
        (!window.locate || query.every_ns > 0 || !std::ranges::is_sorted(query.at_ns)))
        return "books at given times are of one instrument, and the times ascend";
    if (query.table == Table::candles && query.every_ns == 0)
        return "candles have intervals of some length";
    if (query.table == Table::candles && query.at_ns.empty()) return {};
    if (!has_levels(query.table))
        return query.every_ns == 0 && query.at_ns.empty()
                   ? std::string{}
                   : fmt::format("rows at fixed times are of bbo and depth, not of {}",
                                 name_of(query.table));
    if (depth.has(DayDepth::k_no_book)) return archive::sentences(depth).front();
    if (query.is_sampled() && depth.has(DayDepth::k_instants_only))
        return "the book of this day is known only at instants, not at fixed times: take the rows "
               "of changes";
    return {};
}

std::string refusal(const archive::DayDepth& depth, const std::vector<TableQuery>& tables,
                    const DayWindow& window) {
    std::array<bool, k_tables> is_there{};
    for (const TableQuery& query : tables) {
        if (std::exchange(is_there[static_cast<std::size_t>(query.table)], true))
            return fmt::format("{} is wanted twice", name_of(query.table));
        if (std::string why = refusal(depth, query, window); !why.empty()) return why;
    }
    return tables.empty() ? "no table is wanted" : std::string{};
}

std::vector<ColumnInfo> columns_for(const TableQuery& query, bool has_exact_prices) {
    auto columns = columns_of(query.table, query.table == Table::depth ? query.levels : 1);
    for (ColumnInfo& column : columns)
        if (has_exact_prices && column.type == Type::price) {
            column.type = Type::exact_price;
            column.unit = "billionths of the currency";
        }
    return columns;
}

}  // namespace

Context::Context(const DaySource& day, const DayWindow& wanted, bool needs_broken)
    : window(wanted),
      depth(day.depth()),
      marks(depth.has(archive::DayDepth::k_marked)),
      symbol_of(std::size_t{1} << 16U, k_no_symbol),
      epoch_ns(wanted.midnight_ns.value_or(midnight_ns(day.date()))) {
    if (needs_broken) broken = day.broken_trades();
    for (const archive::Instrument& one : day.instruments()) {
        symbol_of[one.locate] = static_cast<std::uint32_t>(symbols.size());
        symbols.push_back(one.symbol);
    }
}

/// Passes each message to the rows of each table, those of the book after it was applied.
class TableReader::Pass {
  public:
    Pass(const DaySource& day, std::vector<TableQuery> tables, const DayWindow& window)
        : tables_(std::move(tables)),
          context_(day, window, !std::ranges::all_of(tables_, has_levels, &TableQuery::table)),
          books_(context_.depth, context_.marks),
          needs_books_(std::ranges::any_of(tables_, needs_books, &TableQuery::table)),
          day_messages_(day.messages()),
          last_ns_(day.last_time_ns()) {
        for (const TableQuery& query : tables_) {
            columns_.push_back(columns_for(query, window.has_exact_prices));
            make_rows(query);
        }
        reader_ = reader_of(day);
    }
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;

    /// Adds rows until a chunk has as many as wanted, or there are no more.
    bool fill(std::vector<Chunk>& chunks) {
        std::size_t before = 0;
        filled_.clear();
        for (std::size_t i = 0; i < tables_.size(); ++i) {
            const Table table = tables_[i].table;
            const Column& first = chunks[i][0];
            const std::size_t full = first.rows() + context_.window.chunk_rows;
            into_[static_cast<std::size_t>(table)] = &chunks[i];
            filled_.push_back({&first, full});
            if (table == Table::bbo) bbo_->want(full);
            if (table == Table::depth) depth_->want(full);
            before += first.rows();
        }
        while (!is_read_ && !is_full())
            if (rest_.empty())
                next_piece();
            else
                walk();
        if (is_read_) finish();
        if (message_rows_) MessageRows::flush(chunk(Table::messages));
        if (bbo_) bbo_->flush(chunk(Table::bbo));
        if (depth_) depth_->flush(chunk(Table::depth));
        std::size_t after = 0;
        for (const Chunk& chunk : chunks) after += chunk[0].rows();
        return after > before;
    }

    [[nodiscard]] const Context& context() const { return context_; }
    [[nodiscard]] const std::vector<std::vector<ColumnInfo>>& columns() const { return columns_; }
    [[nodiscard]] const archive::Completeness& completeness() const { return completeness_; }
    [[nodiscard]] std::uint64_t messages() const { return messages_; }
    /// Most messages make one row at most.
    [[nodiscard]] std::size_t expected_rows(bool of_day) const {
        return of_day ? day_messages_
                      : std::min<std::size_t>(day_messages_, context_.window.chunk_rows);
    }

  private:
    struct FromCheckpoint {
        Books& books;
        void on(const auto& message) { books.begin_with(message); }
    };
    /// The first column of a chunk, and how many rows it has when it is full.
    struct Filled {
        const Column* column;
        std::size_t most_rows;
    };
    /// Passes messages to the rows as long as there is room, and notes how far it came.
    struct Visitor {
        Pass& to;
        std::size_t consumed = 0;
        static constexpr std::size_t k_ahead = decltype(Books::flow)::k_ahead;
        void ahead(char type, std::uint16_t locate, std::uint64_t reference) {
            to.books_.flow.ahead(type, locate, reference);
        }
        bool on(const auto& message) {
            using M = std::remove_cvref_t<decltype(message)>;
            const DayWindow& window = to.context_.window;
            if (message.timestamp_ns > window.until_ns) return to.end(window.until_ns);
            if (!to.before(message.timestamp_ns)) return false;
            consumed += wire::itch::k_frame_length<M>;
            ++to.messages_;
            if (!window.locate || message.stock_locate == *window.locate) to.on(message);
            return !to.is_full();
        }
    };

    void make_rows(const TableQuery& query) {
        switch (query.table) {
            case Table::trades:
                trades_.emplace(context_, books_);
                break;
            case Table::bbo:
                bbo_.emplace(context_, books_, query);
                break;
            case Table::depth:
                depth_.emplace(context_, books_, query);
                break;
            case Table::messages:
                message_rows_.emplace(context_, books_);
                break;
            case Table::candles:
                candles_.emplace(context_, books_, query.every_ns);
                break;
            case Table::auctions:
                auctions_.emplace(context_);
                break;
            case Table::halts:
                halts_.emplace(context_);
                break;
        }
    }
    /// A window of one instrument begins at its last checkpoint before it; samples need the
    /// messages before them too.
    std::unique_ptr<PieceReader> reader_of(const DaySource& day) {
        const DayWindow& window = context_.window;
        const archive::DayRange range{
            .locate = window.locate, .from_ns = window.from_ns, .until_ns = window.until_ns};
        if (!window.locate || std::ranges::any_of(tables_, &TableQuery::is_sampled))
            return day.read(range, {});
        return day.read(range, [this](auto frames) {
            FromCheckpoint visitor{books_};
            return wire::itch::walk(frames, visitor).end != wire::itch::WalkEnd::fault;
        });
    }
    [[nodiscard]] Chunk& chunk(Table table) { return *into_[static_cast<std::size_t>(table)]; }
    [[nodiscard]] bool is_full() const {
        return std::ranges::any_of(
            filled_, [](const Filled& one) { return one.column->rows() >= one.most_rows; });
    }
    /// Writes the rows that come before a message of this time; false: a chunk is full.
    [[nodiscard]] bool before(std::int64_t time_ns) {
        if (candles_) candles_->before(time_ns, chunk(Table::candles));
        if (bbo_ && !bbo_->before(time_ns, chunk(Table::bbo))) return false;
        return !depth_ || depth_->before(time_ns, chunk(Table::depth));
    }
    void on(const auto& message) {
        if (trades_) trades_->on(messages_, message, chunk(Table::trades));
        if (message_rows_) message_rows_->on(messages_, message, chunk(Table::messages));
        if (candles_) candles_->on(messages_, message);
        if (auctions_) auctions_->on(messages_, message, chunk(Table::auctions));
        if (halts_) halts_->on(messages_, message, chunk(Table::halts));
        if (needs_books_) books_.apply(message);
        if (bbo_) bbo_->on(messages_, message, chunk(Table::bbo));
        if (depth_) depth_->on(messages_, message, chunk(Table::depth));
    }
    void finish() {
        if (candles_) candles_->finish(chunk(Table::candles));
        if (bbo_) bbo_->finish(end_ns_, chunk(Table::bbo));
        if (depth_) depth_->finish(end_ns_, chunk(Table::depth));
    }
    bool end(std::int64_t time_ns) {
        is_read_ = true;
        end_ns_ = time_ns;
        completeness_.add(context_.broken.completeness);
        return false;
    }
    void next_piece() {
        if (context_.window.on_block) context_.window.on_block();
        auto piece = reader_->next();
        if (!piece) return stop(piece.error());
        if (!*piece) {
            completeness_ = reader_->at_end();
            // Nothing happens after the last message: later times have its book.
            const bool is_last = std::ranges::all_of(tables_, &std::vector<std::int64_t>::empty,
                                                     &TableQuery::at_ns) ||
                                 completeness_.is_being_written;
            static_cast<void>(
                end(std::min(context_.window.until_ns, is_last ? last_ns_ : k_later)));
            return;
        }
        rest_ = (*piece)->frames;
        messages_ = (*piece)->first_message - 1;
    }
    void walk() {
        Visitor visitor{*this};
        const auto walked = wire::itch::walk(rest_, visitor);
        rest_ = rest_.subspan(visitor.consumed);
        if (walked.end == wire::itch::WalkEnd::fault) stop(reader_->invalid(messages_ + 1));
    }
    void stop(const archive::Gap& gap) {
        completeness_ = gap.completeness();
        static_cast<void>(end(std::min(context_.window.until_ns, gap.known_until_ns)));
    }

    static constexpr std::int64_t k_later = std::numeric_limits<std::int64_t>::max();

    std::vector<TableQuery> tables_;
    Context context_;
    Books books_;
    bool needs_books_;
    std::vector<std::vector<ColumnInfo>> columns_;
    // Of the tables that are wanted.
    std::optional<TradeRows> trades_;
    std::optional<BookRows> bbo_;
    std::optional<BookRows> depth_;
    std::optional<MessageRows> message_rows_;
    std::optional<CandleRows> candles_;
    std::optional<AuctionRows> auctions_;
    std::optional<HaltRows> halts_;
    std::array<Chunk*, k_tables> into_{};  ///< by table: where the rows go
    std::vector<Filled> filled_;           ///< of each table that is wanted
    std::unique_ptr<PieceReader> reader_;
    std::span<const std::byte> rest_;  ///< of the piece, the messages that are to come
    archive::Completeness completeness_;
    std::uint64_t messages_ = 0;
    std::uint64_t day_messages_;
    std::int64_t last_ns_;
    bool is_read_ = false;
    std::int64_t end_ns_ = 0;  ///< there are no messages after the last one up to this time
};

archive::Result<TableReader> TableReader::open(const DaySource& day, std::vector<TableQuery> tables,
                                               const DayWindow& window) {
    if (std::string why = refusal(day.depth(), tables, window); !why.empty())
        return std::unexpected{std::move(why)};
    return TableReader{std::make_unique<Pass>(day, std::move(tables), window)};
}

archive::Result<TableReader> TableReader::open(const archive::Day& day,
                                               std::vector<TableQuery> tables,
                                               const DayWindow& window) {
    return open(ArchivedDay{day}, std::move(tables), window);
}

TableReader::TableReader(std::unique_ptr<Pass> pass) : pass_(std::move(pass)) {}
TableReader::TableReader(TableReader&&) noexcept = default;
TableReader& TableReader::operator=(TableReader&&) noexcept = default;
TableReader::~TableReader() = default;

const std::vector<ColumnInfo>& TableReader::columns(std::size_t table) const {
    return pass_->columns()[table];
}
const std::vector<std::string>& TableReader::symbols() const { return pass_->context().symbols; }
std::int64_t TableReader::epoch_ns() const { return pass_->context().epoch_ns; }
std::uint64_t TableReader::messages() const { return pass_->messages(); }
const archive::Completeness& TableReader::completeness() const { return pass_->completeness(); }

std::vector<Chunk> TableReader::new_chunks(bool of_day) const {
    std::vector<Chunk> chunks;
    for (const std::vector<ColumnInfo>& columns : pass_->columns()) {
        Chunk& chunk = chunks.emplace_back();
        chunk.reserve(columns.size());
        for (const ColumnInfo& column : columns)
            chunk.emplace_back(column.type, pass_->expected_rows(of_day));
    }
    return chunks;
}

bool TableReader::next(std::vector<Chunk>& chunks) {
    for (Chunk& chunk : chunks)
        for (Column& column : chunk) column.clear();
    return append(chunks);
}

bool TableReader::append(std::vector<Chunk>& chunks) { return pass_->fill(chunks); }

}  // namespace damrak::tables
