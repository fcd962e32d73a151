#include <damrak/files/day_kind.hpp>

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include <damrak/files/byte_source.hpp>
#include <damrak/files/content_guess.hpp>

namespace damrak::files {

namespace {

struct Known {
    std::string_view begin;
    std::string_view name;
};

constexpr std::string_view k_archived_day = "DAMRAKAR";
constexpr std::string_view k_dbn = "DBN";
constexpr std::array k_own{
    Known{"DAMRAKEV", "the events of an exchange (see damrak archive events)"},
    Known{"DAMRKJNL",
          "a segment of the journal of an exchange (damrak archive import makes days "
          "of its folder)"},
    Known{"DAMRAKHM", "the heatmap of an archived day, which damrak makes again from the day"},
};

/// Header rows of text tables; of two that fit, the first. A comma or a quote before is skipped.
constexpr std::array k_headers{
    Known{"exchange,symbol,timestamp,local_timestamp,is_snapshot,",
          "a Tardis CSV file, incremental_book_L2"},
    Known{"exchange,symbol,timestamp,local_timestamp,asks[0]", "a Tardis CSV file, book_snapshot"},
    Known{"exchange,symbol,timestamp,local_timestamp,bids[0]", "a Tardis CSV file, book_snapshot"},
    Known{"exchange,symbol,timestamp,local_timestamp,id,side,", "a Tardis CSV file, trades"},
    Known{"exchange,symbol,timestamp,local_timestamp,ask_amount,", "a Tardis CSV file, quotes"},
    Known{"exchange,symbol,timestamp,", "a Tardis CSV file"},
    Known{"symbol,timestamp,first_update_id,", "a Binance CSV file of an order book"},
    Known{"symbol,timestamp,trans_id,first_update_id,", "a Binance CSV file of an order book"},
    Known{"id,price,qty,quote_qty,time,is_buyer_maker", "a Binance CSV file of trades"},
    Known{"agg_trade_id,price,", "a Binance CSV file of aggregated trades"},
    Known{"agg_id,price,", "a Binance CSV file of aggregated trades"},
    Known{"update_id,best_bid_price,", "a Binance CSV file of best prices"},
    Known{"ts_recv,ts_event,rtype,", "a Databento CSV file (request the same data as DBN)"},
    Known{"ts_event,rtype,publisher_id,", "a Databento CSV file (request the same data as DBN)"},
    Known{"TIMESTAMP,ORDER_ID,PRICE,SIZE,BUY_SELL_FLAG", "an ABIDES file of orders"},
};

std::string_view name_in(std::span<const Known> list, std::string_view text) {
    const auto found =
        std::ranges::find_if(list, [&](const Known& one) { return text.starts_with(one.begin); });
    return found == list.end() ? std::string_view{} : found->name;
}

/// What a text table is if it is of others; empty: nothing is known against a LOBSTER file.
std::string_view foreign_table(std::string_view text) {
    std::string_view line = text.substr(0, text.find_first_of("\r\n"));
    if (line.find('{') != std::string_view::npos) return "lines of JSON";
    if (line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);
    if (const auto first = line.find_first_not_of(",\""); first != std::string_view::npos)
        line.remove_prefix(first);
    if (const auto name = name_in(k_headers, line); !name.empty()) return name;
    // Without a header: whether the buyer was the maker.
    const std::string_view last = line.substr(line.rfind(',') + 1);
    if (last == "true" || last == "false" || last == "True" || last == "False")
        return "a Binance CSV file of trades";
    return {};
}

std::unexpected<std::string> refused(const std::string& name, std::string_view what) {
    return std::unexpected{fmt::format(
        "{}: this is {}; a recorded day is an ITCH 5.0 file, a LOBSTER message file (.csv), a DBN "
        "file or an archived day (.dar)",
        name, what)};
}

}  // namespace

std::expected<DayKind, std::string> day_kind(std::span<const std::byte> first_bytes,
                                             const std::string& name) {
    const std::string_view text{reinterpret_cast<const char*>(first_bytes.data()),
                                first_bytes.size()};
    if (text.starts_with(k_archived_day)) return DayKind::archived_day;
    if (text.starts_with(k_dbn)) return DayKind::dbn;
    if (const auto own = name_in(k_own, text); !own.empty()) return refused(name, own);
    if (looks_like_table(first_bytes)) {
        const auto foreign = foreign_table(text);
        if (!foreign.empty()) return refused(name, foreign);
        return DayKind::lobster;
    }
    const std::string_view content = guess_content(first_bytes);
    if (content.empty() || content == "nothing but zeros" || content == "plain text") {
        std::filesystem::path path{name};
        if (path.extension() == ".gz" || path.extension() == ".zst") path.replace_extension();
        return path.extension() == ".csv" ? DayKind::lobster : DayKind::itch;
    }
    return refused(name, content);
}

std::expected<DayKind, std::string> day_kind(const std::filesystem::path& path) {
    auto source = ByteSource::open(path);
    if (!source) return std::unexpected{std::move(source.error())};
    const auto first = source->ahead();
    if (!first) return std::unexpected{first.error()};
    return day_kind(*first, path.string());
}

const char* noun_of(DayKind kind) {
    switch (kind) {
        case DayKind::itch:
            return "an ITCH file";
        case DayKind::lobster:
            return "a LOBSTER file";
        case DayKind::dbn:
            return "a DBN file";
        case DayKind::archived_day:
            return "an archived day";
    }
    return "";
}

}  // namespace damrak::files
