// One line of a command script as words: each key once, with its kind and range; whatever is left
// is unknown. The first mistake is kept.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/domain/measures.hpp>

namespace damrak::script::detail {

/// What is wrong with a whole line: messages repeat its words. Empty: nothing.
[[nodiscard]] std::string fault_of(std::string_view line);

/// The words of a line, without its comment.
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view line);

class ScriptLine {
  public:
    /// `words` are those behind the command: key=value, or a word by itself.
    ScriptLine(std::string_view command, std::span<const std::string_view> words);

    [[nodiscard]] bool has(std::string_view key) const;
    /// Whether the word is there by itself.
    [[nodiscard]] bool flag(std::string_view word);
    [[nodiscard]] std::optional<std::string_view> text(std::string_view key);
    [[nodiscard]] std::int64_t whole(std::string_view key, std::int64_t preset, std::int64_t least,
                                     std::int64_t most);
    /// The index of a word, of which `preset` is one.
    [[nodiscard]] std::size_t word(std::string_view key, std::size_t preset,
                                   std::span<const std::string_view> words);
    /// A price or another number in units of the last decimal.
    [[nodiscard]] std::int64_t decimal(std::string_view key, std::int64_t preset,
                                       unsigned decimals);
    /// Refuses the line if the key is missing.
    void require(std::string_view key);
    void refuse(std::string what);
    /// Whatever was not asked for is unknown.
    void finish();
    [[nodiscard]] const std::string& mistake() const { return mistake_; }

  private:
    struct Word {
        std::string_view key;
        std::optional<std::string_view> value;
    };
    [[nodiscard]] const Word* find(std::string_view key) const;
    void expect(std::string_view key, std::string_view found, std::string_view wanted);

    std::string_view command_;
    std::vector<Word> words_;
    std::vector<std::string> known_;
    std::string mistake_;
};

/// Days since 1970 of yyyy-mm-dd; nothing: there is no such day.
[[nodiscard]] std::optional<std::int64_t> parse_date(std::string_view text);

}  // namespace damrak::script::detail
