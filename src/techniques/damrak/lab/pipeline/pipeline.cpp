#include <damrak/lab/pipeline/pipeline.hpp>

#include <algorithm>
#include <bit>
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

#include <damrak/base/affinity.hpp>
#include <damrak/base/assert.hpp>
#include <damrak/base/runner.hpp>
#include <damrak/journal/journal.hpp>
#include <damrak/lab/pipeline/gateway_agent.hpp>
#include <damrak/lab/pipeline/matchers.hpp>
#include <damrak/lab/pipeline/matching_agent.hpp>
#include <damrak/lab/pipeline/publisher_agent.hpp>

namespace damrak::lab::pipeline {

namespace {

/// A journal in a temporary folder, with its helpers running.
class TemporaryJournal {
  public:
    TemporaryJournal(const std::filesystem::path& folder, const ladder::Setup& setup)
        : folder_(folder) {
        std::filesystem::remove_all(folder_);
        const auto recovery = journal::recover(journal::real_files(), folder_, {}, [](auto) {});
        if (!recovery) throw std::runtime_error(recovery.error());
        auto opened = journal::Journal::open(
            journal::real_files(), {.directory = folder_}, *recovery,
            {.instance = {1, 1}, .engine = EngineMatcher::config_of(setup)}, Timestamp{1});
        if (!opened) throw std::runtime_error(opened.error());
        journal_ = std::move(*opened);
        helpers_.emplace(
            RunnerConfig{.name = "journal", .waiting = Waiting::block, .core = {}},
            std::vector{AgentRef{journal_->preallocator()}, AgentRef{journal_->syncer()}});
        for (Command command : EngineMatcher::opening(setup)) {
            command.timestamp = Timestamp{1};
            journal::Record* record = writer().claim();
            for (; record == nullptr; record = writer().claim()) std::this_thread::yield();
            record->command = command;
            writer().publish();
        }
    }
    TemporaryJournal(const TemporaryJournal&) = delete;
    TemporaryJournal& operator=(const TemporaryJournal&) = delete;
    ~TemporaryJournal() {
        helpers_.reset();
        journal_.reset();
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    [[nodiscard]] journal::JournalWriter& writer() { return journal_->writer(); }

  private:
    std::filesystem::path folder_;
    std::unique_ptr<journal::Journal> journal_;
    std::optional<Runner> helpers_;
};

/// The agents and the rings between them.
template <class Matcher>
class Line {
  public:
    /// A matcher for each shard.
    Line(const Workload& workload, const PipelineConfig& config,
         const std::vector<std::unique_ptr<Matcher>>& matchers, journal::JournalWriter* journal)
        : orders_(workload.orders) {
        // Inline, the rings' content stays in the nearest cache. Between threads a ring absorbs
        // short delays of one of them; a longer ring would only make orders wait longer.
        const std::size_t turns = config.wiring == Wiring::in_line ? 1 : 8;
        const std::size_t commands = std::bit_ceil(turns * config.turn);
        // A shard's step may be shorter than the gateway's: each order needs much room for updates.
        const std::size_t step = std::min(config.turn, k_matching_step);
        const std::size_t updates = std::bit_ceil(2 * step * Matcher::k_updates_max);
        std::vector<CommandRing*> to_match;
        std::vector<UpdateRing*> to_publish;
        for (const auto& matcher : matchers) {
            Shard& shard = *shards_.emplace_back(std::make_unique<Shard>(commands, updates));
            shard.matching.emplace(*matcher, shard.commands, shard.updates, step);
            to_match.push_back(&shard.commands);
            to_publish.push_back(&shard.updates);
        }
        gateway_.emplace(workload, clock_, to_match, journal, config.turn);
        publisher_.emplace(to_publish, clock_, workload.setup.symbols);
    }

    void run_inline(std::optional<unsigned> core) {
        const std::jthread thread{[&] {
            if (core) DAMRAK_ASSERT(pin_this_thread(*core));
            Invoker invoker{{gateway(), matching(0), publisher()}};
            while (!done()) invoker.step_all(0);
        }};
    }

    /// One runner per list of agents.
    void run_threaded(const std::vector<std::vector<AgentRef>>& threads,
                      const std::vector<unsigned>& cores) {
        std::vector<std::unique_ptr<Runner>> runners;
        // Starts the last agent first, so that no output has to wait.
        for (std::size_t i = threads.size(); i-- > 0;) {
            RunnerConfig config{.name = "lab", .waiting = Waiting::spin, .core = {}};
            if (!cores.empty()) config.core = cores.at(i);
            runners.push_back(std::make_unique<Runner>(config, threads[i]));
        }
        while (!done()) std::this_thread::sleep_for(std::chrono::microseconds{200});
    }

    [[nodiscard]] AgentRef gateway() { return AgentRef{*gateway_}; }
    [[nodiscard]] AgentRef matching(std::size_t shard) {
        return AgentRef{*shards_[shard]->matching};
    }
    [[nodiscard]] AgentRef publisher() { return AgentRef{*publisher_}; }

    [[nodiscard]] PipelineResult result() const {
        PipelineResult result;
        result.elapsed_ns = (publisher_->last() - gateway_->first()).value;
        result.orders = publisher_->orders();
        result.refused = gateway_->refused();
        result.executions = publisher_->executions();
        result.messages = publisher_->messages();
        result.bytes = publisher_->bytes();
        result.latency_ns = publisher_->latency_ns();
        return result;
    }

  private:
    static constexpr std::size_t k_matching_step = 64;

    struct Shard {
        Shard(std::size_t commands_max, std::size_t updates_max)
            : commands(commands_max), updates(updates_max) {}
        CommandRing commands;
        UpdateRing updates;
        std::optional<MatchingAgent<Matcher>> matching;
    };

    // Every frame is a valid order: this program made them.
    [[nodiscard]] bool done() const { return publisher_->orders() >= orders_; }

    RunClock clock_;
    std::vector<std::unique_ptr<Shard>> shards_;
    std::optional<GatewayAgent> gateway_;
    std::optional<PublisherAgent> publisher_;
    std::uint64_t orders_;
};

// The agents of each thread, by the number of cores. Matching takes most of the time; the two ends
// of the pipeline together take less than one shard.
template <class Matcher>
std::vector<std::vector<AgentRef>> spread(Line<Matcher>& line, std::size_t cores) {
    if (cores >= 4)
        return {{line.gateway()}, {line.matching(0)}, {line.matching(1)}, {line.publisher()}};
    if (cores == 3)
        return {{line.gateway(), line.publisher()}, {line.matching(0)}, {line.matching(1)}};
    return {{line.gateway(), line.matching(0)}, {line.matching(1), line.publisher()}};
}

template <class Matcher>
PipelineResult run_line(const Workload& workload, PipelineConfig config,
                        const std::vector<std::unique_ptr<Matcher>>& matchers,
                        journal::JournalWriter* journal) {
    if (config.turn == 0)
        config.turn = config.wiring == Wiring::in_line ? k_inline_turn : k_threaded_turn;
    const auto line = std::make_unique<Line<Matcher>>(workload, config, matchers, journal);
    std::size_t threads = 1;
    if (config.wiring == Wiring::in_line) {
        line->run_inline(config.cores.empty() ? std::nullopt : std::optional{config.cores.front()});
    } else {
        const auto agents = spread(*line, allowed_cores().size());
        threads = agents.size();
        line->run_threaded(agents, config.cores);
    }
    PipelineResult result = line->result();
    for (const auto& matcher : matchers) result.refused += matcher->rejected();
    result.wiring = config.wiring;
    result.turn = config.turn;
    result.shards = matchers.size();
    result.threads = threads;
    if (!config.cores.empty())
        result.cores.assign(config.cores.begin(),
                            config.cores.begin() + static_cast<std::ptrdiff_t>(threads));
    return result;
}

}  // namespace

PipelineResult run_pipeline(const Workload& workload, const PipelineConfig& config) {
    const std::size_t shards = config.wiring == Wiring::in_line ? 1 : GatewayAgent::k_shards_max;
    std::vector<std::unique_ptr<EngineMatcher>> matchers;
    matchers.reserve(shards);
    for (std::size_t i = 0; i < shards; ++i)
        matchers.push_back(std::make_unique<EngineMatcher>(workload.setup, i, shards));
    std::optional<TemporaryJournal> journal;
    if (!config.journal.empty()) journal.emplace(config.journal, workload.setup);
    PipelineResult result =
        run_line(workload, config, matchers, journal ? &journal->writer() : nullptr);
    StateDigest digest = matchers.front()->digest();
    for (std::size_t i = 1; i < shards; ++i) digest.add(matchers[i]->digest());
    result.state_hash = digest.hash();
    return result;
}

PipelineResult run_rung_pipeline(std::size_t rung, const Workload& workload,
                                 const PipelineConfig& config) {
    DAMRAK_ASSERT(rung < ladder::k_rungs && config.wiring == Wiring::in_line);
    PipelineResult result;
    ladder::for_each_rung([&]<std::size_t k_rung> {
        if (k_rung != rung) return;
        if constexpr (k_rung + 1 == ladder::k_rungs) {
            result = run_pipeline(workload, config);
        } else {
            std::vector<std::unique_ptr<RungMatcher<k_rung>>> matchers;
            matchers.push_back(std::make_unique<RungMatcher<k_rung>>(workload.setup));
            result = run_line(workload, config, matchers, nullptr);
        }
    });
    return result;
}

}  // namespace damrak::lab::pipeline
