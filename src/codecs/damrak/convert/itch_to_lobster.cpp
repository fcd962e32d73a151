#include <damrak/convert/itch_to_lobster.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <damrak/convert/detail/symbol_book.hpp>
#include <damrak/files/byte_sink.hpp>
#include <damrak/lobster/writer.hpp>
#include <damrak/wire/itch/file_reader.hpp>
#include <damrak/wire/itch/view_mark.hpp>

namespace damrak::convert {

namespace itch = wire::itch;
namespace lobster = lobster;
using lobster::EventType;
using lobster::MessageRow;

namespace {

// Buffers rows for a file.
class RowFile {
  public:
    static std::expected<RowFile, std::string> create(const std::filesystem::path& path) {
        auto sink = files::ByteSink::create(path);
        if (!sink) return std::unexpected{std::move(sink.error())};
        return RowFile{std::move(*sink)};
    }

    template <class Row>
    void append(const Row& row) {
        constexpr std::size_t k_enough = 256UL * 1024;
        lobster::append_row(text_, row);
        if (text_.size() >= k_enough) flush();
    }

    [[nodiscard]] std::expected<void, std::string> finish() {
        flush();
        return sink_.finish();
    }
    [[nodiscard]] std::expected<void, std::string> close() { return sink_.close(); }

  private:
    explicit RowFile(files::ByteSink sink) : sink_{std::move(sink)} {}

    void flush() {
        if (!text_.empty()) sink_.write(text_);
        text_.clear();
    }

    files::ByteSink sink_;
    std::string text_;
};

// Visits the ITCH file: maintains the book of the chosen symbol and writes its rows.
class Narrator {
  public:
    Narrator(const ItchToLobster& conversion, RowFile& messages, RowFile* book)
        : conversion_{conversion},
          messages_{messages},
          book_file_{book},
          marks_{conversion.marks},
          shown_(conversion.levels, {lobster::k_no_ask_e4, 0, lobster::k_no_bid_e4, 0}) {
        summary_.symbol = conversion.symbol;
    }

    bool on(const itch::SystemEvent& m) {
        marks_.note(m);
        if (m.event_code == 'O' && std::exchange(has_begun_, true))
            error_ = "another session begins: damrak archive import makes a day of each";
        return error_.empty();
    }
    bool on(const itch::StockDirectory& m) { return concerns(m) || error_.empty(); }
    bool on(const itch::AddOrder& m) { return added(m); }
    bool on(const itch::AddOrderAttributed& m) { return added(m); }
    void on(const itch::OrderExecuted& m) {
        if (const RestingOrder* order = find(m))
            take(m, EventType::execute, *order, m.executed_shares);
    }
    void on(const itch::OrderExecutedWithPrice& m) {
        const RestingOrder* order = find(m);
        if (order == nullptr) return;
        if (order->price_e4 != m.execution_price_e4) ++summary_.other_prices;
        take(m, EventType::execute, *order, m.executed_shares);
    }
    void on(const itch::OrderCancel& m) {
        if (const RestingOrder* order = find(m))
            take(m, EventType::cancel, *order, m.cancelled_shares);
    }
    void on(const itch::OrderDelete& m) {
        if (const RestingOrder* order = find(m)) take(m, EventType::remove, *order, order->shares);
    }
    // LOBSTER represents a replacement as a removal and an addition.
    void on(const itch::OrderReplace& m) {
        const RestingOrder* order = find(m);
        if (order == nullptr) return;
        const Side side = order->side;
        take(m, EventType::remove, *order, order->shares);
        if (add(m.new_order_ref, {side, m.price_e4, m.shares})) {
            tell({m.timestamp_ns, EventType::add, m.new_order_ref, m.shares, m.price_e4, side});
        }
    }
    bool on(const itch::Trade& m) {
        if (concerns(m)) {
            tell({m.timestamp_ns, EventType::execute_hidden, m.order_ref, m.shares, m.price_e4,
                  m.side});
        }
        return error_.empty();
    }
    bool on(const itch::CrossTrade& m) {
        if (!concerns(m)) return error_.empty();
        if (std::in_range<std::int64_t>(m.shares)) {
            tell({m.timestamp_ns, EventType::cross, lobster::cross_id(m.cross_type),
                  static_cast<std::int64_t>(m.shares), m.cross_price_e4, Side::sell});
        } else {
            ++summary_.anomalies;
        }
        return true;
    }
    bool on(const itch::StockTradingAction& m) {
        if (concerns(m)) {
            const std::int64_t state = m.trading_state == 'T'   ? lobster::k_trading_resumes
                                       : m.trading_state == 'Q' ? lobster::k_quoting_resumes
                                                                : lobster::k_halted;
            // The day begins with the state of every symbol; only a change makes a row.
            if (std::exchange(state_, state) != state) {
                tell({m.timestamp_ns, EventType::halt, 0, 0, state, Side::sell});
            }
        }
        return error_.empty();
    }

    [[nodiscard]] const std::string& error() const { return error_; }
    [[nodiscard]] bool found() const { return locate_.has_value(); }
    [[nodiscard]] const ItchToLobsterSummary& summary() const { return summary_; }

  private:
    template <class M>
    bool added(const M& m) {
        if (!concerns(m) || !add(m.order_ref, {m.side, m.price_e4, m.shares}))
            return error_.empty();
        if (!marks_.is_by_view(m)) {
            tell({m.timestamp_ns, EventType::add, m.order_ref, m.shares, m.price_e4, m.side});
            return true;
        }
        ++summary_.revealed_orders;
        (void)changes_shown(m.side);
        return true;
    }

    // Whether the message is about the chosen symbol; the first such message determines its locate.
    template <class M>
    bool concerns(const M& m) {
        if (locate_) {
            if (m.stock_locate == *locate_) return true;
            if (!conversion_.symbol.empty()) return false;
            error_ = fmt::format(
                "there are several symbols, such as {} and {}; choose one with --symbol",
                summary_.symbol, m.stock.text());
            return false;
        }
        if (!conversion_.symbol.empty() && conversion_.symbol != m.stock.text()) return false;
        locate_ = m.stock_locate;
        summary_.symbol = m.stock.text();
        return true;
    }

    // The order of a message, if it belongs to the chosen symbol and is in the book.
    template <class M>
    const RestingOrder* find(const M& m) {
        if (m.stock_locate != locate_) return nullptr;
        const RestingOrder* order = book_.find(m.order_ref);
        if (order == nullptr) ++summary_.anomalies;
        return order;
    }

    bool add(std::uint64_t reference, const RestingOrder& order) {
        const bool added = book_.add(reference, order);
        if (!added) ++summary_.anomalies;
        return added;
    }

    template <class M>
    void take(const M& m, EventType type, const RestingOrder& order, std::int64_t shares) {
        const MessageRow row{m.timestamp_ns, type,      m.order_ref, std::min(shares, order.shares),
                             order.price_e4, order.side};
        if (shares < 1 || shares > order.shares) ++summary_.anomalies;
        if (shares < 1) return;
        book_.take(m.order_ref, shares);
        if (marks_.is_by_view(m))
            (void)changes_shown(row.side);
        else
            tell(row);
    }

    // Also updates the displayed levels.
    bool changes_shown(Side side) { return conversion_.levels == 0 || book_.show(side, shown_); }

    void tell(const MessageRow& row) {
        const bool always = row.type > EventType::execute;
        if (!always && !changes_shown(row.side)) return;
        if (row.time_ns < conversion_.begin_ns || row.time_ns > conversion_.end_ns) return;
        if (row.type == EventType::execute_hidden && (row.size < 1 || row.price_e4 < 1)) {
            ++summary_.anomalies;  // LOBSTER has no such row
            return;
        }
        messages_.append(row);
        if (book_file_ != nullptr) book_file_->append(std::span<const lobster::BookLevel>{shown_});
        ++summary_.rows;
    }

    const ItchToLobster& conversion_;
    RowFile& messages_;
    RowFile* book_file_;
    SymbolBook book_;
    itch::ViewMarks marks_;
    bool has_begun_ = false;
    std::vector<lobster::BookLevel> shown_;
    std::optional<std::uint16_t> locate_;
    std::int64_t state_{lobster::k_trading_resumes};
    ItchToLobsterSummary summary_;
    std::string error_;
};

}  // namespace

std::expected<ItchToLobsterSummary, std::string> convert(const ItchToLobster& conversion,
                                                         const OnProgress& on_progress) {
    auto source = files::ByteSource::open(conversion.itch);
    if (!source) return std::unexpected{source.error()};
    return convert(conversion, std::move(*source), on_progress);
}

std::expected<ItchToLobsterSummary, std::string> convert(const ItchToLobster& conversion,
                                                         files::ByteSource source,
                                                         const OnProgress& on_progress) {
    const std::string name = source.name();
    itch::FileReader reader{std::move(source)};
    auto messages = RowFile::create(conversion.messages);
    if (!messages) return std::unexpected{messages.error()};
    std::optional<RowFile> book;
    if (conversion.book) {
        auto created = RowFile::create(*conversion.book);
        if (!created) return std::unexpected{created.error()};
        book.emplace(std::move(*created));
    }

    Narrator narrator{conversion, *messages, book ? &*book : nullptr};
    std::string error;
    for (;;) {
        const auto step = reader.read_some(narrator);
        if (!step) error = step.error().text;
        if (!step || *step != itch::ReadStep::more) break;
        on_progress(reader.progress(), reader.messages());
    }
    if (!narrator.error().empty()) {
        error = fmt::format("{}: {}", name, narrator.error());
    } else if (error.empty() && !narrator.found()) {
        error = fmt::format("{}: no message about {}", name,
                            conversion.symbol.empty() ? "any symbol" : conversion.symbol);
    }
    if (!error.empty()) return std::unexpected{error};
    // Replaces both files or neither.
    auto closed = messages->finish();
    if (book && closed) closed = book->finish();
    if (closed) closed = messages->close();
    if (book && closed) closed = book->close();
    if (!closed) return std::unexpected{closed.error()};
    ItchToLobsterSummary summary = narrator.summary();
    summary.messages = reader.messages();
    return summary;
}

}  // namespace damrak::convert
