#include <damrak/convert/lobster_to_itch.hpp>

#include <limits>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include <damrak/convert/unseen_orders.hpp>
#include <damrak/lobster/reader.hpp>
#include <damrak/wire/itch/directory.hpp>
#include <damrak/wire/itch/file_writer.hpp>

namespace damrak::convert {

namespace itch = wire::itch;
namespace lobster = lobster;
using lobster::EventType;
using lobster::MessageRow;

namespace {

constexpr std::uint16_t k_locate = 1;
constexpr std::uint64_t k_rows_between_reports = 4096;

template <class T>
using Expected = std::expected<T, std::string>;

struct Rows {
    std::string name;  // of the file
    std::vector<MessageRow> rows;
    std::vector<std::string> notes;
};

Expected<Rows> read_rows(files::ByteSource source, const OnProgress& on_progress) {
    Rows read{source.name(), {}, {}};
    lobster::MessageReader reader{std::move(source)};
    for (;;) {
        const auto row = reader.next();
        if (!row) return std::unexpected{row.error().text};
        if (!*row) break;
        read.rows.push_back(**row);
        if (reader.rows() % k_rows_between_reports == 0)
            on_progress(reader.progress(), reader.rows());
    }
    read.notes = reader.notes();
    return read;
}

class Publisher {
  public:
    Publisher(itch::FileWriter& file, const itch::Stock& stock) : file_{file}, stock_{stock} {}

    void begin(std::int64_t time_ns);
    void open(std::int64_t time_ns) { system_event('Q', time_ns); }
    void seed(const SeedOrder& order, std::int64_t time_ns);
    void publish(const MessageRow& row);
    void end(std::int64_t time_ns);

    [[nodiscard]] bool knows(std::uint64_t order_id) const { return live_.contains(order_id); }
    [[nodiscard]] std::uint64_t inexact_removals() const { return inexact_removals_; }

  private:
    struct Resting {
        std::int64_t price_e4;
        std::int64_t quantity;
    };

    template <class M>
    M about_order(const MessageRow& row) const {
        M message;
        message.stock_locate = k_locate;
        message.timestamp_ns = row.time_ns;
        message.order_ref = row.order_id;
        return message;
    }

    void system_event(char code, std::int64_t time_ns);
    void add(const MessageRow& row);
    void execute(const MessageRow& row);
    void trade(const MessageRow& row);
    void cross(const MessageRow& row);
    void trading_action(char state, std::int64_t time_ns);
    void take(const MessageRow& row);

    itch::FileWriter& file_;
    itch::Stock stock_;
    std::unordered_map<std::uint64_t, Resting> live_;
    std::uint64_t matches_{0};
    std::uint64_t inexact_removals_{0};
};

void Publisher::system_event(char code, std::int64_t time_ns) {
    itch::SystemEvent event;
    event.timestamp_ns = time_ns;
    event.event_code = code;
    file_.write(event);
}

void Publisher::trading_action(char state, std::int64_t time_ns) {
    itch::StockTradingAction action;
    action.stock_locate = k_locate;
    action.timestamp_ns = time_ns;
    action.stock = stock_;
    action.trading_state = state;
    action.reserved = ' ';
    action.reason = *itch::Alpha<4>::from("");
    file_.write(action);
}

void Publisher::begin(std::int64_t time_ns) {
    system_event('O', time_ns);
    constexpr std::uint32_t k_round_lot = 100;
    file_.write(itch::plain_directory(k_locate, time_ns, stock_, k_round_lot));
    system_event('S', time_ns);
    trading_action('T', time_ns);
}

void Publisher::end(std::int64_t time_ns) {
    for (const char code : {'M', 'E', 'C'}) system_event(code, time_ns);
}

void Publisher::seed(const SeedOrder& order, std::int64_t time_ns) {
    itch::AddOrderAttributed add;
    add.stock_locate = k_locate;
    add.timestamp_ns = time_ns;
    add.order_ref = order.order_id;
    add.side = order.side;
    add.shares = static_cast<std::uint32_t>(order.quantity);
    add.stock = stock_;
    add.price_e4 = static_cast<std::uint32_t>(order.price_e4);
    add.attribution = *itch::Mpid::from(k_seed_attribution);
    file_.write(add);
    live_[order.order_id] = {order.price_e4, order.quantity};
}

void Publisher::add(const MessageRow& row) {
    auto message = about_order<itch::AddOrder>(row);
    message.side = row.side;
    message.shares = static_cast<std::uint32_t>(row.size);
    message.stock = stock_;
    message.price_e4 = static_cast<std::uint32_t>(row.price_e4);
    file_.write(message);
    live_[row.order_id] = {row.price_e4, row.size};
}

void Publisher::take(const MessageRow& row) {
    const auto found = live_.find(row.order_id);
    if (found == live_.end()) return;
    found->second.quantity -= row.size;
    if (found->second.quantity <= 0 || row.type == EventType::remove) live_.erase(found);
}

// An execution at a price other than the order's needs the message for that case.
void Publisher::execute(const MessageRow& row) {
    const auto found = live_.find(row.order_id);
    if (found == live_.end() || found->second.price_e4 == row.price_e4) {
        auto message = about_order<itch::OrderExecuted>(row);
        message.executed_shares = static_cast<std::uint32_t>(row.size);
        message.match_number = ++matches_;
        file_.write(message);
    } else {
        auto message = about_order<itch::OrderExecutedWithPrice>(row);
        message.executed_shares = static_cast<std::uint32_t>(row.size);
        message.match_number = ++matches_;
        message.printable = true;
        message.execution_price_e4 = static_cast<std::uint32_t>(row.price_e4);
        file_.write(message);
    }
}

void Publisher::trade(const MessageRow& row) {
    auto message = about_order<itch::Trade>(row);
    message.side = row.side;
    message.shares = static_cast<std::uint32_t>(row.size);
    message.stock = stock_;
    message.price_e4 = static_cast<std::uint32_t>(row.price_e4);
    message.match_number = ++matches_;
    file_.write(message);
}

void Publisher::cross(const MessageRow& row) {
    constexpr std::int64_t k_noon_ns = std::int64_t{12} * 3600 * lobster::k_ns_per_s;
    itch::CrossTrade message;
    message.stock_locate = k_locate;
    message.timestamp_ns = row.time_ns;
    message.shares = static_cast<std::uint64_t>(row.size);
    message.stock = stock_;
    message.cross_price_e4 = static_cast<std::uint32_t>(row.price_e4);
    message.match_number = ++matches_;
    message.cross_type = row.time_ns < k_noon_ns ? 'O' : 'C';
    file_.write(message);
}

void Publisher::publish(const MessageRow& row) {
    switch (row.type) {
        case EventType::add:
            return add(row);
        case EventType::cancel: {
            auto message = about_order<itch::OrderCancel>(row);
            message.cancelled_shares = static_cast<std::uint32_t>(row.size);
            file_.write(message);
            return take(row);
        }
        case EventType::remove: {
            const auto found = live_.find(row.order_id);
            if (found != live_.end() && found->second.quantity != row.size) ++inexact_removals_;
            file_.write(about_order<itch::OrderDelete>(row));
            return take(row);
        }
        case EventType::execute:
            execute(row);
            return take(row);
        case EventType::execute_hidden:
            return trade(row);
        case EventType::cross:
            return cross(row);
        case EventType::halt: {
            const char state = row.price_e4 == lobster::k_halted            ? 'H'
                               : row.price_e4 == lobster::k_quoting_resumes ? 'Q'
                                                                            : 'T';
            return trading_action(state, row.time_ns);
        }
    }
}

// ITCH has 32 bits each for price and quantity; halts have neither.
Expected<void> check(const MessageRow& row) {
    constexpr std::int64_t k_most = std::numeric_limits<std::uint32_t>::max();
    if (row.type == EventType::halt) return {};
    if (row.price_e4 < 0 || row.price_e4 > itch::k_max_price_e4) {
        return std::unexpected{
            fmt::format("price {}; ITCH carries 0 to {}", row.price_e4, itch::k_max_price_e4)};
    }
    if (row.size < 0 || row.size > k_most) {
        return std::unexpected{fmt::format("size {}; ITCH carries 0 to {}", row.size, k_most)};
    }
    return {};
}

using Levels = std::vector<lobster::BookLevel>;

Expected<Levels> first_book_row(const std::filesystem::path& path) {
    auto reader = lobster::BookReader::open(path);
    if (!reader) return std::unexpected{reader.error().text};
    const auto levels = reader->next();
    if (!levels) return std::unexpected{levels.error().text};
    if (*levels) return Levels((*levels)->begin(), (*levels)->end());
    return std::unexpected{
        fmt::format("{}: no rows; expected one for each message", path.string())};
}

struct FirstPass {
    UnseenOrders unseen;
    std::int64_t first_ns{0};
    std::vector<SeedOrder> seeds;
};

Expected<FirstPass> look_through(const LobsterToItch& conversion, const Rows& messages) {
    FirstPass pass;
    Levels levels;
    if (conversion.book) {
        auto row = first_book_row(*conversion.book);
        if (!row) return std::unexpected{row.error()};
        levels = std::move(*row);
    }
    std::optional<MessageRow> reaching;
    if (!messages.rows.empty()) pass.first_ns = messages.rows.front().time_ns;
    for (std::size_t i = 0; i < messages.rows.size(); ++i) {
        const MessageRow& row = messages.rows[i];
        if (!reaching && !levels.empty() && reaches(row, levels)) reaching = row;
        auto seen = check(row);
        if (seen) seen = pass.unseen.see(row);
        if (!seen)
            return std::unexpected{
                fmt::format("{}: row {}: {}", messages.name, i + 1, seen.error())};
    }
    if (!reaching) return pass;
    auto seeds = book_before(*reaching, levels, pass.unseen);
    if (!seeds) {
        return std::unexpected{
            fmt::format("{}: row 1: {}", conversion.book->string(), seeds.error())};
    }
    pass.seeds = std::move(*seeds);
    return pass;
}

}  // namespace

Expected<LobsterToItchSummary> convert(const LobsterToItch& conversion,
                                       const OnProgress& on_progress) {
    auto source = files::ByteSource::open(conversion.messages);
    if (!source) return std::unexpected{source.error()};
    return convert(conversion, std::move(*source), on_progress);
}

Expected<LobsterToItchSummary> convert(const LobsterToItch& conversion, files::ByteSource source,
                                       const OnProgress& on_progress) {
    const auto stock = itch::Stock::from(conversion.symbol);
    if (!stock || conversion.symbol.empty()) {
        return std::unexpected{fmt::format(
            "symbol '{}': expected one to eight printable characters", conversion.symbol)};
    }
    const auto messages = read_rows(std::move(source), on_progress);
    if (!messages) return std::unexpected{messages.error()};
    const auto pass = look_through(conversion, *messages);
    if (!pass) return std::unexpected{pass.error()};
    auto file = itch::FileWriter::create(conversion.itch);
    if (!file) return std::unexpected{file.error()};
    Publisher publisher{*file, *stock};
    LobsterToItchSummary summary;
    summary.book_orders = pass->seeds.size();
    summary.notes = messages->notes;
    summary.rows = messages->rows.size();

    // The session begins with the second of the first message.
    std::int64_t last_ns = pass->first_ns;
    const std::int64_t begin_ns = last_ns - last_ns % lobster::k_ns_per_s;
    publisher.begin(begin_ns);
    for (const SeedOrder& order : pass->seeds) publisher.seed(order, begin_ns);
    publisher.open(begin_ns);

    std::unordered_set<std::uint64_t> seeded;
    for (const SeedOrder& order : pass->seeds) seeded.insert(order.order_id);
    for (const MessageRow& row : messages->rows) {
        const SeedOrder* order = pass->unseen.find(row.order_id);
        if (order != nullptr && seeded.insert(row.order_id).second) {
            publisher.seed(*order, row.time_ns);
            ++summary.late_orders;
        }
        publisher.publish(row);
        last_ns = row.time_ns;
    }
    publisher.end(last_ns);
    if (auto closed = file->close(); !closed) return std::unexpected{closed.error()};
    summary.messages = file->messages();
    summary.inexact_removals = publisher.inexact_removals();
    return summary;
}

}  // namespace damrak::convert
