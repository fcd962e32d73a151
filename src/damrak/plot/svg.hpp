// Charts over a time of day as SVG: panels one below the other on a shared time axis, each with
// step lines, step areas from zero, and dots. Knows nothing of markets.
//
// Called at the end of a run; costs one pass over the points. The text has a bounded size whatever
// the input: of each pixel column the lowest, highest and last value are kept. The same figure
// gives the same bytes.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace damrak::plot {

struct Point {
    std::int64_t time_ns{};  // since midnight, ascending within a layer
    double value{};          // not a number: nothing from here to the next point
};

/// Holds each value until the next point, the last one to the end of the axis.
struct StepLine {
    std::string name;  // in the legend
    std::string colour;
    std::vector<Point> points;
};

/// A step line whose space down (or up) to zero is filled.
struct StepArea {
    std::string name;
    std::string colour;
    std::vector<Point> points;
};

struct Dots {
    std::string name;
    std::string colour;
    std::vector<Point> points;
};

using Layer = std::variant<StepLine, StepArea, Dots>;

struct Panel {
    std::string title;
    double height_share{1};       // among the panels
    bool unsigned_labels{false};  // of values below zero that are only drawn downwards
    bool spikes_leave{false};     // at the top, told in words: they press nothing else together
    std::vector<Layer> layers;
};

struct Figure {
    std::string title;
    std::string subtitle;
    std::int64_t begin_ns{};  // of the time axis
    std::int64_t end_ns{};
    int width{960};  // a page shows a narrow one to a phone
    std::vector<Panel> panels;
};

[[nodiscard]] std::string render_svg(const Figure& figure);

}  // namespace damrak::plot
