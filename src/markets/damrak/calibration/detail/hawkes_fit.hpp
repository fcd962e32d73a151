// Maximum likelihood for a Hawkes process with several types of events, exponential kernels and one
// decay (participants/models/hawkes_process.hpp). Given the decay, the likelihood is concave in the
// other parameters and separates by type: Newton's method within bounds; the decay is found by a
// search in one dimension. Standard errors are those of the inverse Hessian of all parameters.
// Sources: Ozaki (1979), Maximum likelihood estimation of Hawkes' self-exciting point processes;
// Ogata (1988).
//
// An event that cannot happen, such as a cancel in an empty book, has no rate in that time: the
// likelihood of Aalen (1978), Nonparametric inference for a family of counting processes. Events of
// one time stamp do not excite each other. A second or so for 100,000 events of six types.
#pragma once

#include <cstddef>
#include <vector>

#include <damrak/calibration/detail/flow_record.hpp>
#include <damrak/participants/models/hawkes_process.hpp>

namespace damrak::calibration {

struct HawkesFit {
    participants::models::HawkesDescription estimate;
    /// In the same form. Zero: the parameter is at its bound, where it has none.
    participants::models::HawkesDescription standard_error;
    double log_likelihood = 0;
};

/// `events` in time order, with types below `types`, at most eight, in `seconds` from zero. The
/// decay is searched from 0.01 to 10,000 per second.
[[nodiscard]] HawkesFit fit_hawkes(const std::vector<FlowEvent>& events, std::size_t types,
                                   double seconds);

}  // namespace damrak::calibration
