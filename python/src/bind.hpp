// The parts of the module; core.cpp calls each once, in this order.
#pragma once

#include <nanobind/nanobind.h>

namespace damrak::python {

void bind_comparisons(nanobind::module_& module);
void bind_tables(nanobind::module_& module);
void bind_days(nanobind::module_& module);
void bind_day_reader(nanobind::module_& module);
void bind_engine(nanobind::module_& module);
void bind_engine_arrays(nanobind::module_& module);
void bind_event_rows(nanobind::module_& module);
void bind_feed(nanobind::module_& module);
void bind_market_access(nanobind::module_& module);
void bind_market_orders(nanobind::module_& module);
void bind_markets(nanobind::module_& module);
void bind_order_client(nanobind::module_& module);

}  // namespace damrak::python
