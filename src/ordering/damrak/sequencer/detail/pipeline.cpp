#include <damrak/sequencer/detail/pipeline.hpp>

#include <optional>
#include <string>
#include <utility>

namespace damrak::sequencer {

Pipeline::Pipeline(const EngineConfig& engine, PipelineConfig config)
    : config_(std::move(config)),
      partition_(engine, config_.shards),
      rings_(engine, config_.shards, config_.sizes),
      sequencer_(partition_, rings_) {
    for (std::size_t i = 0; i < config_.shards; ++i) matching_.emplace_back(partition_, rings_, i);
}

std::vector<AgentRef> Pipeline::agents() {
    std::vector<AgentRef> agents{AgentRef{sequencer_}};
    for (MatchingAgent& shard : matching_) agents.emplace_back(shard);
    return agents;
}

void Pipeline::run() {
    const std::vector<AgentRef> all = agents();
    for (std::size_t i = 0; i < all.size(); ++i) {
        RunnerConfig runner{.name = i == 0 ? "sequencer" : "shard-" + std::to_string(i - 1),
                            .waiting = config_.waiting};
        if (i < config_.cores.size()) runner.core = config_.cores[i];
        runners_.push_back(std::make_unique<Runner>(std::move(runner), std::vector{all[i]}));
    }
}

}  // namespace damrak::sequencer
