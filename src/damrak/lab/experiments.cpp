// The one list of experiments: each name here is a function in a file of its own.
#include <damrak/lab/experiment.hpp>

namespace damrak::lab {

const std::vector<Experiment>& experiments() {
    static const std::vector<Experiment> all{};
    return all;
}

}  // namespace damrak::lab
