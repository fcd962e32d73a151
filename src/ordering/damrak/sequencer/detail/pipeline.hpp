// The agents of the pipelined wiring, their shared state, and their threads. Created and started by
// the gateways' thread, which has the other ends of the rings.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <damrak/base/runner.hpp>
#include <damrak/sequencer/detail/matching_agent.hpp>
#include <damrak/sequencer/detail/sequencing_agent.hpp>

namespace damrak::sequencer {

struct PipelineConfig {
    std::size_t shards = 1;
    Waiting waiting = Waiting::backoff;
    /// Cores of the sequencer, then of the shards; threads without an entry are not pinned.
    std::vector<unsigned> cores{};
    RingSizes sizes{};
    /// Of a thread that sleeps until it is called. Bounds how late orders expire after the system
    /// clock was set forward.
    std::chrono::milliseconds longest_nap{50};
};

class Pipeline {
  public:
    Pipeline(const EngineConfig& engine, PipelineConfig config);
    Pipeline(const Pipeline&) = delete;
    Pipeline& operator=(const Pipeline&) = delete;
    ~Pipeline() { stop(); }

    /// Gives each agent a thread.
    void run();
    /// Ends the threads. Work in progress stays unfinished.
    void stop();
    [[nodiscard]] bool runs() const { return sequencing_ != nullptr; }
    /// Announces commands in the sequencer's ring, if it has a thread. For the cost see nap.hpp.
    void announce() {
        if (runs()) sequencing_->call();
    }
    /// Whether all its threads sleep until they are called.
    [[nodiscard]] bool naps() const;
    /// The sequencer, then the shards: for callers that step them themselves.
    [[nodiscard]] std::vector<AgentRef> agents();

    [[nodiscard]] const PipelineConfig& config() const { return config_; }
    [[nodiscard]] Partition& partition() { return partition_; }
    [[nodiscard]] const Partition& partition() const { return partition_; }
    [[nodiscard]] PipelineRings& rings() { return rings_; }
    [[nodiscard]] SequencingAgent& sequencer() { return sequencer_; }
    [[nodiscard]] const SequencingAgent& sequencer() const { return sequencer_; }

  private:
    [[nodiscard]] std::unique_ptr<Runner> run(std::string name, std::size_t core, AgentRef agent);

    PipelineConfig config_;
    Partition partition_;
    PipelineRings rings_;
    SequencingAgent sequencer_;
    std::vector<MatchingAgent> matching_;
    std::vector<std::unique_ptr<Runner>> shards_;
    std::unique_ptr<Runner> sequencing_;
};

}  // namespace damrak::sequencer
