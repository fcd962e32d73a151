#include <damrak/venue/detail/breaker_reader.hpp>

#include <array>
#include <cmath>
#include <cstddef>

#include <damrak/venue/detail/rules_reader.hpp>
#include <damrak/venue/detail/trading_reader.hpp>

namespace damrak::venue::detail {

namespace {

using files::TableReader;

void read_levels(TableReader& in, BreakerRule& made) {
    const toml::node* const node = in.take("levels");
    if (node == nullptr) return;
    const std::vector<double> levels = in.numbers("levels", {}, 0.01, 100);
    bool is_good = levels.size() == BreakerRule::k_levels;
    for (std::size_t i = 0; is_good && i < levels.size(); ++i) {
        const double basis_points = std::round(levels[i] * 100);
        is_good = std::abs(basis_points - levels[i] * 100) < 1e-6 &&
                  (i == 0 || levels[i] > levels[i - 1]);
        made.fall_basis_points[i] = static_cast<std::int64_t>(basis_points);
    }
    if (!is_good)
        in.refuse(*node, "levels",
                  "three percentages that rise, multiples of 0.01, such as [7, 13, 20]");
}

}  // namespace

BreakerRule read_market_breaker(const toml::table& table, files::Mistake& mistake) {
    TableReader in{table, "market_breaker", mistake};
    BreakerRule made;
    made.index = read_parts(in, "index", "market_breaker: index");
    made.previous_close = amount(in, "previous_close");
    read_levels(in, made);
    made.halt_ns = in.duration("halt", made.halt_ns, k_second_ns, k_day_ns);
    made.quiet_before_close_ns =
        in.duration("quiet_before_close", made.quiet_before_close_ns, 0, k_day_ns);
    in.finish();
    return made;
}

}  // namespace damrak::venue::detail
