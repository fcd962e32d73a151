// The engine alone: an order of an instrument that does not exist is rejected.
#include <damrak/engine/engine.hpp>

int main() {
    damrak::EngineConfig config{};
    damrak::Engine engine(config);
    damrak::Command command{};
    command.kind = damrak::CommandKind::new_order;
    const damrak::Slice slice = engine.apply(command);
    for (const damrak::Event& event : slice)
        if (event.kind == damrak::EventKind::rejected) return 0;
    return 1;
}
