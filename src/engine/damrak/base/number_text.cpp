#include <damrak/base/number_text.hpp>

#include <cstddef>

namespace damrak {

std::string grouped(std::int64_t value) {
    std::string digits = std::to_string(value);
    const std::size_t first = value < 0 ? 1 : 0;
    for (std::size_t at = digits.size(); at > first + 3;) digits.insert(at -= 3, ",");
    return digits;
}

std::string counted(std::int64_t count, std::string_view noun) {
    std::string text = grouped(count);
    text += ' ';
    text += noun;
    if (count != 1) text += 's';
    return text;
}

}  // namespace damrak
