// The engine alone: an order of an instrument that does not exist is rejected.
#include <damrak/engine.hpp>

int main() {
    damrak::Engine engine{damrak::EngineConfig{}};
    for (const damrak::Event& event : engine.apply(damrak::limit_order({.instrument{1}})))
        if (event.kind == damrak::EventKind::rejected) return 0;
    return 1;
}
