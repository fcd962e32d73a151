#include <damrak/sequencer/detail/pipeline.hpp>

#include <algorithm>
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

std::unique_ptr<Runner> Pipeline::run(std::string name, std::size_t core, AgentRef agent) {
    RunnerConfig runner{
        .name = std::move(name), .waiting = config_.waiting, .longest_nap = config_.longest_nap};
    if (core < config_.cores.size()) runner.core = config_.cores[core];
    return std::make_unique<Runner>(std::move(runner), std::vector{agent});
}

// The sequencer calls the shards, so it starts after them and ends before them.
void Pipeline::run() {
    std::vector<Runner*> callees;
    for (std::size_t i = 0; i < matching_.size(); ++i) {
        shards_.push_back(run("shard-" + std::to_string(i), i + 1, AgentRef{matching_[i]}));
        callees.push_back(shards_.back().get());
    }
    sequencer_.call_shards(callees);
    sequencing_ = run("sequencer", 0, AgentRef{sequencer_});
}

void Pipeline::stop() {
    sequencing_.reset();
    sequencer_.call_shards({});
    shards_.clear();
}

bool Pipeline::naps() const {
    return runs() && sequencing_->naps() &&
           std::ranges::all_of(shards_, [](const auto& shard) { return shard->naps(); });
}

}  // namespace damrak::sequencer
