// What `damrak book` shows of a window of time and of one order. Used by book.cpp alone. `partial`:
// an answer that misses something is one, too.
#pragma once

#include <cstdint>

#include <damrak/archive/day.hpp>

namespace damrak::app {

enum class Form : std::uint8_t { text, json, csv };

/// Each message about the instrument from one time to another, or its trades alone. The exit code.
int show_changes(const archive::Day& day, std::uint16_t locate, std::int64_t from_ns,
                 std::int64_t to_ns, bool only_trades, Form form, bool partial);

/// The life of an order, with its place in the queue after each change. The exit code.
int show_order(const archive::Day& day, std::uint64_t reference, Form form, bool partial);

}  // namespace damrak::app
