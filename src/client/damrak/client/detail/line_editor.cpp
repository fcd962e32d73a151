#include <damrak/client/detail/line_editor.hpp>

#include <algorithm>
#include <utility>

namespace damrak::client {

void LineEditor::insert(char c) {
    if (c < ' ' || c > '~' || line_.size() == k_longest_line) return;
    line_.insert(cursor_++, 1, c);
}

void LineEditor::backspace() {
    if (cursor_ > 0) line_.erase(--cursor_, 1);
}

void LineEditor::remove() {
    if (cursor_ < line_.size()) line_.erase(cursor_, 1);
}

void LineEditor::clear() {
    line_.clear();
    cursor_ = 0;
}

void LineEditor::remove_word() {
    while (cursor_ > 0 && line_[cursor_ - 1] == ' ') backspace();
    while (cursor_ > 0 && line_[cursor_ - 1] != ' ') backspace();
}

void LineEditor::up() {
    if (place_ == 0) return;
    if (place_ == history_.size()) typed_ = line_;
    show(place_ - 1);
}

void LineEditor::down() {
    if (place_ < history_.size()) show(place_ + 1);
}

void LineEditor::show(std::size_t place) {
    place_ = place;
    line_ = place == history_.size() ? typed_ : history_[place];
    cursor_ = line_.size();
}

std::vector<std::string> LineEditor::complete() {
    const std::string_view before = std::string_view{line_}.substr(0, cursor_);
    std::vector<std::string> words = complete_(before);
    if (words.empty()) return {};
    // The longest common prefix.
    std::string common = words.front();
    for (const std::string& word : words)
        common.resize(
            static_cast<std::size_t>(std::ranges::mismatch(common, word).in1 - common.begin()));
    const std::size_t start = before.find_last_of(' ') + 1;
    if (words.size() == 1) common += ' ';
    if (common.size() >= cursor_ - start) {
        line_.replace(start, cursor_ - start, common);
        cursor_ = start + common.size();
    }
    return words.size() == 1 ? std::vector<std::string>{} : words;
}

std::string LineEditor::enter() {
    const bool blank = line_.find_first_not_of(' ') == std::string::npos;
    if (!blank && (history_.empty() || history_.back() != line_)) history_.push_back(line_);
    if (history_.size() > k_longest_history) history_.erase(history_.begin());
    place_ = history_.size();
    typed_.clear();
    cursor_ = 0;
    return std::exchange(line_, {});
}

}  // namespace damrak::client
