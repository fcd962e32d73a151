#include <damrak/venue/detail/trading_reader.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <damrak/venue/detail/rules_reader.hpp>

namespace damrak::venue::detail {

namespace {

using files::TableReader;

constexpr std::int64_t k_most_weight = 1'000'000;

// The table under a key, if there is one.
std::optional<TableReader> table_of(TableReader& outer, std::string_view key,
                                    std::string_view example) {
    const toml::node* const node = outer.take(key);
    if (node == nullptr) return {};
    if (!node->is_table()) {
        outer.refuse(*node, key, fmt::format("a table such as {}", example));
        return {};
    }
    return TableReader{*node->as_table(), std::string{key}, outer.mistake()};
}

void read_rate(TableReader& outer, std::string_view key, FeeRate& rate) {
    auto in = table_of(outer, key, "{ per_share = 0.003 } or { percent = 0.1 }");
    if (!in) return;
    rate = {.per_share = multiple(*in, "per_share", in->number("per_share", 0, -1'000, 1'000), 1e9,
                                  "be a multiple of 0.000000001"),
            .millionths = multiple(*in, "percent", in->number("percent", 0, -10, 10), 1e4,
                                   "be a multiple of 0.0001")};
    in->finish();
}

void read_rates(TableReader& in, FeeRates& rates) {
    read_rate(in, "maker", rates.maker);
    read_rate(in, "taker", rates.taker);
    read_rate(in, "auction", rates.auction);
}

std::vector<ParticipantId> read_participants(TableReader& in) {
    std::vector<ParticipantId> made;
    for (const double one : in.numbers("participants", {}, 1, UINT32_MAX)) {
        const ParticipantId id{static_cast<std::uint32_t>(one)};
        if (one != std::floor(one))
            in.complain("participants is a list of whole numbers");
        else if (std::ranges::find(made, id) != made.end())
            in.complain(fmt::format("participant {} is there twice", id.value));
        made.push_back(id);
    }
    if (made.empty()) in.complain("it needs participants: a list of numbers in brackets");
    return made;
}

}  // namespace

Delay read_delay(TableReader& top) {
    auto in = table_of(top, "delay", "[delay]");
    if (!in) return {};
    const auto wait = [&](std::string_view fixed, std::string_view random) {
        return Delay::Wait{.fixed_ns = in->duration(fixed, 0, 0, k_second_ns),
                           .random_ns = in->duration(random, 0, 0, k_second_ns)};
    };
    const Delay made{.taking = wait("taking", "taking_random"),
                     .other = wait("other", "other_random"),
                     .reports_ns = in->duration("reports", 0, 0, k_second_ns),
                     .market_data_ns = in->duration("market_data", 0, 0, k_second_ns)};
    in->finish();
    return made;
}

Fees read_fees(TableReader& top) {
    auto in = table_of(top, "fees", "[fees]");
    if (!in) return {};
    Fees made;
    read_rates(*in, made.all);
    std::vector<ParticipantId> known;
    for (const toml::table* const table : in->tables("group")) {
        TableReader one{*table, "fees: group", in->mistake()};
        Fees::Group group{.name = one.text("name", ""),
                          .participants = read_participants(one),
                          .rates = made.all};
        read_rates(one, group.rates);
        for (const ParticipantId id : group.participants) {
            if (std::ranges::find(known, id) != known.end())
                one.complain(fmt::format("participant {} is in another group", id.value));
            known.push_back(id);
        }
        one.finish();
        made.groups.push_back(std::move(group));
    }
    in->finish();
    return made;
}

std::vector<Obligation> read_obligations(TableReader& top) {
    std::vector<Obligation> made;
    for (const toml::table* const table : top.tables("obligation")) {
        TableReader in{*table, "obligation", top.mistake()};
        Obligation one{
            .name = in.text("name", ""),
            .participants = read_participants(in),
            .symbols = in.texts("symbols"),
            .presence_percent = static_cast<std::uint16_t>(in.whole("presence", 80, 1, 100)),
            .most_spread = amount(in, "spread"),
            .least_quantity = in.whole("quantity", 1, 1, 4'294'967'295),
            .period_ns = in.duration("period", 60 * k_second_ns, k_second_ns, k_day_ns)};
        if (one.most_spread == 0)
            in.complain("it needs the widest spread, in the currency: spread = 0.05");
        in.finish();
        made.push_back(std::move(one));
    }
    return made;
}

std::vector<BreakerRule::Part> read_parts(TableReader& in, std::string_view key,
                                          std::string_view what) {
    std::vector<BreakerRule::Part> parts;
    for (const toml::table* const one : in.tables(key)) {
        TableReader part{*one, std::string{what}, in.mistake()};
        BreakerRule::Part read{.symbol = part.text("symbol", ""),
                               .weight = part.whole("weight", 1, 1, k_most_weight)};
        if (read.symbol.empty()) part.complain("a part of the index needs its symbol");
        if (std::ranges::find(parts, read.symbol, &BreakerRule::Part::symbol) != parts.end())
            part.complain("the symbol is in the index before");
        part.finish();
        parts.push_back(std::move(read));
    }
    return parts;
}

std::optional<Index> read_index(TableReader& top) {
    auto in = table_of(top, "index", "[index]");
    if (!in) return {};
    Index made{.name = in->text("name", "index"),
               .parts = read_parts(*in, "parts", "index: parts")};
    if (made.parts.empty())
        in->complain("it needs parts, such as parts = [{ symbol = \"AAPL\", weight = 2 }]");
    in->finish();
    return made;
}

}  // namespace damrak::venue::detail
