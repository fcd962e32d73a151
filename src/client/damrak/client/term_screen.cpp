#include <damrak/client/term_screen.hpp>

#include <algorithm>
#include <array>
#include <deque>

#include <fmt/format.h>

#include <damrak/wire/binary/messages.hpp>

namespace damrak::client {

namespace {

using Levels = L2Receiver::Levels;

constexpr std::string_view k_hint =
    "buy 100 AAPL 101.25   cancel 1   modify 1 50 101.30   book MSFT   help   quit";
constexpr std::size_t k_price_width = 9;
constexpr std::size_t k_quantity_width = 8;

// Positions and sizes of the parts of the screen.
struct Layout {
    std::size_t width;
    std::size_t left;   ///< width of the depth
    std::size_t depth;  ///< rows of levels
    std::size_t lines;  ///< rows of messages
    std::size_t tape;   ///< width of the tape's column; zero: it is below the positions
    [[nodiscard]] std::size_t right_x() const { return left + 1; }
    [[nodiscard]] std::size_t right() const {
        return width - left - 1 - (tape == 0 ? 0 : tape + 1);
    }
    [[nodiscard]] std::size_t lines_y() const { return 4 + depth; }
};
constexpr std::size_t k_tape_width = 38;
constexpr std::size_t k_tape_beside_from = 160;

Layout layout_of(std::size_t width, std::size_t height) {
    const std::size_t rows = height - 7;  // title, strip, two headings, hint, prompt, a rule
    const std::size_t depth = std::min(rows * 3 / 5, std::size_t{30});
    const std::size_t tape = width >= k_tape_beside_from ? k_tape_width : 0;
    const std::size_t rest = tape == 0 ? width : width - tape - 1;
    return {.width = width,
            .left = std::min(rest * 3 / 5, std::size_t{72}),
            .depth = depth,
            .lines = rows - depth,
            .tape = tape};
}

std::string state_text(const TermModel& model) {
    const TermLink& link = model.link;
    switch (link.state) {
        case TermLink::State::up:
            return fmt::format("{} at {}", model.entry().who(), link.where);
        case TermLink::State::connecting:
            return fmt::format("connecting to {}", link.where);
        case TermLink::State::waiting:
            return fmt::format("no connection to {}, next try in {} s", link.where, link.retry_s);
        case TermLink::State::refused:
            return fmt::format("login refused at {}", link.where);
    }
    return {};
}

void draw_title(TermCanvas& canvas, const TermModel& model) {
    const bool up = model.link.state == TermLink::State::up;
    canvas.fill(0, 0, canvas.width(), ' ', TermStyle::title);
    canvas.put(1, 0, "Damrak", TermStyle::title);
    const std::string state = state_text(model);
    canvas.put(9, 0, state, up ? TermStyle::title : TermStyle::bad);
    if (canvas.width() > 9 + state.size() + model.time.size() + 1)
        canvas.put(canvas.width() - model.time.size() - 1, 0, model.time, TermStyle::title);
}

std::string best_text(const Levels& side) {
    return side.empty() ? "-" : price_text(side.front().price_e2);
}

// All instruments with their best prices.
void draw_strip(TermCanvas& canvas, const TermModel& model) {
    std::size_t x = 1;
    for (const auto& [id, name] : model.symbols().all()) {
        const L2Receiver::Book* const book = model.book(id);
        const bool valid = book != nullptr && book->valid && model.feed_state == TermFeed::live;
        const std::string text =
            fmt::format("{} {}/{}", name, valid ? best_text(book->side(Side::buy)) : "?",
                        valid ? best_text(book->side(Side::sell)) : "?");
        if (x + text.size() + 2 > canvas.width()) {
            canvas.put(canvas.width() - 1, 1, "+", TermStyle::dim);  // there are more
            return;
        }
        const bool shown = model.shown() == id;
        canvas.put(x, 1, text, shown ? TermStyle::bright : TermStyle::dim);
        x += text.size() + 2;
    }
}

void draw_level(TermCanvas& canvas, std::size_t y, std::size_t middle, Side side,
                const wire::binary::FeedLevel& level, std::uint64_t most) {
    const TermStyle style = side == Side::buy ? TermStyle::bid : TermStyle::ask;
    const std::string price = fmt::format("{:>{}}", price_text(level.price_e2), k_price_width);
    const std::string quantity = fmt::format("{:>{}}", level.quantity, k_quantity_width);
    const std::size_t taken = k_price_width + k_quantity_width + 2;
    const std::size_t room = middle > taken + 1 ? middle - taken - 1 : 0;
    const auto part =
        static_cast<Uint128>(level.quantity) * room / std::max<std::uint64_t>(most, 1);
    const std::size_t bar = std::min(room, static_cast<std::size_t>(part) + 1);
    if (side == Side::buy) {
        canvas.put(middle - k_price_width - 1, y, price, style);
        canvas.put(middle - k_price_width - k_quantity_width - 2, y, quantity);
        if (room > 0) canvas.fill(middle - taken - bar, y, bar, '=', style);
    } else {
        canvas.put(middle + 1, y, price, style);
        canvas.put(middle + k_price_width + 2, y, quantity);
        if (room > 0) canvas.fill(middle + taken + 1, y, bar, '=', style);
    }
}

void draw_depth(TermCanvas& canvas, const TermModel& model, const Layout& layout) {
    const L2Receiver::Book* const book = model.book(model.shown());
    const bool valid = book != nullptr && book->valid && model.feed_state == TermFeed::live;
    const std::size_t middle = layout.left / 2;
    canvas.fill(0, 2, layout.left, '-', TermStyle::dim);
    canvas.put(1, 2, fmt::format(" {} ", model.symbols().name(model.shown())), TermStyle::bright);
    if (!valid) {
        const std::string why = model.why_no_book(model.shown());
        const std::size_t room = layout.left - 3;
        for (std::size_t i = 0; i * room < why.size() && i + 1 < layout.depth; ++i)
            canvas.put(2, 4 + i, std::string_view{why}.substr(i * room, room), TermStyle::bad);
        return;
    }
    canvas.put(middle - 5, 2, " bid | ask ", TermStyle::dim);
    const Levels& bids = book->side(Side::buy);
    const Levels& asks = book->side(Side::sell);
    if (!bids.empty() && !asks.empty() && asks[0].price_e2 >= bids[0].price_e2)
        canvas.put(layout.left > 24 ? layout.left - 16 : 0, 2,
                   fmt::format(" spread {} ", price_text(asks[0].price_e2 - bids[0].price_e2)),
                   TermStyle::dim);
    const std::string state = model.state(model.shown());
    canvas.put(2, 3, std::string_view{state}.substr(0, layout.left - 3), TermStyle::bright);
    const std::size_t y = state.empty() ? 3 : 4;
    const std::size_t rows = layout.depth + 3 - y;
    std::uint64_t most = 0;
    for (const Levels* side : {&bids, &asks})
        for (std::size_t i = 0; i < std::min(side->size(), rows); ++i)
            most = std::max(most, (*side)[i].quantity);
    for (std::size_t i = 0; i < rows; ++i) {
        canvas.put(middle, y + i, "|", TermStyle::dim);
        if (i < bids.size()) draw_level(canvas, y + i, middle, Side::buy, bids[i], most);
        if (i < asks.size()) draw_level(canvas, y + i, middle, Side::sell, asks[i], most);
    }
    if (bids.empty() && asks.empty()) canvas.put(2, 4, "the book is empty", TermStyle::dim);
}

// Marks orders with outstanding requests and orders whose state is unknown. Stop prices are marked,
// too; all options are shown if they fit.
std::string order_row(const OwnOrder& order, const Symbols& symbols, std::size_t room) {
    const std::string start = order.extras.stop_e2 > 0 ? "s" + price_text(order.extras.stop_e2)
                              : order.market           ? "market"
                                                       : price_text(order.price_e2);
    const std::string full = order_words(order.market, order.price_e2, order.extras);
    const char mark = order.state == OwnOrder::State::sent     ? '>'
                      : order.state == OwnOrder::State::unsure ? '?'
                                                               : ' ';
    constexpr std::size_t k_before = 22;
    const bool in_full = full.size() > start.size() && room > k_before + full.size();
    return fmt::format("{}{:>3} {:<4} {:>6} {:<5}{}{:>9}", mark, order.number,
                       order.side == Side::buy ? "buy" : "sell", order.open,
                       symbols.name(order.instrument), in_full ? " " : "", in_full ? full : start);
}

void draw_orders(TermCanvas& canvas, const TermModel& model, const Layout& layout,
                 std::size_t rows) {
    const auto& orders = model.entry().orders();
    const std::size_t x = layout.right_x();
    canvas.fill(x, 2, layout.right(), '-', TermStyle::dim);
    canvas.put(x + 1, 2, fmt::format(" orders {} ", orders.size()), TermStyle::bright);
    // Shows the latest ones if not all fit.
    std::size_t skip = orders.size() > rows ? orders.size() - rows : 0;
    std::size_t y = 3;
    for (const auto& [number, order] : orders) {
        if (skip > 0) {
            --skip;
            continue;
        }
        const TermStyle style = order.state != OwnOrder::State::open ? TermStyle::dim
                                : order.side == Side::buy            ? TermStyle::bid
                                                                     : TermStyle::ask;
        canvas.put(x, y++, order_row(order, model.symbols(), layout.right()), style);
    }
}

void draw_positions(TermCanvas& canvas, const TermModel& model, const Layout& layout, std::size_t y,
                    std::size_t end) {
    const std::size_t x = layout.right_x();
    canvas.fill(x, y, layout.right(), '-', TermStyle::dim);
    canvas.put(x + 1, y, fmt::format(" positions, profit {} ", money_text(model.profit())),
               TermStyle::bright);
    for (const auto& [id, position] : model.positions()) {
        if (++y >= end) return;
        const Int128 profit = position.realised() + position.unrealised(model.mark(id));
        const std::string text = fmt::format(
            "{:<5}{:>+7}{:>9}{:>10}", model.symbols().name(id), position.open().value,
            position.open().value == 0
                ? ""
                : price_text(position.average_price().value / wire::binary::k_price_units),
            money_text(profit));
        canvas.put(x, y, text, profit < 0 ? TermStyle::ask : TermStyle::bid);
    }
}

// Latest trade last.
void draw_tape(TermCanvas& canvas, const TermModel& model, std::size_t x, std::size_t y,
               std::size_t width, std::size_t rows) {
    constexpr std::size_t k_with_time = 31;
    canvas.fill(x, y, width, '-', TermStyle::dim);
    canvas.put(x + 1, y, model.tape_is_own() ? " own trades only " : " tape ", TermStyle::bright);
    const auto& trades = model.tape();
    const std::size_t from = trades.size() - std::min(rows - 1, trades.size());
    for (std::size_t i = from; i < trades.size(); ++i) {
        const TapeTrade& trade = trades[i];
        const std::string text =
            fmt::format("{:<5}{:>9}{:>6} {}", model.symbols().name(trade.instrument),
                        price_text(trade.price_e2), trade.quantity,
                        !trade.taker               ? ' '
                        : trade.taker == Side::buy ? 'B'
                                                   : 'S');
        const TermStyle style = !trade.taker               ? TermStyle::plain
                                : trade.taker == Side::buy ? TermStyle::bid
                                                           : TermStyle::ask;
        canvas.put(x, ++y, width < k_with_time ? text : trade.time + " " + text, style);
    }
}

TermStyle style_of(TermLine::Tone tone) {
    constexpr std::array k_styles{TermStyle::plain, TermStyle::good, TermStyle::bad,
                                  TermStyle::bright};
    return k_styles.at(static_cast<std::size_t>(tone));
}

struct Row {
    std::string_view time;  ///< only in the first row of a line
    std::string_view text;
    TermStyle style;
};

// The last lines, newest first; long ones take several rows.
std::vector<Row> rows_of(const std::deque<TermLine>& lines, std::size_t width, std::size_t most) {
    std::vector<Row> rows;
    for (auto line = lines.rbegin(); line != lines.rend() && rows.size() < most; ++line) {
        const std::string_view text = line->text;
        const std::size_t parts = std::max<std::size_t>((text.size() + width - 1) / width, 1);
        for (std::size_t part = parts; part-- > 0;)
            rows.push_back({part == 0 ? std::string_view{line->time} : std::string_view{},
                            text.substr(part * width, width), style_of(line->tone)});
    }
    rows.resize(std::min(rows.size(), most), Row{});
    return rows;
}

void draw_lines(TermCanvas& canvas, const TermModel& model, const Layout& layout) {
    constexpr std::size_t k_time_width = 9;
    const std::size_t y = layout.lines_y() - 1;
    canvas.fill(0, y, layout.width, '-', TermStyle::dim);
    const auto rows = rows_of(model.lines(), layout.width - k_time_width, layout.lines + 1);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Row& row = rows[rows.size() - 1 - i];
        canvas.put(0, y + 1 + i, row.time, TermStyle::dim);
        canvas.put(k_time_width, y + 1 + i, row.text, row.style);
    }
}

void draw_prompt(TermCanvas& canvas, const LineEditor& editor) {
    const std::size_t y = canvas.height() - 1;
    canvas.fill(0, y - 1, canvas.width(), ' ', TermStyle::title);
    canvas.put(1, y - 1, k_hint, TermStyle::title);
    // A long line scrolls so that the cursor stays visible.
    const std::size_t room = canvas.width() - 3;
    const std::size_t from = editor.cursor() > room ? editor.cursor() - room : 0;
    canvas.put(0, y, ">", TermStyle::bright);
    canvas.put(2, y, std::string_view{editor.line()}.substr(from));
    canvas.cursor_x = 2 + editor.cursor() - from;
    canvas.cursor_y = y;
}

}  // namespace

void TermCanvas::put(std::size_t x, std::size_t y, std::string_view text, TermStyle style) {
    if (y >= height_) return;
    for (const char c : text) {
        if (x >= width_) return;
        cells_[y * width_ + x++] = {c >= ' ' && c <= '~' ? c : '?', style};
    }
}

void TermCanvas::fill(std::size_t x, std::size_t y, std::size_t width, char character,
                      TermStyle style) {
    for (std::size_t i = 0; i < width; ++i) put(x + i, y, {&character, 1}, style);
}

std::string TermCanvas::row(std::size_t y) const {
    std::string text;
    for (std::size_t x = 0; x < width_; ++x) text += at(x, y).character;
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
}

TermCanvas draw_term(const TermModel& model, const LineEditor& editor, std::size_t width,
                     std::size_t height) {
    TermCanvas canvas{width, height};
    if (width < k_least_term_width || height < k_least_term_height) {
        canvas.put(0, 0,
                   fmt::format("{}x{} is too small: need {}x{}", width, height, k_least_term_width,
                               k_least_term_height));
        return canvas;
    }
    const Layout layout = layout_of(width, height);
    draw_title(canvas, model);
    draw_strip(canvas, model);
    draw_depth(canvas, model, layout);
    const bool beside = layout.tape > 0;
    const std::size_t tape = beside || layout.depth < 8 ? 0 : layout.depth * 3 / 10;
    const std::size_t most = (layout.depth - tape) / 2 + 1;
    const std::size_t positions =
        std::min(std::max<std::size_t>(model.positions().size(), 1) + 1, most);
    const std::size_t orders = layout.depth - positions - tape;
    draw_orders(canvas, model, layout, orders);
    draw_positions(canvas, model, layout, 3 + orders, 3 + orders + positions);
    if (beside)
        draw_tape(canvas, model, width - layout.tape, 2, layout.tape, layout.depth + 1);
    else if (tape > 0)
        draw_tape(canvas, model, layout.right_x(), 3 + orders + positions, layout.right(), tape);
    draw_lines(canvas, model, layout);
    draw_prompt(canvas, editor);
    return canvas;
}

}  // namespace damrak::client
