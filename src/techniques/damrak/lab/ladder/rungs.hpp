// The ladder: eleven exchanges from the naive one to the product's, each one step better than the
// one before, under one driver. Used by the laboratory's measurements and by the test that checks
// all against the same reference model.
//
// The engines have different interfaces, because some steps change them: names or numbers of
// symbols, floating-point or integer prices, returned vectors or sinks. Rung<k> hides the
// differences. Its conversions (a look-up of a name, a price computed from ticks) count as part of
// the rung's cost, as a caller would have them too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <damrak/lab/ladder/array_engine.hpp>
#include <damrak/lab/ladder/book_engine.hpp>
#include <damrak/lab/ladder/map_engine.hpp>
#include <damrak/lab/ladder/product_engine.hpp>
#include <damrak/lab/ladder/request.hpp>

namespace damrak::lab::ladder {

namespace detail {

// clang-format off
template <std::size_t k_rung> struct EngineOf;
template <> struct EngineOf<0> { using Type = MapEngine<NamedBooks>; };
template <> struct EngineOf<1> { using Type = MapEngine<NumberedBooks>; };
template <> struct EngineOf<2> { using Type = ArrayEngine<ArraySteps2>; };
template <> struct EngineOf<3> { using Type = ArrayEngine<ArraySteps3>; };
template <> struct EngineOf<4> { using Type = ArrayEngine<ArraySteps4>; };
template <> struct EngineOf<5> { using Type = ArrayEngine<ArraySteps5>; };
template <> struct EngineOf<6> { using Type = ArrayEngine<ArraySteps6>; };
template <> struct EngineOf<7> { using Type = ArrayEngine<ArraySteps7>; };
template <> struct EngineOf<8> { using Type = ArrayEngine<ArraySteps8>; };
template <> struct EngineOf<9> { using Type = BookEngine; };
template <> struct EngineOf<10> { using Type = ProductEngine; };
// clang-format on

inline std::string_view text_of(const std::string& reason) { return reason; }
inline std::string_view text_of(Refusal refusal) { return ladder::text_of(refusal); }
inline bool is_refusal(const std::string& reason) { return !reason.empty(); }
inline bool is_refusal(Refusal refusal) { return refusal != Refusal::none; }

}  // namespace detail

inline constexpr std::size_t k_rungs = 11;

/// A rung of the ladder: what it adds, and what it needs.
struct RungInfo {
    std::string_view name;  ///< short
    std::string_view step;  ///< what it adds to the previous rung
    bool any_ids = true;    ///< false: ids must be small, as it has an element for each
    bool pinned = false;    ///< its thread is pinned to a core
};

inline constexpr RungInfo k_rung_infos[k_rungs] = {
    {"0 baseline", "shared_ptr, map of doubles to lists, names, returned vectors"},
    {"1 symbols", "known symbols, preallocated, by number"},
    {"2 arrays", "arrays indexed by integer prices, intrusive lists"},
    {"3 id vector", "ids index a vector", false},
    {"4 pool", "orders from a pool, plain pointers", false},
    {"5 sink", "trades into a template parameter", false},
    {"6 enums, pinned", "reasons are enumerations, the thread is pinned", false, true},
    {"7 bitmap", "occupied prices as bits", false, true},
    {"8 live ids", "a table of live orders for arbitrary ids", true, true},
    {"9 book", "the product's book", true, true},
    {"10 engine", "the product's engine, with all its checks", true, true},
};

/// The engine of a rung.
template <std::size_t k_rung>
class Rung {
  public:
    static constexpr RungInfo k_info = k_rung_infos[k_rung];

    explicit Rung(const Setup& setup) : engine_(setup) {
        if constexpr (k_rung == 0)
            for (std::uint32_t i = 0; i < setup.symbols; ++i) names_.push_back(symbol_name(i));
    }

    template <class Sink>
    void apply(const Request& request, Sink& sink) {
        if constexpr (k_rung <= 1) {
            tell(submit_to_map(request), sink);
        } else if constexpr (requires { engine_.submit(request); }) {
            tell(engine_.submit(request), sink);
        } else {
            const auto reason =
                engine_.submit(request, [&](const auto& trade) { sink.trade(trade); });
            if (detail::is_refusal(reason)) sink.refused(detail::text_of(reason));
        }
    }

  private:
    auto submit_to_map(const Request& request) {
        const double price = price_of(request.price_ticks);
        switch (request.op) {
            case Op::limit:
                return engine_.limit(symbol_of(request), request.id, request.side, price,
                                     request.quantity, request.ioc);
            case Op::market:
                return engine_.market(symbol_of(request), request.id, request.side,
                                      request.quantity);
            case Op::cancel:
                return engine_.cancel(request.id);
            case Op::replace:
                return engine_.replace(request.id, price, request.quantity);
        }
        std::unreachable();
    }
    [[nodiscard]] decltype(auto) symbol_of(const Request& request) const {
        if constexpr (k_rung == 0)
            return (names_[request.symbol]);
        else
            return request.symbol;
    }

    template <class Answer, class Sink>
    static void tell(const Answer& answer, Sink& sink) {
        if (!answer.reason.empty()) sink.refused(std::string_view{answer.reason});
        for (const auto& trade : answer.trades) sink.trade(trade);
    }

    typename detail::EngineOf<k_rung>::Type engine_;
    std::vector<std::string> names_;
};

/// Calls `f.template operator()<k>()` for each rung, from the lowest.
template <class F>
void for_each_rung(F&& f) {
    [&]<std::size_t... k_rung>(std::index_sequence<k_rung...>) {
        (f.template operator()<k_rung>(), ...);
    }(std::make_index_sequence<k_rungs>{});
}

}  // namespace damrak::lab::ladder
