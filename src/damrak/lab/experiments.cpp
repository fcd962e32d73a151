// The one list of experiments: each name here is made in a file of its own.
#include <damrak/lab/experiment.hpp>
#include <damrak/lab/factors/factors.hpp>
#include <damrak/lab/ingest/experiment.hpp>
#include <damrak/lab/ladder/experiment.hpp>
#include <damrak/lab/rings/experiment.hpp>
#include <damrak/lab/tick_to_trade/experiment.hpp>

namespace damrak::lab {

const std::vector<Experiment>& experiments() {
    static const std::vector<Experiment> all = [] {
        std::vector<Experiment> made = factor_experiments();
        made.push_back(ladder_experiment());
        made.push_back(tick_to_trade_experiment());
        made.push_back(ring_experiment());
        made.push_back(ingest::experiment());
        return made;
    }();
    return all;
}

}  // namespace damrak::lab
