#include <damrak/study/recorded_measures.hpp>

#include <damrak/study/public_recording.hpp>
#include <damrak/study/recorded_flow.hpp>

namespace damrak::study {

std::expected<RecordedMeasures, std::string> measure_day(const RecordedDay& day,
                                                         const MeasuredHours& hours,
                                                         const measures::Settings& settings) {
    measures::Measures measures{settings};
    PublicRecording recording{measures, hours.begin_ns};
    const auto read = read_recorded_day(day, hours.end_ns, recording);
    if (!read) return std::unexpected{read.error()};
    return RecordedMeasures{measures.finish({recording.last_ns()}), recording.anomalies().total()};
}

}  // namespace damrak::study
