#include <damrak/convert/lobster_to_itch.hpp>

#include <utility>

#include <damrak/wire/itch/file_writer.hpp>

namespace damrak::convert {

namespace itch = wire::itch;

std::expected<LobsterToItchSummary, std::string> convert(const LobsterToItch& conversion,
                                                         const OnProgress& on_progress) {
    auto source = files::ByteSource::open(conversion.messages);
    if (!source) return std::unexpected{source.error()};
    return convert(conversion, std::move(*source), on_progress);
}

std::expected<LobsterToItchSummary, std::string> convert(const LobsterToItch& conversion,
                                                         files::ByteSource messages,
                                                         const OnProgress& on_progress) {
    auto day = LobsterDay::open({conversion.messages, conversion.book}, conversion.symbol,
                                std::move(messages));
    if (!day) return std::unexpected{day.error()};
    auto file = itch::FileWriter::create(conversion.itch);
    if (!file) return std::unexpected{file.error()};
    const auto write = [&](const itch::Message& message) { file->write(message); };
    constexpr std::uint64_t k_rows_between_reports = 4096;
    for (;;) {
        const auto more = day->next(write);
        if (!more) return std::unexpected{more.error()};
        if (!*more) break;
        if (day->files().messages() % k_rows_between_reports == 0)
            on_progress(day->files().progress(), day->files().messages());
    }
    if (auto closed = file->close(); !closed) return std::unexpected{closed.error()};
    return LobsterToItchSummary{.rows = day->files().messages(),
                                .messages = file->messages(),
                                .depth = day->depth(),
                                .report = day->report(),
                                .notes = day->files().notes()};
}

}  // namespace damrak::convert
