// The ring between two threads as an experiment: ours beside boost::lockfree::spsc_queue and, if it
// was installed at build time, moodycamel's ReaderWriterQueue. Called by `damrak lab run` and
// bench/ring; set-up only.
#pragma once

#include <damrak/lab/experiment.hpp>

namespace damrak::lab {

[[nodiscard]] Experiment ring_experiment();

}  // namespace damrak::lab
