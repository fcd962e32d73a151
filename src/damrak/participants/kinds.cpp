#include <algorithm>

#include <damrak/participants/kind.hpp>
#include <damrak/participants/noise_trader.hpp>

namespace damrak::participants {

const std::vector<Kind>& kinds() {
    static const std::vector<Kind> all = [] {
        std::vector<Kind> made{
            kind_of<NoiseTrader>(),
        };
        std::ranges::sort(made, {}, &Kind::name);
        return made;
    }();
    return all;
}

const Kind* find_kind(std::string_view name) {
    const auto found = std::ranges::find(kinds(), name, &Kind::name);
    return found == kinds().end() ? nullptr : &*found;
}

}  // namespace damrak::participants
