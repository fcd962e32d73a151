#include <damrak/script/script_run.hpp>

#include <utility>

namespace damrak::script {

EngineConfig script_config() {
    EngineConfig config;
    config.order_id_source = OrderIdSource::command;
    config.maximum_instruments = 256;
    config.maximum_orders = 200'000;
    config.maximum_accounts = 50'000;
    config.maximum_levels = 100'000;
    config.maximum_ladder_nodes = 100'000;
    return config;
}

ScriptRun::ScriptRun(std::shared_ptr<const venue::Venue> venue, std::uint64_t seed)
    : run_(script_config(), std::move(venue), seed,
           [this](const Command& command, const Event& event) {
               const bool is_of_line = step_ != nullptr && &command == &step_->command;
               (*tell_)(
                   {.line = is_of_line ? step_->line : 0, .command = &command, .event = &event});
           }) {}

std::expected<void, std::string> ScriptRun::run(std::span<const ScriptStep> steps,
                                                const std::function<void(const Told&)>& tell) {
    tell_ = &tell;
    if (!steps.empty()) run_.begin(steps.front().command.timestamp);
    for (const ScriptStep& step : steps) {
        step_ = &step;
        const Command& command = step.command;
        run_.go_on_until(command.timestamp);
        if (step.shows_book) {
            tell({.line = step.line, .command = &command, .event = nullptr});
            continue;
        }
        if (auto applied = run_.apply(command); !applied) return applied;
    }
    if (!steps.empty()) run_.go_on_until(steps.back().command.timestamp);
    return {};
}

}  // namespace damrak::script
