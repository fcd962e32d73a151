// The list of all experiments; each is in a file of its own.
#include <algorithm>

#include <damrak/lab/experiment.hpp>
#include <damrak/lab/factors/factors.hpp>
#include <damrak/lab/ingest/experiment.hpp>
#include <damrak/lab/ladder/experiment.hpp>
#include <damrak/lab/pipeline/experiment.hpp>
#include <damrak/lab/rings/experiment.hpp>
#include <damrak/lab/tick_to_trade/experiment.hpp>

namespace damrak::lab {

const std::vector<Experiment>& experiments() {
    static const std::vector<Experiment> all = [] {
        std::vector<Experiment> made = factor_experiments();
        made.push_back(ladder_experiment());
        made.push_back(pipeline::experiment());
        made.push_back(tick_to_trade_experiment());
        made.push_back(ring_experiment());
        made.push_back(ingest::experiment());
        return made;
    }();
    return all;
}

const Experiment* find_experiment(std::string_view name) {
    const auto found = std::ranges::find(experiments(), name, &Experiment::name);
    return found == experiments().end() ? nullptr : &*found;
}

}  // namespace damrak::lab
