#include <damrak/script/command_script.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <ranges>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <damrak/base/did_you_mean.hpp>
#include <damrak/base/duration_text.hpp>
#include <damrak/base/local_days.hpp>
#include <damrak/base/time_of_day.hpp>
#include <damrak/base/time_units.hpp>
#include <damrak/script/detail/script_line.hpp>
#include <damrak/script/detail/script_rules.hpp>

namespace damrak::script {

namespace {

using detail::ScriptLine;
using detail::words_of;

constexpr std::int64_t k_most = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t k_most_number = std::numeric_limits<std::uint32_t>::max();
constexpr unsigned k_decimals = 4;
constexpr auto k_sides = std::to_array<std::string_view>({"buy", "sell"});
constexpr auto k_types = std::to_array<std::string_view>({"limit", "market", "stop", "stop_limit"});

class ScriptReader {
  public:
    ScriptReader(std::string_view where, LocalDays days, const ScriptTerms& terms)
        : where_(where),
          days_(std::move(days)),
          find_order_(&terms.find_order),
          on_line_(&terms.on_line),
          last_id_(terms.last_order_id),
          day_(terms.day) {
        for (const InstrumentDefinition& one : terms.instruments)
            instruments_.emplace(one.symbol.view(), Traded{one.id, one.price_decimals});
        if (!terms.now) return;
        now_ = terms.now->value;
        is_timed_ = true;
        day_ = days_.day_of(*now_);
    }

    [[nodiscard]] std::expected<std::vector<ScriptStep>, std::string> read(std::string_view text) {
        for (std::size_t begin = 0; begin < text.size() && mistake_.empty();) {
            const std::size_t end = std::min(text.find('\n', begin), text.size());
            ++line_;
            if (*on_line_) (*on_line_)();
            const std::string_view line = text.substr(begin, end - begin);
            refuse(detail::fault_of(line));
            std::vector<std::string_view> words = words_of(line);
            if (mistake_.empty()) read_time(words);
            if (!words.empty() && mistake_.empty()) read_line(words);
            begin = end + 1;
        }
        if (!mistake_.empty())
            return std::unexpected{fmt::format("{}:{}: {}", where_, line_, mistake_)};
        return std::move(steps_);
    }

  private:
    struct Traded {
        InstrumentId id{};
        unsigned decimals = k_decimals;
    };
    struct Entered {
        InstrumentId instrument{};
        unsigned decimals = 0;
        ParticipantId participant{};
    };
    using Read = void (ScriptReader::*)(ScriptLine&, Command&);
    struct Verb {
        std::string_view name;
        CommandKind kind;
        Read read;
    };

    // A time of day, or how long after the line before; then it is no longer among the words.
    void read_time(std::vector<std::string_view>& words) {
        if (words.empty()) return;
        const std::string_view word = words.front();
        const bool is_later = word.starts_with('+');
        if (!is_later && (word.front() < '0' || word.front() > '9')) return;
        words.erase(words.begin());
        std::optional<std::int64_t> time;
        if (is_later) {
            if (const auto later = parse_duration(word.substr(1))) time = now() + *later;
        } else if (const auto of_day = parse_time_of_day(word)) {
            time = days_.at(day_, *of_day);
        }
        if (!time)
            return refuse(
                fmt::format("'{}' is no time: expected one of day, such as 09:30 or "
                            "09:30:00.25, or +100ms after the line before",
                            word));
        // Lines ahead of the first time of day have that time, too.
        if (!is_timed_ && !is_later)
            for (ScriptStep& step : steps_) step.command.timestamp = {*time};
        else if (*time < now_.value_or(*time))
            return refuse(fmt::format("{} is before the time of the line before", word));
        now_ = time;
        is_timed_ = true;
    }

    [[nodiscard]] std::int64_t now() {
        if (!now_) now_ = days_.at(day_, 11 * k_hour_ns);
        return *now_;
    }

    void read_line(std::span<const std::string_view> words) {
        const std::string_view word = words.front();
        if (word == "date") return read_date(words.subspan(1));
        const auto verb = std::ranges::find(k_verbs, word, &Verb::name);
        if (verb == k_verbs.end()) {
            std::vector<std::string> known{"date"};
            for (const Verb& one : k_verbs) known.emplace_back(one.name);
            return refuse(
                fmt::format("there is no command '{}'; {}", word, did_you_mean(word, known)));
        }
        ScriptLine line{word, words.subspan(1)};
        ScriptStep step{.line = line_, .shows_book = word == "book", .command = {}};
        step.command.kind = verb->kind;
        (this->*verb->read)(line, step.command);
        line.finish();
        refuse(line.mistake());
        if (!mistake_.empty()) return;
        step.command.timestamp = {now()};
        steps_.push_back(step);
    }

    void read_date(std::span<const std::string_view> words) {
        const auto day = words.size() == 1 ? detail::parse_date(words[0]) : std::nullopt;
        if (!day) return refuse("date needs a day: date 2026-11-27");
        if (now_ && days_.at(*day, 0) < days_.at(day_, 0)) return refuse("the date goes back");
        day_ = *day;
        if (now_) now_ = std::max(*now_, days_.at(day_, 0));
    }

    void read_instrument(ScriptLine& line, Command& command) {
        line.require("symbol");
        const std::string symbol{line.text("symbol").value_or("")};
        const std::int64_t id =
            line.whole("id", std::ssize(instruments_) + 1, 1, k_maximum_instruments);
        const auto decimals = static_cast<unsigned>(line.whole("decimals", k_decimals, 0, 9));
        const InstrumentDefinition usual;
        if (symbol.empty() || symbol.size() > usual.symbol.characters.size())
            line.refuse("a symbol has 1 to 16 characters");
        if (instruments_.contains(symbol))
            line.refuse(fmt::format("there is an instrument {} already", symbol));
        std::int64_t cent = 1;
        for (unsigned i = 2; i < decimals; ++i) cent *= 10;
        command.instrument = {static_cast<std::uint32_t>(id)};
        command.definition = {
            .symbol = Symbol::of(symbol),
            .tick_size = {line.decimal("tick", cent, decimals)},
            .maximum_price = {line.decimal("maximum_price", usual.maximum_price.value, decimals)},
            .lot_size = {line.whole("lot", 1, 1, k_most)},
            .maximum_quantity = {line.whole("maximum_quantity", usual.maximum_quantity.value, 1,
                                            k_most)},
            .shard_group = static_cast<std::uint16_t>(
                line.whole("shard_group", 0, 0, std::numeric_limits<std::uint16_t>::max())),
            .price_decimals = static_cast<std::uint8_t>(decimals),
            .unpublished = std::uint8_t{line.flag("unpublished")},
            .minimum_price = {line.decimal("minimum_price", 0, decimals)}};
        instruments_[symbol] = {command.instrument, decimals};
    }

    // The instrument of a line; the only one need not be named. A script without one has TEST.
    Traded instrument_of(ScriptLine& line, Command& command) {
        if (instruments_.empty()) {
            ScriptStep step{.line = line_, .command = {}};
            constexpr auto k_words = std::to_array<std::string_view>({"symbol=TEST"});
            ScriptLine usual{"instrument", k_words};
            step.command.kind = CommandKind::add_instrument;
            read_instrument(usual, step.command);
            step.command.timestamp = {now()};
            steps_.push_back(step);
        }
        const auto symbol = line.text("instrument");
        if (!symbol && instruments_.size() > 1) line.require("instrument");
        const auto found = symbol ? instruments_.find(*symbol) : instruments_.begin();
        if (found == instruments_.end()) {
            line.refuse(fmt::format("there is no instrument '{}' before this line", *symbol));
            return {};
        }
        command.instrument = found->second.id;
        return found->second;
    }

    ParticipantId participant_of(ScriptLine& line, std::uint32_t preset) {
        return {static_cast<std::uint32_t>(line.whole("participant", preset, 1, k_most_number))};
    }

    std::optional<Side> side_of(ScriptLine& line) {
        const bool buys = line.flag("buy");
        const bool sells = line.flag("sell");
        if (buys && sells) line.refuse("it is either buy or sell");
        if (line.has("side")) return static_cast<Side>(line.word("side", 0, k_sides));
        if (!buys && !sells) return {};
        return buys ? Side::buy : Side::sell;
    }

    void read_new(ScriptLine& line, Command& command) {
        const Traded traded = instrument_of(line, command);
        const auto side = side_of(line);
        if (!side) line.refuse("new needs buy or sell");
        command.side = side.value_or(Side::buy);
        line.require("quantity");
        command.quantity = {line.whole("quantity", 0, -k_most, k_most)};
        const bool has_price = line.has("price");
        const bool is_stop = line.has("stop") || line.has("trail");
        const std::size_t usual_type = (has_price ? 0U : 1U) + (is_stop ? 2U : 0U);
        constexpr std::array<std::size_t, 4> k_by_words{0, 1, 3, 2};  // with stop and price: both
        command.order_type =
            static_cast<OrderType>(line.word("type", k_by_words[usual_type], k_types));
        command.price = {line.decimal("price", 0, traded.decimals)};
        command.participant = participant_of(line, 1);
        command.order_id = {static_cast<std::uint64_t>(
            line.whole("id", static_cast<std::int64_t>(last_id_) + 1, 1, k_most))};
        last_id_ = std::max(last_id_, command.order_id.value);
        command.client_order_id = {
            static_cast<std::uint64_t>(line.whole("client_id", 0, 0, k_most))};
        command.order.stop_price = {line.decimal("stop", 0, traded.decimals)};
        command.order.display_quantity = {line.whole("display", 0, 0, k_most)};
        command.order.minimum_quantity = {line.whole("minimum", 0, 0, k_most)};
        if (const auto expires = line.text("expire")) {
            const auto time = parse_time_of_day(*expires);
            if (!time) line.refuse("expire must be a time of day, such as 16:00");
            command.order.expire_time = {days_.at(day_, time.value_or(0))};
        }
        read_attributes(line, traded.decimals, command);
        orders_[command.order_id.value] = {traded.id, traded.decimals, command.participant};
    }

    // Instrument and participant are those of the last line that enters an order with this id, or
    // named. The engine may never have seen the id.
    unsigned read_order(ScriptLine& line, Command& command) {
        line.require("id");
        command.order_id = {static_cast<std::uint64_t>(line.whole("id", 1, 1, k_most))};
        const auto order = find_order(command.order_id);
        if (!order) {
            command.participant = participant_of(line, 1);
            return instrument_of(line, command).decimals;
        }
        command.instrument = order->instrument;
        command.participant = participant_of(line, order->participant.value);
        return line.has("instrument") ? instrument_of(line, command).decimals : order->decimals;
    }

    [[nodiscard]] std::optional<Entered> find_order(OrderId id) const {
        if (const auto found = orders_.find(id.value); found != orders_.end()) return found->second;
        const auto there = *find_order_ ? (*find_order_)(id) : std::nullopt;
        if (!there) return {};
        const auto in =
            std::ranges::find(std::views::values(instruments_), there->instrument, &Traded::id);
        return Entered{there->instrument, (*in).decimals, there->participant};
    }

    void read_cancel(ScriptLine& line, Command& command) {
        read_order(line, command);
        command.quantity = {line.whole("quantity", 0, 0, k_most)};
    }

    void read_query(ScriptLine& line, Command& command) { read_order(line, command); }

    void read_replace(ScriptLine& line, Command& command) {
        const unsigned decimals = read_order(line, command);
        line.require("quantity");
        command.quantity = {line.whole("quantity", 0, -k_most, k_most)};
        command.price = {line.decimal("price", 0, decimals)};
        command.order.stop_price = {line.decimal("stop", 0, decimals)};
        command.new_order_id = {static_cast<std::uint64_t>(
            line.whole("new_id", static_cast<std::int64_t>(command.order_id.value), 1, k_most))};
        last_id_ = std::max(last_id_, command.new_order_id.value);
        if (line.flag("lose_priority")) command.flags |= CommandFlags::k_lose_priority;
        if (line.flag("total")) command.flags |= CommandFlags::k_quantity_is_total;
        const auto order = orders_.find(command.order_id.value);
        if (order != orders_.end()) orders_[command.new_order_id.value] = order->second;
    }

    void read_mass_cancel(ScriptLine& line, Command& command) {
        if (line.has("instrument")) instrument_of(line, command);
        command.participant = {
            static_cast<std::uint32_t>(line.whole("participant", 0, 1, k_most_number))};
        const auto side = side_of(line);
        if (side) command.side = *side;
        if (!side) command.flags = CommandFlags::k_both_sides;
    }

    // A line about one instrument, of script_rules.hpp.
    template <void (*k_read)(ScriptLine&, unsigned, Command&)>
    void read_rule(ScriptLine& line, Command& command) {
        k_read(line, instrument_of(line, command).decimals, command);
    }
    void read_quote(ScriptLine& line, Command& command) {
        const Traded traded = instrument_of(line, command);
        detail::read_quote(line, traded.decimals, command);
        for (const auto& [key, id] :
             {std::pair{"id", &command.order_id}, std::pair{"ask_id", &command.new_order_id}}) {
            const auto next = static_cast<std::int64_t>(last_id_) + 1;
            id->value = static_cast<std::uint64_t>(line.whole(key, next, 1, k_most));
            last_id_ = std::max(last_id_, id->value);
            orders_[id->value] = {traded.id, traded.decimals, command.participant};
        }
    }
    void read_combination(ScriptLine& line, Command& command) {
        instrument_of(line, command);
        const auto find = [&](std::string_view symbol) {
            const auto found = instruments_.find(symbol);
            return found == instruments_.end() ? InstrumentId{} : found->second.id;
        };
        detail::read_combination(line, find, command);
    }
    void read_limits(ScriptLine& line, Command& command) { detail::read_limits(line, command); }
    void read_participant_state(ScriptLine& line, Command& command) {
        detail::read_participant_state(line, command);
    }
    void read_book(ScriptLine& line, Command& command) { instrument_of(line, command); }
    void read_nothing(ScriptLine& /*line*/, Command& /*command*/) {}
    void read_end_day(ScriptLine& line, Command& command) {
        if (line.has("instrument")) instrument_of(line, command);
        if (line.flag("all_of_anonymous")) command.flags = CommandFlags::k_all_of_anonymous;
    }

    void refuse(std::string what) {
        if (mistake_.empty()) mistake_ = std::move(what);
    }

    static constexpr auto k_verbs = std::to_array<Verb>(
        {{"instrument", CommandKind::add_instrument, &ScriptReader::read_instrument},
         {"tick_band", CommandKind::add_tick_band,
          &ScriptReader::read_rule<&detail::read_tick_band>},
         {"new", CommandKind::new_order, &ScriptReader::read_new},
         {"cancel", CommandKind::cancel_order, &ScriptReader::read_cancel},
         {"replace", CommandKind::replace_order, &ScriptReader::read_replace},
         {"query", CommandKind::query_order, &ScriptReader::read_query},
         {"mass_cancel", CommandKind::mass_cancel, &ScriptReader::read_mass_cancel},
         {"set_phase", CommandKind::set_phase, &ScriptReader::read_rule<&detail::read_phase>},
         {"uncross", CommandKind::uncross, &ScriptReader::read_rule<&detail::read_phase>},
         {"set_allocation", CommandKind::set_allocation,
          &ScriptReader::read_rule<&detail::read_allocation>},
         {"set_lead_maker", CommandKind::set_lead_maker,
          &ScriptReader::read_rule<&detail::read_lead_maker>},
         {"bust_trade", CommandKind::bust_trade, &ScriptReader::read_rule<&detail::read_bust>},
         {"correct_trade", CommandKind::correct_trade,
          &ScriptReader::read_rule<&detail::read_bust>},
         {"set_price_limits", CommandKind::set_price_limits,
          &ScriptReader::read_rule<&detail::read_price_limits>},
         {"set_price_band", CommandKind::set_price_band,
          &ScriptReader::read_rule<&detail::read_price_band>},
         {"quote", CommandKind::quote, &ScriptReader::read_quote},
         {"set_quote_protection", CommandKind::set_quote_protection,
          &ScriptReader::read_rule<&detail::read_quote_protection>},
         {"set_combination", CommandKind::set_combination, &ScriptReader::read_combination},
         {"set_trading_state", CommandKind::set_trading_state,
          &ScriptReader::read_rule<&detail::read_trading_state>},
         {"set_limits", CommandKind::set_limits, &ScriptReader::read_limits},
         {"set_participant_state", CommandKind::set_participant_state,
          &ScriptReader::read_participant_state},
         {"tick", CommandKind::tick, &ScriptReader::read_nothing},
         {"end_day", CommandKind::end_day, &ScriptReader::read_end_day},
         {"book", CommandKind::none, &ScriptReader::read_book}});

    std::string_view where_;
    LocalDays days_;
    const decltype(ScriptTerms::find_order)* find_order_;
    const decltype(ScriptTerms::on_line)* on_line_;
    std::uint64_t last_id_;
    std::uint32_t line_ = 0;
    std::int64_t day_;
    std::optional<std::int64_t> now_;  // of the last line; nothing: no line had one
    bool is_timed_ = false;            // some line had a time
    std::map<std::string, Traded, std::less<>> instruments_;
    std::map<std::uint64_t, Entered> orders_;
    std::vector<ScriptStep> steps_;
    std::string mistake_;
};

}  // namespace

std::expected<std::vector<ScriptStep>, std::string> parse_script(std::string_view text,
                                                                 std::string_view where,
                                                                 const ScriptTerms& terms) {
    auto days = LocalDays::make(terms.zone);
    if (!days) return std::unexpected{std::move(days.error())};
    return ScriptReader{where, *std::move(days), terms}.read(text);
}

}  // namespace damrak::script
