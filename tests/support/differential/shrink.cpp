#include "support/differential/shrink.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <utility>

#include <fmt/format.h>

#include <damrak/domain/event.hpp>

#include "support/child_process.hpp"
#include "support/describe.hpp"
#include "support/differential/comparison.hpp"

namespace damrak::differential {

namespace {

// Against endless loops: many times the duration of a run.
constexpr unsigned k_attempt_limit_s = 20;
constexpr std::size_t k_commands_per_cpu_s = 250;
constexpr std::size_t k_maximum_attempts = 4'000;
constexpr std::size_t k_few = 50;  // commands; this few are simplified before more are dropped

bool names_order(const Command& command) {
    return command.kind == CommandKind::cancel_order ||
           command.kind == CommandKind::replace_order || command.kind == CommandKind::query_order;
}

/// The id that the command's order got, if any.
std::optional<OrderId> given_id(const std::vector<Event>& events) {
    if (events.empty()) return std::nullopt;
    const Event& first = events.front();
    if (first.kind == EventKind::accepted) return first.order_id;
    if (first.kind == EventKind::replaced && first.new_order_id() != first.order_id)
        return first.new_order_id();
    return std::nullopt;
}

/// Makes a command simpler in one respect.
using Simplification = std::function<void(Command&)>;

const std::vector<Simplification>& simplifications() {
    static const std::vector<Simplification> k_all{
        [](Command& c) { c.client_order_id = {}; },
        [](Command& c) { c.flags = 0; },
        [](Command& c) { c.self_trade_prevention = {}; },
        [](Command& c) {
            c.time_in_force = {};
            if (c.kind == CommandKind::new_order) c.order.expire_time = {};
        },
        [](Command& c) {
            if (c.kind == CommandKind::new_order) c.order.display_quantity = {};
        },
        [](Command& c) {
            if (c.kind == CommandKind::new_order) c.order.minimum_quantity = {};
        },
        [](Command& c) { c.new_order_id = {}; },
        [](Command& c) { c.quantity = std::min(c.quantity, Quantity{1}); },
        [](Command& c) { c.quantity = std::min(c.quantity, Quantity{10}); },
        [](Command& c) { c.participant = std::min(c.participant, ParticipantId{1}); },
        [](Command& c) { c.participant = std::min(c.participant, ParticipantId{2}); },
        [](Command& c) { c.timestamp = {}; },
    };
    return k_all;
}

class Shrinker {
  public:
    Shrinker(const reference::Settings& settings, std::vector<Step> steps,
             const SubjectFactory& factory)
        : settings_{settings}, factory_{factory}, steps_{std::move(steps)} {}

    std::vector<Step> run() {
        cut_end();
        for (std::size_t before = 0; before != steps_.size();) {
            before = steps_.size();
            drop_commands();
            if (before == steps_.size() || before < k_few) simplify_commands();
        }
        return steps_;
    }

  private:
    /// Keeps the candidate if it fails as well.
    bool try_out(std::vector<Step> candidate) {
        if (++attempts_ > k_maximum_attempts) return false;
        const auto commands = resolve(settings_, candidate);
        const auto finding = run_in_child(
            [&] { return run_commands(settings_, commands, factory_); }, k_attempt_limit_s, true);
        if (finding) steps_ = std::move(candidate);
        return finding.has_value();
    }

    /// Finds the shortest failing prefix.
    void cut_end() {
        std::size_t passes = 0;
        while (passes + 1 < steps_.size()) {
            const std::size_t middle = passes + (steps_.size() - passes) / 2;
            const auto end = steps_.begin() + static_cast<std::ptrdiff_t>(middle);
            if (!try_out({steps_.begin(), end})) passes = middle;
        }
    }

    void drop_commands() {
        for (std::size_t size = std::max<std::size_t>(steps_.size() / 2, 1);; size /= 2) {
            for (std::size_t start = 0; start < steps_.size();) {
                std::vector<Step> candidate = steps_;
                const auto from = candidate.begin() + static_cast<std::ptrdiff_t>(start);
                const auto count = std::min(size, steps_.size() - start);
                candidate.erase(from, from + static_cast<std::ptrdiff_t>(count));
                if (!try_out(std::move(candidate))) start += size;
            }
            if (size <= 1) return;
        }
    }

    void simplify_commands() {
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            for (const Simplification& simplify : simplifications()) {
                std::vector<Step> candidate = steps_;
                simplify(candidate[i].command);
                if (describe(candidate[i].command) != describe(steps_[i].command))
                    try_out(std::move(candidate));
            }
        }
    }

    reference::Settings settings_;
    const SubjectFactory& factory_;
    std::vector<Step> steps_;
    std::size_t attempts_ = 0;
};

}  // namespace

std::vector<Step> record(CommandStream stream, std::size_t count) {
    reference::ReferenceEngine model{stream.settings()};
    std::map<std::pair<InstrumentId, OrderId>, std::size_t> givers;
    std::vector<Step> steps;
    std::vector<Event> events;
    for (std::size_t serial = 0; serial < count; ++serial) {
        Step step{.command = stream.next(), .serial = serial};
        const auto giver = givers.find({step.command.instrument, step.command.order_id});
        const bool follow = names_order(step.command) && !stream.settings().ids_in_commands;
        if (follow && giver != givers.end()) step.origin = giver->second;
        model.apply(step.command, events);
        stream.observe(step.command, events);
        if (const auto id = given_id(events)) givers[{step.command.instrument, *id}] = serial;
        steps.push_back(step);
    }
    return steps;
}

std::vector<Command> resolve(const reference::Settings& settings, const std::vector<Step>& steps) {
    reference::ReferenceEngine model{settings};
    std::map<std::size_t, OrderId> given;
    std::vector<Command> commands;
    std::vector<Event> events;
    for (const Step& step : steps) {
        Command command = step.command;
        if (const auto id = given.find(step.origin); id != given.end()) {
            if (command.new_order_id && command.new_order_id == command.order_id)
                command.new_order_id = id->second;
            command.order_id = id->second;
        }
        model.apply(command, events);
        if (const auto id = given_id(events)) given[step.serial] = *id;
        commands.push_back(command);
    }
    return commands;
}

std::optional<std::string> run_commands(const reference::Settings& settings,
                                        const std::vector<Command>& commands,
                                        const SubjectFactory& factory) {
    Comparison comparison{settings, factory};
    for (std::size_t i = 0; i < commands.size(); ++i)
        if (auto finding = comparison.step(commands[i]))
            return fmt::format("after command {}: {}", i + 1, *finding);
    return comparison.finish();
}

std::optional<Failure> run_stream(const StreamProfile& profile, std::uint64_t seed,
                                  std::size_t count, const SubjectFactory& factory,
                                  bool shrinking) {
    const auto run = [&]() -> std::optional<std::string> {
        CommandStream stream{profile, seed};
        Comparison comparison{stream.settings(), factory};
        for (std::size_t i = 0; i < count; ++i) {
            const Command command = stream.next();
            if (auto finding = comparison.step(command)) return finding;
            stream.observe(command, comparison.events());
        }
        return comparison.finish();
    };
    const auto limit_s = static_cast<unsigned>(k_attempt_limit_s + count / k_commands_per_cpu_s);
    const auto finding = run_in_child(run, limit_s);
    if (!finding) return std::nullopt;
    const std::string where =
        fmt::format("profile {}, seed {}, {} commands: {}", profile.name, seed, count, *finding);
    if (!shrinking) return Failure{.commands = {}, .finding = where};
    const CommandStream stream{profile, seed};
    Failure failure = shrink(stream.settings(), record(stream, count), factory);
    failure.finding = fmt::format("{}\nshrunk: {}", where, failure.finding);
    return failure;
}

Failure shrink(const reference::Settings& settings, std::vector<Step> steps,
               const SubjectFactory& factory) {
    const std::vector<Step> shortest = Shrinker{settings, std::move(steps), factory}.run();
    Failure failure{.commands = resolve(settings, shortest), .finding = {}};
    const auto finding = run_in_child(
        [&] { return run_commands(settings, failure.commands, factory); }, k_attempt_limit_s);
    failure.finding = finding.value_or("does not fail again");
    return failure;
}

std::string describe(const Failure& failure) {
    std::string text = failure.finding;
    for (std::size_t i = 0; i < failure.commands.size(); ++i)
        text += fmt::format("\n  {:>3}  {}", i + 1, damrak::describe(failure.commands[i]));
    return text;
}

}  // namespace damrak::differential
