// A parameter of a kind of participant as a row: name, unit, range, default, help, and the member
// that it sets. The reader of market files, its error messages, `damrak sim explain` and the
// reference page loop over such rows and know no parameter by name. At set-up only.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace damrak::participants {

enum class ParameterKind : std::uint8_t {
    number,    ///< double
    whole,     ///< std::int64_t
    duration,  ///< std::int64_t nanoseconds; in the file a text such as "250us"
    price,     ///< double in price units; in the file a number in the currency
    truth,     ///< bool
    text,      ///< std::string
    word,      ///< std::string, one of `words`
    numbers,   ///< std::vector<double>
    texts,     ///< std::vector<std::string>, such as the rows of a table
};

/// As the member has it, converted from what the file has. The kind says which field counts.
struct ParameterValue {
    double number = 0;
    std::int64_t whole = 0;
    bool truth = false;
    std::string text{};
    std::vector<double> numbers{};
    std::vector<std::string> texts{};

    // The field for a member of this type.
    double& field(const double* /*type*/) { return number; }
    std::int64_t& field(const std::int64_t* /*type*/) { return whole; }
    bool& field(const bool* /*type*/) { return truth; }
    std::string& field(const std::string* /*type*/) { return text; }
    std::vector<double>& field(const std::vector<double>* /*type*/) { return numbers; }
    std::vector<std::string>& field(const std::vector<std::string>* /*type*/) { return texts; }
};

struct ParameterInfo {
    std::string_view name;
    ParameterKind kind{};
    std::string_view unit;  ///< "per second", "ticks"; empty where the kind says it
    double least = std::numeric_limits<double>::lowest();  ///< of numbers, durations in ns
    double most = std::numeric_limits<double>::max();
    std::string_view help;
    std::vector<std::string_view> words{};
    ParameterValue preset{};  ///< holds where the file has none
};

template <class P>
struct Parameter : ParameterInfo {
    std::function<void(P&, ParameterValue)> set;
};

/// Makes the rows of one kind; defaults are those of a new P.
template <class P>
class ParameterRows {
  public:
    ParameterRows& number(std::string_view name, double P::* member, std::string_view unit,
                          double least, double most, std::string_view help) {
        return add({name, ParameterKind::number, unit, least, most, help}, member);
    }
    ParameterRows& whole(std::string_view name, std::int64_t P::* member, std::string_view unit,
                         std::int64_t least, std::int64_t most, std::string_view help) {
        return add({name, ParameterKind::whole, unit, static_cast<double>(least),
                    static_cast<double>(most), help},
                   member);
    }
    ParameterRows& duration(std::string_view name, std::int64_t P::* member, std::int64_t least_ns,
                            std::int64_t most_ns, std::string_view help) {
        return add({name, ParameterKind::duration, "", static_cast<double>(least_ns),
                    static_cast<double>(most_ns), help},
                   member);
    }
    ParameterRows& price(std::string_view name, double P::* member, std::string_view help) {
        return add({name, ParameterKind::price, "currency", 0, 1e15, help}, member);
    }
    ParameterRows& truth(std::string_view name, bool P::* member, std::string_view help) {
        return add({name, ParameterKind::truth, "", 0, 0, help}, member);
    }
    ParameterRows& text(std::string_view name, std::string P::* member, std::string_view help) {
        return add({name, ParameterKind::text, "", 0, 0, help}, member);
    }
    ParameterRows& word(std::string_view name, std::string P::* member,
                        std::vector<std::string_view> words, std::string_view help) {
        add({name, ParameterKind::word, "", 0, 0, help}, member);
        rows_.back().words = std::move(words);
        return *this;
    }
    ParameterRows& numbers(std::string_view name, std::vector<double> P::* member,
                           std::string_view unit, double least, double most,
                           std::string_view help) {
        return add({name, ParameterKind::numbers, unit, least, most, help}, member);
    }
    /// `unit` says the form of a text.
    ParameterRows& texts(std::string_view name, std::vector<std::string> P::* member,
                         std::string_view unit, std::string_view help) {
        return add({name, ParameterKind::texts, unit, 0, 0, help}, member);
    }
    [[nodiscard]] std::vector<Parameter<P>> take() { return std::move(rows_); }

  private:
    template <class T>
    ParameterRows& add(ParameterInfo info, T P::* member) {
        const P presets{};
        info.preset.field(&(presets.*member)) = presets.*member;
        rows_.push_back({std::move(info), [member](P& parameters, ParameterValue value) {
                             parameters.*member = value.field(&(parameters.*member));
                         }});
        return *this;
    }
    std::vector<Parameter<P>> rows_;
};

}  // namespace damrak::participants
