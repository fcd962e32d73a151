// Suggestions for misspelt words in messages about command lines and files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace damrak {

/// "did you mean WORD?" if one of `known` is near enough, else "known here: " and all of them.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       const std::vector<std::string>& known);

}  // namespace damrak
