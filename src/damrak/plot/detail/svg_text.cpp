#include <damrak/plot/detail/svg_text.hpp>

#include <cmath>

#include <fmt/format.h>

namespace damrak::plot::detail {

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            default:
                result += c;
        }
    }
    return result;
}

std::string pixel(double at) {
    const double tenths = std::round(at * 10);
    return fmt::format("{}", tenths / 10 + 0.0);
}

std::string svg_begin(int width, int height, std::string_view label) {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
        "height=\"{1}\" role=\"img\" aria-label=\"{2}\">\n<style>{3}</style>\n"
        "<path fill=\"#fff\" d=\"M0 0h{0}v{1}H0z\"/>\n",
        width, height, escaped(label), k_style);
}

}  // namespace damrak::plot::detail
