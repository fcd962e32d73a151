// All public headers of the component ordering, for programs that want everything. Made by
// tools/umbrella_headers.py.
#pragma once

// IWYU pragma: begin_exports
#include <damrak/budget/counts.hpp>
#include <damrak/budget/row.hpp>
#include <damrak/script/command_script.hpp>
#include <damrak/script/script_run.hpp>
#include <damrak/sequencer/market_clock.hpp>
#include <damrak/sequencer/partition.hpp>
#include <damrak/sequencer/pipeline_rings.hpp>
#include <damrak/sequencer/pipelined_sequencer.hpp>
#include <damrak/sequencer/restart.hpp>
#include <damrak/sequencer/sequencer.hpp>
#include <damrak/telemetry/clock_watch.hpp>
#include <damrak/telemetry/collector.hpp>
#include <damrak/telemetry/log_file.hpp>
#include <damrak/telemetry/name_table.hpp>
#include <damrak/telemetry/probe.hpp>
#include <damrak/telemetry/prometheus.hpp>
#include <damrak/telemetry/records.hpp>
#include <damrak/telemetry/run_directory.hpp>
#include <damrak/venue/combinations.hpp>
#include <damrak/venue/market_hours.hpp>
#include <damrak/venue/phase_clock.hpp>
#include <damrak/venue/read_rules.hpp>
#include <damrak/venue/ready_made.hpp>
#include <damrak/venue/rule_commands.hpp>
#include <damrak/venue/supervisor.hpp>
#include <damrak/venue/timetable.hpp>
#include <damrak/venue/venue.hpp>
#include <damrak/venue/venue_file.hpp>
#include <damrak/venue/venue_run.hpp>
// IWYU pragma: end_exports
