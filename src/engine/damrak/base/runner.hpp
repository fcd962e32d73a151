// Runs agents: a Runner on its own thread, an Invoker step by step on the caller's. Agents of one
// runner take turns. A turn costs a clock reading and one call per agent.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <damrak/base/detail/agent.hpp>
#include <damrak/base/helper_pacing.hpp>
#include <damrak/base/nap.hpp>
#include <damrak/base/waiting.hpp>

namespace damrak {

/// The thread of a runner, and how it waits.
struct RunnerConfig {
    std::string name{};  ///< thread name for system tools; at most 15 characters
    Waiting waiting = Waiting::backoff;
    /// Sleep while there is nothing to do: for Waiting::block and for helper threads.
    std::chrono::microseconds pause = Waiter::k_block_pause;
    /// If above `pause`, every idle poll doubles the pause, up to this value. call() interrupts a
    /// longer pause.
    std::chrono::microseconds longest_pause{};
    /// If not zero, and `waiting` sleeps at all: after some hundred idle turns, sleep until a
    /// call() or until an agent needs a step (agent.hpp), but at most this long. Code that gives
    /// an agent work must call() then.
    std::chrono::milliseconds longest_nap{};
    std::optional<unsigned> core{};  ///< must be available to the process, see affinity.hpp
    /// Makes the thread a helper, see helper_pacing.hpp: when there is nothing to do it sleeps for
    /// a pause, whatever `waiting` is.
    bool is_helper = false;
    HelperShare share = k_tenth;  ///< CPU share of a helper thread on a busy core
};

class Runner {
  public:
    /// Starts the thread, and the agents on it. They must outlive the runner.
    Runner(RunnerConfig config, std::vector<AgentRef> agents);
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;
    ~Runner() { stop(); }

    /// Announces work for the agents, which are then polled every `pause`. Any thread; see nap.hpp
    /// for the cost.
    void call() { nap_.call(); }
    /// Whether it sleeps until a call. Any thread.
    [[nodiscard]] bool naps() const { return nap_.naps(); }
    /// Stops polling, closes the agents on their thread and waits for that. A second call does
    /// nothing.
    void stop();

  private:
    void run(const std::stop_token& stop, const RunnerConfig& config,
             const std::vector<AgentRef>& agents);
    [[nodiscard]] bool nap(std::chrono::milliseconds longest, const std::vector<AgentRef>& agents);

    Nap nap_;
    std::jthread thread_;
};

/// Calls agents in turns on the caller's thread.
class Invoker {
  public:
    explicit Invoker(std::vector<AgentRef> agents);
    Invoker(const Invoker&) = delete;
    Invoker& operator=(const Invoker&) = delete;
    /// Closes the agents.
    ~Invoker();

    [[nodiscard]] std::size_t size() const { return agents_.size(); }
    /// Steps one agent, or each in turn; returns the amount of work done.
    std::size_t step(std::size_t agent, std::int64_t now_ns) {
        return agents_[agent].do_work(now_ns);
    }
    std::size_t step_all(std::int64_t now_ns);

  private:
    std::vector<AgentRef> agents_;
};

}  // namespace damrak
