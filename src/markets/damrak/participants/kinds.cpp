#include <algorithm>

#include <damrak/participants/detail/arbitrageurs.hpp>
#include <damrak/participants/detail/average_traders.hpp>
#include <damrak/participants/detail/cont_stoikov_talreja.hpp>
#include <damrak/participants/detail/fat_finger.hpp>
#include <damrak/participants/detail/fcn_trader.hpp>
#include <damrak/participants/detail/fixed_maker.hpp>
#include <damrak/participants/detail/glosten_milgrom.hpp>
#include <damrak/participants/detail/iceberg_slicer.hpp>
#include <damrak/participants/detail/informed_trader.hpp>
#include <damrak/participants/detail/kyle_trader.hpp>
#include <damrak/participants/detail/neutral_flow.hpp>
#include <damrak/participants/detail/noise_trader.hpp>
#include <damrak/participants/detail/optimal_makers.hpp>
#include <damrak/participants/detail/policy_trader.hpp>
#include <damrak/participants/detail/queue_reactive.hpp>
#include <damrak/participants/detail/quote_stuffer.hpp>
#include <damrak/participants/detail/scripted_trader.hpp>
#include <damrak/participants/detail/spoofer.hpp>
#include <damrak/participants/detail/value_trader.hpp>
#include <damrak/participants/detail/zero_intelligence.hpp>
#include <damrak/participants/detail/zic_trader.hpp>
#include <damrak/participants/execution.hpp>
#include <damrak/participants/hawkes_flow.hpp>
#include <damrak/participants/kind.hpp>

namespace damrak::participants {

const std::vector<Kind>& kinds() {
    static const std::vector<Kind> all = [] {
        // clang-format off
        std::vector<Kind> made{
            kind_of<AlmgrenChriss>(),
            kind_of<AvellanedaStoikov>(),
            kind_of<ContStoikovTalreja>(),
            kind_of<EtfArbitrageur>(),
            kind_of<FatFinger>(),
            kind_of<FcnTrader>(),
            kind_of<FixedMaker>(),
            kind_of<Glft>(),
            kind_of<GlostenMilgromMaker>(),
            kind_of<GlostenMilgromTraders>(),
            kind_of<HawkesFlow>(),
            kind_of<IcebergSlicer>(),
            kind_of<InformedTrader>(),
            kind_of<KyleTrader>(),
            kind_of<LatencyArbitrageur>(),
            kind_of<Layerer>(),
            kind_of<MeanReversionTrader>(),
            kind_of<MomentumTrader>(),
            kind_of<NeutralFlow>(),
            kind_of<NoiseTrader>(),
            kind_of<PairArbitrageur>(),
            kind_of<PolicyTrader>(),
            kind_of<Pov>(),
            kind_of<QueueReactive>(),
            kind_of<QuoteStuffer>(),
            kind_of<ScriptedTrader>(),
            kind_of<Spoofer>(),
            kind_of<Twap>(),
            kind_of<ValueTrader>(),
            kind_of<Vwap>(),
            kind_of<ZeroIntelligence>(),
            kind_of<ZicTrader>(),
        };
        // clang-format on
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
