#include <damrak/tables/day_table.hpp>

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <damrak/archive/broken_trades.hpp>
#include <damrak/archive/day_cursor.hpp>
#include <damrak/archive/into_flow.hpp>
#include <damrak/tables/detail/auction_rows.hpp>
#include <damrak/tables/detail/book_rows.hpp>
#include <damrak/tables/detail/candle_rows.hpp>
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

/// Empty: the day can give the table.
std::string refusal(const archive::DayDepth& depth, const TableQuery& query) {
    using archive::DayDepth;
    if (query.table == Table::depth && (query.levels == 0 || query.levels > k_most_levels))
        return fmt::format("{} levels: a table has 1 to {}", query.levels, k_most_levels);
    if (query.every_ns < 0) return "rows come at a positive interval";
    if (!query.at_ns.empty() &&
        (!query.locate || query.every_ns > 0 || !std::ranges::is_sorted(query.at_ns)))
        return "books at given times are of one instrument, and the times ascend";
    if (query.table == Table::candles && query.every_ns == 0)
        return "candles have intervals of some length";
    if (query.table == Table::candles && query.at_ns.empty()) return {};
    if (!has_levels(query.table))
        return query.every_ns == 0 && query.at_ns.empty()
                   ? std::string{}
                   : fmt::format(
                         "rows at fixed times are of bbo and depth, not of "
                         "{}",
                         name_of(query.table));
    if (depth.has(DayDepth::k_no_book)) return archive::sentences(depth).front();
    if ((query.every_ns > 0 || !query.at_ns.empty()) && depth.has(DayDepth::k_instants_only))
        return "the book of this day is known only at instants, not at fixed times: take the rows "
               "of changes";
    return {};
}

}  // namespace

Context::Context(const archive::Day& day, const TableQuery& wanted)
    : query(wanted),
      depth(day.depth()),
      marks(day.marks()),
      symbol_of(std::size_t{1} << 16U, k_no_symbol),
      epoch_ns(wanted.midnight_ns.value_or(midnight_ns(day.date()))),
      broken(has_levels(wanted.table) ? archive::Answer<order_flow::BrokenTrades>{}
                                      : archive::broken_trades(day)) {
    for (const archive::Instrument& one : day.instruments()) {
        symbol_of[one.locate] = static_cast<std::uint32_t>(symbols.size());
        symbols.push_back(one.symbol);
    }
}

class DayTable::Source {
  public:
    Source(const archive::Day& day, const TableQuery& query) : context(day, query) {}
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;
    virtual ~Source() = default;
    /// Adds rows until the chunk has as many as wanted, or there are no more.
    virtual void fill(Chunk& chunk) = 0;

    Context context;
    archive::Completeness completeness;
    std::uint64_t messages = 0;
};

namespace {

template <class Rows>
class Reading final : public DayTable::Source {
  public:
    Reading(const archive::Day& day, const TableQuery& query)
        : Source(day, query),
          rows_(context),
          last_ns_(day.last_time_ns()),
          cursor_(cursor_of(day, query)) {}

    void fill(Chunk& chunk) override {
        while (!is_read_ && !is_full(chunk))
            if (rest_.empty())
                next_block();
            else
                walk(chunk);
        if (is_read_) rows_.finish(end_ns_, chunk);
    }

  private:
    /// Passes messages to the rows as long as there is room, and notes how far it came.
    struct Visitor {
        Reading& to;
        Chunk& chunk;
        std::size_t consumed = 0;
        static constexpr std::size_t k_ahead = decltype(Books::flow)::k_ahead;
        void ahead(char type, std::uint16_t locate, std::uint64_t reference) {
            to.rows_.books().flow.ahead(type, locate, reference);
        }
        bool on(const auto& message) {
            using M = std::remove_cvref_t<decltype(message)>;
            const TableQuery& query = to.context.query;
            if (message.timestamp_ns > query.until_ns) return to.end(query.until_ns);
            if (!to.rows_.before(message.timestamp_ns, chunk)) return false;
            consumed += wire::itch::k_frame_length<M>;
            ++to.messages;
            if (!query.locate || message.stock_locate == *query.locate)
                to.rows_.on(to.messages, message, chunk);
            return !to.is_full(chunk);
        }
    };

    /// A window of one instrument begins at its last checkpoint before it; samples need the
    /// messages before them too.
    archive::DayCursor cursor_of(const archive::Day& day, const TableQuery& query) {
        const archive::DayRange range{
            .locate = query.locate, .from_ns = query.from_ns, .until_ns = query.until_ns};
        if (query.locate && !context.is_sampled())
            return archive::DayCursor::with_books(day, range, [&](auto frames) {
                archive::IntoFlow visitor{rows_.books().flow};
                return wire::itch::walk(frames, visitor).end != wire::itch::WalkEnd::fault;
            });
        return archive::DayCursor{day, {.locate = query.locate, .until_ns = query.until_ns}};
    }
    [[nodiscard]] bool is_full(const Chunk& chunk) const {
        return chunk[0].rows() >= context.wanted_rows;
    }
    bool end(std::int64_t time_ns) {
        is_read_ = true;
        end_ns_ = time_ns;
        completeness.add(context.broken.completeness);
        return false;
    }
    void next_block() {
        if (context.query.on_block) context.query.on_block();
        auto block = cursor_.next();
        if (!block) return stop(block.error());
        if (!*block) {
            completeness = cursor_.at_end();
            // Nothing happens after the last message: later times have its book.
            const bool is_last = context.query.at_ns.empty() || completeness.is_being_written;
            static_cast<void>(end(std::min(context.query.until_ns, is_last ? last_ns_ : k_later)));
            return;
        }
        block_ = **std::move(block);
        rest_ = block_.frames;
        messages = block_.first_message - 1;
    }
    void walk(Chunk& chunk) {
        Visitor visitor{*this, chunk};
        const auto walked = wire::itch::walk(rest_, visitor);
        rest_ = rest_.subspan(visitor.consumed);
        if (walked.end == wire::itch::WalkEnd::fault) stop(cursor_.invalid(messages + 1));
    }
    void stop(const archive::Gap& gap) {
        completeness = gap.completeness();
        static_cast<void>(end(std::min(context.query.until_ns, gap.known_until_ns)));
    }

    static constexpr std::int64_t k_later = std::numeric_limits<std::int64_t>::max();

    Rows rows_;
    std::int64_t last_ns_;
    archive::DayCursor cursor_;
    archive::MessageBlock block_;
    std::span<const std::byte> rest_;  ///< of its messages, those that are to come
    bool is_read_ = false;
    std::int64_t end_ns_ = 0;  ///< there are no messages after the last one up to this time
};

std::unique_ptr<DayTable::Source> source_of(const archive::Day& day, const TableQuery& query) {
    switch (query.table) {
        case Table::trades:
            return std::make_unique<Reading<TradeRows>>(day, query);
        case Table::bbo:
        case Table::depth:
            return std::make_unique<Reading<BookRows>>(day, query);
        case Table::candles:
            return std::make_unique<Reading<CandleRows>>(day, query);
        case Table::auctions:
            return std::make_unique<Reading<AuctionRows>>(day, query);
        case Table::messages:
            break;
    }
    return std::make_unique<Reading<MessageRows>>(day, query);
}

}  // namespace

archive::Result<DayTable> DayTable::open(const archive::Day& day, const TableQuery& query) {
    if (std::string why = refusal(day.depth(), query); !why.empty())
        return std::unexpected{std::move(why)};
    auto columns = columns_of(query.table, query.table == Table::depth ? query.levels : 1);
    for (ColumnInfo& column : columns)
        if (query.has_exact_prices && column.type == Type::price) {
            column.type = Type::exact_price;
            column.unit = "billionths of the currency";
        }
    return DayTable{std::move(columns), source_of(day, query)};
}

DayTable::DayTable(std::vector<ColumnInfo> columns, std::unique_ptr<Source> source)
    : columns_(std::move(columns)), source_(std::move(source)) {}
DayTable::DayTable(DayTable&&) noexcept = default;
DayTable& DayTable::operator=(DayTable&&) noexcept = default;
DayTable::~DayTable() = default;

const std::vector<std::string>& DayTable::symbols() const { return source_->context.symbols; }
std::int64_t DayTable::epoch_ns() const { return source_->context.epoch_ns; }
std::uint64_t DayTable::messages() const { return source_->messages; }
const archive::Completeness& DayTable::completeness() const { return source_->completeness; }

Chunk DayTable::new_chunk() const {
    Chunk chunk;
    chunk.reserve(columns_.size());
    for (const ColumnInfo& column : columns_) chunk.emplace_back(column.type);
    return chunk;
}

bool DayTable::next(Chunk& chunk) {
    for (Column& column : chunk) column.clear();
    return append(chunk);
}

bool DayTable::append(Chunk& chunk) {
    const std::size_t before = chunk[0].rows();
    source_->context.wanted_rows = before + source_->context.query.chunk_rows;
    source_->fill(chunk);
    return chunk[0].rows() > before;
}

}  // namespace damrak::tables
