// What was measured of a day: values by name, in a fixed order. A measure that the record cannot
// give, or that has no observation, is absent; it is never zero for want of data.
// docs/reference/measures.md defines each name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <damrak/measures/input.hpp>

namespace damrak::measures {

/// A measure of a run or a day.
struct Value {
    std::string name;
    std::string_view unit;
    double value = 0;
    std::uint64_t count = 0;  ///< observations that it rests on
};

class Results {
  public:
    /// Does nothing without observations.
    void add(std::string name, std::string_view unit, double value, std::uint64_t count) {
        if (count > 0) values_.push_back({std::move(name), unit, value, count});
    }
    /// A distance of prices, given in price units, as `name` in ticks and as `name`_currency.
    void add_distance(const std::string& name, double value, std::uint64_t count,
                      const Settings& settings) {
        add(name, "ticks", value / static_cast<double>(settings.tick), count);
        add(name + "_currency", "currency", value / static_cast<double>(settings.currency), count);
    }
    /// Null: absent.
    [[nodiscard]] const Value* find(std::string_view name) const {
        for (const Value& value : values_)
            if (value.name == name) return &value;
        return nullptr;
    }
    [[nodiscard]] const std::vector<Value>& values() const { return values_; }

  private:
    std::vector<Value> values_;
};

}  // namespace damrak::measures
