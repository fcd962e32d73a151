// The one list of experiments: each name here is made in a file of its own.
#include <damrak/lab/experiment.hpp>
#include <damrak/lab/factors/factors.hpp>

namespace damrak::lab {

const std::vector<Experiment>& experiments() {
    static const std::vector<Experiment> all = [] {
        std::vector<Experiment> made = factor_experiments();
        return made;
    }();
    return all;
}

}  // namespace damrak::lab
