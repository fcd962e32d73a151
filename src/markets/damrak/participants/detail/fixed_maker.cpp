#include <damrak/participants/detail/fixed_maker.hpp>

namespace damrak::participants {

std::vector<Parameter<FixedMaker::Parameters>> FixedMaker::parameters() {
    using P = Parameters;
    return detail::maker_rows<P>()
        .number("half_spread_ticks", &P::half_spread_ticks, "ticks", 0, 1e6,
                "Distance of each quote from the anchor without inventory")
        .number("skew_ticks", &P::skew_ticks, "ticks", 0, 1e6,
                "Both quotes are this much lower for each quantity in hand, higher for each short")
        .take();
}

}  // namespace damrak::participants
