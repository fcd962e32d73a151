#include <cmath>
#include <utility>
#include <vector>

#include <damrak/files/toml_table.hpp>
#include <damrak/modify/modification.hpp>

namespace damrak::modify {
namespace {

using files::Mistake;
using files::TableReader;

constexpr double k_units = 10'000;  // price units of the currency's unit

class FileReader {
  public:
    explicit FileReader(std::string_view where) : mistake_(where) { made_.file = where; }

    [[nodiscard]] std::expected<Modification, std::string> read(const toml::table& table) {
        TableReader top{table, "", mistake_};
        made_.seed = static_cast<std::uint64_t>(
            top.whole("seed", 1, 0, std::numeric_limits<std::int64_t>::max()));
        read_table(top, "window", [this](TableReader& in) { read_window(in); });
        read_table(top, "drop", [this](TableReader& in) { read_drop(in); });
        read_table(top, "thin",
                   [this](TableReader& in) { made_.thin_share = in.number("share", 0, 0, 1); });
        read_table(top, "scale", [this](TableReader& in) {
            made_.scale_factor = in.number("factor", 1, 0.001, 1'000);
        });
        read_table(top, "tick", [this](TableReader& in) { read_tick(in); });
        read_table(top, "delay", [this](TableReader& in) { read_delay(in); });
        top.finish();
        if (mistake_.is_there()) return std::unexpected{mistake_.text()};
        return std::move(made_);
    }

  private:
    template <class Read>
    void read_table(TableReader& top, std::string_view name, const Read& read) {
        const toml::node* const node = top.take(name);
        if (node == nullptr) return;
        if (!node->is_table()) return top.refuse(*node, name, fmt::format("a table [{}]", name));
        TableReader in{*node->as_table(), std::string{name}, mistake_};
        read(in);
        in.finish();
    }

    void read_window(TableReader& in) {
        Window& window = made_.window;
        window.from_ns = in.time_of_day("from", window.from_ns);
        window.until_ns = in.time_of_day("until", window.until_ns);
        if (window.until_ns <= window.from_ns) in.complain("until must be later than from");
    }

    struct Word {
        std::string_view word;
        bool* is_named;
    };
    void read_words(TableReader& in, std::string_view key, const std::vector<Word>& words) {
        const toml::node* const node = in.take(key);
        for (const std::string& text : in.texts(key)) {
            bool is_known = false;
            for (const Word& one : words) {
                if (one.word != text) continue;
                *one.is_named = is_known = true;
            }
            if (is_known) continue;
            std::vector<std::string_view> known;
            known.reserve(words.size());
            for (const Word& one : words) known.push_back(one.word);
            in.refuse(
                *node, key,
                fmt::format("a list of \"{}\"; found \"{}\"", fmt::join(known, "\", \""), text));
        }
    }

    void read_drop(TableReader& in) {
        Drop& drop = made_.drop;
        read_words(in, "orders",
                   {{"bids", &drop.bids}, {"asks", &drop.asks}, {"attributed", &drop.attributed}});
        constexpr std::int64_t k_most = std::numeric_limits<std::uint32_t>::max();
        drop.smaller_than = static_cast<std::uint32_t>(in.whole("smaller_than", 0, 0, k_most));
        drop.larger_than = static_cast<std::uint32_t>(in.whole("larger_than", k_most, 0, k_most));
        read_words(in, "messages",
                   {{"executions", &drop.executions},
                    {"hidden_trades", &drop.hidden_trades},
                    {"crosses", &drop.crosses},
                    {"imbalances", &drop.imbalances},
                    {"halts", &drop.halts}});
    }

    void read_tick(TableReader& in) {
        const double size = in.number("size", 1 / k_units, 1 / k_units, 1'000);
        made_.tick_e4 = static_cast<std::uint32_t>(std::lround(size * k_units));
        if (std::abs(size * k_units - made_.tick_e4) > 1e-6)
            in.refuse(*in.take("size"), "size", "a multiple of 0.0001 from 0.0001 to 1000");
    }

    void read_delay(TableReader& in) {
        Delay& delay = made_.delay;
        delay.least_ns = in.duration("least", 0, 0, k_longest_delay_ns);
        delay.most_ns = in.duration("most", delay.least_ns, 0, k_longest_delay_ns);
        if (in.word("of", "orders", {"orders", "cancels"}) == "cancels")
            delay.of = Delayed::cancels;
        if (delay.most_ns < delay.least_ns) in.complain("most must be at least as long as least");
    }

    Mistake mistake_;
    Modification made_;
};

}  // namespace

std::expected<Modification, std::string> parse_modification(std::string_view text,
                                                            std::string_view where) {
    const auto table = files::parse_toml(text, where);
    if (!table) return std::unexpected{table.error()};
    return FileReader{where}.read(*table);
}

std::expected<Modification, std::string> read_modification(const std::filesystem::path& path) {
    const auto text = files::read_text(path, "modification file");
    if (!text) return std::unexpected{text.error()};
    return parse_modification(*text, path.string());
}

std::string identity_of(const Modification& m) {
    const Drop& d = m.drop;
    return fmt::format(
        "seed {} window {} {} drop {:d}{:d}{:d} {} {} {:d}{:d}{:d}{:d}{:d} thin {} "
        "scale {} tick {} delay {} {} {}",
        m.seed, m.window.from_ns, m.window.until_ns, d.bids, d.asks, d.attributed, d.smaller_than,
        d.larger_than, d.executions, d.hidden_trades, d.crosses, d.imbalances, d.halts,
        m.thin_share, m.scale_factor, m.tick_e4, m.delay.least_ns, m.delay.most_ns,
        std::to_underlying(m.delay.of));
}

}  // namespace damrak::modify
