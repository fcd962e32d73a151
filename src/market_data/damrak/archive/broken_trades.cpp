#include <damrak/archive/broken_trades.hpp>

#include <damrak/archive/day_cursor.hpp>
#include <damrak/wire/itch/walk.hpp>

namespace damrak::archive {

namespace {

struct IntoBroken {
    order_flow::BrokenTrades& broken;
    void on(const wire::itch::BrokenTrade& message) { broken.add(message.match_number); }
};

}  // namespace

Answer<order_flow::BrokenTrades> broken_trades(const Day& day) {
    Answer<order_flow::BrokenTrades> answer;
    IntoBroken visitor{answer.value};
    DayCursor cursor{day, {.breaks_trades = true}};
    for (;;) {
        const auto block = cursor.next();
        if (block && !*block) return answer;
        if (block)
            static_cast<void>(wire::itch::walk((*block)->frames, visitor));
        else if (block.error().is_one_block)
            answer.completeness.add(
                {.missing = {block.error().text + "; it has messages that break trades"}});
    }
}

}  // namespace damrak::archive
