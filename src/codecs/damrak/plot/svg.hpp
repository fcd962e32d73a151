// Charts over a time of day as SVG: panels one below the other on a shared time axis, each with
// step lines, step areas from zero, and dots. Independent of markets.
//
// Called at the end of a run; costs one pass over the points. The size of the text is bounded
// whatever the input: each pixel column keeps its lowest, highest and last value. The same figure
// gives the same bytes.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace damrak::plot {

/// A value at a time of day.
struct Point {
    std::int64_t time_ns{};  // since midnight, ascending within a layer
    double value{};          // not a number: a gap until the next point
};

/// Holds each value until the next point, the last one to the end of the axis.
struct StepLine {
    std::string name;  // for the legend
    std::string colour;
    std::vector<Point> points;
};

/// A step line with the area between it and zero filled.
struct StepArea {
    std::string name;
    std::string colour;
    std::vector<Point> points;
};

/// A layer of dots.
struct Dots {
    std::string name;
    std::string colour;
    std::vector<Point> points;
};

using Layer = std::variant<StepLine, StepArea, Dots>;

/// A part of a figure with its own vertical axis.
struct Panel {
    std::string title;
    double height_share{1};       // relative to the other panels
    bool unsigned_labels{false};  // labels without sign, for values that are only drawn downwards
    bool spikes_leave{false};     // outliers leave the panel at the top and are listed as text
    std::vector<Layer> layers;
};

/// What a figure over a time of day shows: panels above each other.
struct Figure {
    std::string title;
    std::string subtitle;
    std::int64_t begin_ns{};  // of the time axis
    std::int64_t end_ns{};
    int width{960};  // narrow for phones
    std::vector<Panel> panels;
};

[[nodiscard]] std::string render_svg(const Figure& figure);

}  // namespace damrak::plot
