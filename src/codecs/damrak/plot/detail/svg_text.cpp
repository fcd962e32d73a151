#include <damrak/plot/detail/svg_text.hpp>

#include <cmath>

#include <fmt/format.h>

namespace damrak::plot::detail {

std::string pixel(double at) {
    const double tenths = std::round(at * 10);
    return fmt::format("{}", tenths / 10 + 0.0);
}

double text_width(std::string_view text) {
    constexpr double k_letter = 7.2;  // in the widest of the usual fonts
    return k_letter * static_cast<double>(text.size());
}

Legend legend(std::span<const LegendEntry> entries, int left, int right, int top) {
    constexpr int k_line = 18;
    constexpr double k_swatch = 18;
    constexpr double k_gap = 16;
    Legend legend{.svg = {}, .height = entries.empty() ? 0 : k_line};
    double x = left;
    for (const LegendEntry& entry : entries) {
        const double width = k_swatch + text_width(entry.name);
        if (x > left && x + width > right) {
            x = left;
            legend.height += k_line;
        }
        const int baseline = top + legend.height - 5;
        legend.svg += fmt::format(
            "<path fill=\"{}\" d=\"M{} {}h12v6h-12z\"/>\n<text x=\"{}\" y=\"{}\">{}</text>\n",
            entry.colour, pixel(x), baseline - 7, pixel(x + k_swatch), baseline,
            escaped(entry.name));
        x += width + k_gap;
    }
    return legend;
}

std::string svg_begin(int width, int height, std::string_view label) {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
        "height=\"{1}\" role=\"img\" aria-label=\"{2}\">\n<style>{3}</style>\n"
        "<path class=\"b\" d=\"M0 0h{0}v{1}H0z\"/>\n",
        width, height, escaped(label), k_style);
}

}  // namespace damrak::plot::detail
