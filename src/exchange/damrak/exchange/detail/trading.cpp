#include <damrak/exchange/detail/trading.hpp>

#include <damrak/exchange/trade_with.hpp>

namespace damrak::exchange {

sequencer::PipelineConfig detail::pipeline_config(const Settings& settings) {
    sequencer::PipelineConfig config{
        .shards = settings.shards, .waiting = settings.waiting, .sizes = settings.rings};
    // The gateways use the first core.
    if (settings.cores.size() > 1)
        config.cores.assign(settings.cores.begin() + 1, settings.cores.end());
    return config;
}

std::unique_ptr<Trading> trade_at_standard_gateways(const Settings& settings) {
    return trade_with<standard_exchange::Gateways>(settings);
}

}  // namespace damrak::exchange
