// What `scripts/weight` compiles to learn how fast a machine compiles: CPU seconds of build and
// suite are compared in units of this. Standard headers only, and never to change: each change is a
// new unit.
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace {

template <int N>
struct Key {
    int a = N;
    std::string b;
    friend auto operator<=>(const Key&, const Key&) = default;
};

template <int N>
int work(int seed) {
    std::map<Key<N>, std::vector<std::tuple<int, std::string, Key<N>>>> sorted;
    std::unordered_map<std::string, std::variant<int, std::string, Key<N>>> hashed;
    for (int i = 0; i < seed; ++i) {
        const Key<N> key{i % 7, std::to_string(i * N)};
        sorted[key].emplace_back(i, key.b, key);
        hashed.insert_or_assign(key.b, key);
    }
    std::vector<Key<N>> keys;
    for (auto& [key, values] : sorted) {
        std::ranges::sort(values, std::greater{});
        keys.push_back(key);
    }
    std::ranges::stable_sort(keys, {}, &Key<N>::b);
    int sum = 0;
    for (const auto& [name, value] : hashed)
        sum += std::visit(
            [](const auto& held) {
                if constexpr (requires { held.a; })
                    return held.a;
                else
                    return 1;
            },
            value);
    return sum + static_cast<int>(keys.size());
}

template <int... N>
int work_all(std::integer_sequence<int, N...> /*numbers*/, int seed) {
    return (work<N>(seed) + ...);
}

}  // namespace

int main(int argc, char** /*argv*/) {
    std::ostringstream out;
    out << work_all(std::make_integer_sequence<int, 2>{}, argc);
    return out.str().empty() ? 1 : 0;
}
