// All public headers of the component markets, for programs that want everything. Made by
// tools/umbrella_headers.py.
#pragma once

// IWYU pragma: begin_exports
#include <damrak/calibration/calibration.hpp>
#include <damrak/comparison/catalogue.hpp>
#include <damrak/comparison/comparison.hpp>
#include <damrak/comparison/report.hpp>
#include <damrak/comparison/runs.hpp>
#include <damrak/explain/order_watch.hpp>
#include <damrak/explain/sentences.hpp>
#include <damrak/live_participants/live_market.hpp>
#include <damrak/market_kernel/draws.hpp>
#include <damrak/market_kernel/fundamental.hpp>
#include <damrak/market_kernel/market.hpp>
#include <damrak/market_kernel/market_setup.hpp>
#include <damrak/market_kernel/numeric.hpp>
#include <damrak/market_kernel/participant.hpp>
#include <damrak/market_runs/market_file.hpp>
#include <damrak/market_runs/recorded_day.hpp>
#include <damrak/market_runs/recorded_flow.hpp>
#include <damrak/market_runs/recorded_measures.hpp>
#include <damrak/market_runs/run.hpp>
#include <damrak/market_runs/timeline.hpp>
#include <damrak/participants/execution.hpp>
#include <damrak/participants/hawkes_flow.hpp>
#include <damrak/participants/kind.hpp>
#include <damrak/participants/models/almgren_chriss.hpp>
#include <damrak/participants/models/asymmetric_information.hpp>
#include <damrak/participants/models/hawkes_process.hpp>
#include <damrak/participants/models/market_making.hpp>
#include <damrak/participants/models/queue_race.hpp>
#include <damrak/replay/book_picture.hpp>
#include <damrak/replay/day_plot.hpp>
#include <damrak/replay/market_statistics.hpp>
#include <damrak/replay/queue_study.hpp>
#include <damrak/replay/rematch.hpp>
#include <damrak/replay/venue_day.hpp>
#include <damrak/score/distance.hpp>
#include <damrak/score/sample_market.hpp>
#include <damrak/score/sample_set.hpp>
#include <damrak/score/score.hpp>
#include <damrak/validation/default_market.hpp>
#include <damrak/validation/facts.hpp>
#include <damrak/validation/validation.hpp>
#include <damrak/what_if/what_if.hpp>
// IWYU pragma: end_exports
