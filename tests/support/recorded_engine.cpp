#include "support/recorded_engine.hpp"

namespace damrak {

template class Engine<EventRecorder>;

}  // namespace damrak
