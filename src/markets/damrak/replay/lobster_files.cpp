#include <damrak/replay/lobster_files.hpp>

#include <utility>

#include <damrak/lobster/reader.hpp>

namespace damrak::replay {

Loaded<std::vector<lobster::MessageRow>> load_messages(const std::filesystem::path& path) {
    auto source = files::ByteSource::open(path);
    if (source) return load_messages(std::move(*source));
    return {.content = {}, .error = source.error(), .notes = {}};
}

Loaded<std::vector<lobster::MessageRow>> load_messages(files::ByteSource source) {
    Loaded<std::vector<lobster::MessageRow>> loaded;
    lobster::MessageReader reader{std::move(source)};
    for (;;) {
        const auto row = reader.next();
        if (!row) loaded.error = row.error().text;
        if (!row || !*row) break;
        loaded.content.push_back(**row);
    }
    loaded.notes = reader.notes();
    return loaded;
}

Loaded<BookRows> load_book_rows(const std::filesystem::path& path) {
    Loaded<BookRows> loaded{BookRows{0}, {}, {}};
    auto reader = lobster::BookReader::open(path);
    if (!reader) {
        loaded.error = reader.error().text;
        return loaded;
    }
    for (;;) {
        const auto row = reader->next();
        if (!row) loaded.error = row.error().text;
        if (!row || !*row) break;
        if (loaded.content.levels() == 0) loaded.content = BookRows{reader->levels()};
        loaded.content.add(**row);
    }
    loaded.notes = reader->notes();
    return loaded;
}

}  // namespace damrak::replay
