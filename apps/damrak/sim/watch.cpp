// `damrak sim watch`: kept runs in a browser. Serves the live page, and the archived days and
// events of the runs under the names of their folders, until it is interrupted.
#include <array>
#include <chrono>
#include <expected>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/base/time_units.hpp>
#include <damrak/files/temporary_folder.hpp>
#include <damrak/http/origin.hpp>
#include <damrak/http/server.hpp>
#include <damrak/market_data_api/api.hpp>
#include <damrak/market_data_api/query.hpp>
#include <damrak/market_kernel/market_setup.hpp>
#include <damrak/market_runs/market_file.hpp>
#include <damrak/market_stream/asyncapi.hpp>
#include <damrak/market_stream/market_stream.hpp>
#include <damrak/page/assets.hpp>

#include "cli.hpp"
#include "say.hpp"
#include "serve/process.hpp"
#include "sim/jobs.hpp"

namespace damrak::app {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// A folder of links to the files of the runs, as the archive of a service; removed at the end.
class LinkedArchive {
  public:
    [[nodiscard]] const fs::path& path() const { return folder_.path(); }

    /// Where a run that is made now can be kept.
    [[nodiscard]] fs::path folder_for(const fs::path& market_file) const {
        return path() / "runs" / market_file.stem();
    }
    /// The name under which the run is shown, or what is wrong with the folder.
    [[nodiscard]] std::expected<std::string, std::string> add(const fs::path& run) const {
        const fs::path folder = fs::absolute(run).lexically_normal();
        std::string name = (folder.has_filename() ? folder : folder.parent_path()).filename();
        while (fs::exists(path() / (name + ".dar"))) name += "'";
        std::error_code error;
        for (const auto& entry : fs::directory_iterator{folder / "archive", error}) {
            const fs::path& file = entry.path();
            if (file.extension() == ".dar" || file.extension() == ".events" ||
                file.extension() == ".heatmap")
                fs::create_symlink(file, path() / (name + file.extension().string()), error);
        }
        if (!fs::exists(path() / (name + ".dar")))
            return std::unexpected{
                fmt::format("{}: is no kept run: `damrak sim run FILE --keep {}` makes one",
                            run.string(), run.string())};
        if (fs::exists(folder / "participants.csv"))
            fs::create_symlink(folder / "participants.csv", path() / (name + ".participants.csv"),
                               error);
        return name;
    }

  private:
    files::TemporaryFolder folder_{"watch"};
};

/// What the market file of a run plans, as times of its day.
std::expected<Json, std::string> timeline_of(const std::string& name, const fs::path& run) {
    const auto file = market_runs::read_market_file(run / "market.toml");
    if (!file) return std::unexpected{file.error()};
    const std::int64_t begin_ns = market_kernel::MarketSetup{}.begin.value % k_day_ns;
    Json entries = Json::array();
    for (const market_runs::TimelineEntry& entry : file->timeline) {
        Json one{{"time_ns", begin_ns + entry.at_ns}, {"event", market_runs::name_of(entry.kind)}};
        if (entry.for_ns) one["end_ns"] = begin_ns + entry.at_ns + *entry.for_ns;
        if (!entry.group.empty()) one["group"] = entry.group;
        entries.push_back(std::move(one));
    }
    return Json{
        {"day", name}, {"market", file->name}, {"about", file->about}, {"timeline", entries}};
}

class WatchService {
  public:
    explicit WatchService(const fs::path& archive)
        : market_data_(archive, nullptr, {},
                       {.admits = [](const http::Request&) { return true; },
                        .write_events = nullptr,
                        .submit = nullptr}) {}

    void add(const std::string& name, const Json& timeline) {
        timelines_[name] = timeline.dump(2) + "\n";
    }
    [[nodiscard]] std::expected<std::unique_ptr<http::Server>, std::string> start(
        std::uint16_t port) {
        return http::Server::start(
            {.port = port,
             .answer = [this](const http::Request& request) { return answer(request); },
             .is_long = [](const http::Request& request) { return is_query(request.path); },
             .web_sockets = {.upgrade = [this](const http::Request& request)
                                 -> std::expected<http::WebSocketWelcome, http::Answer> {
                 if (!http::has_sound_host(request)) return std::unexpected{http::Answer{421}};
                 return stream_.welcome(request);
             }},
             .on_tick = [this] { stream_.tick(); },
             .tick = market_stream::MarketStream::k_tick});
    }

  private:
    static constexpr std::string_view k_timeline_path = "/v1/timeline";

    static bool is_query(std::string_view path) {
        return market_data_api::is_route(path) && path != k_timeline_path &&
               path != market_stream::k_asyncapi_path;
    }
    http::Answer answer(const http::Request& request) {
        if (!http::has_sound_host(request)) return {.status = 421};
        if (request.path == k_timeline_path) return answer_timeline(request.query);
        if (request.path == market_stream::k_asyncapi_path) return market_stream::answer_asyncapi();
        if (is_query(request.path)) return market_data_.answer(request);
        if (const page::Asset* const asset = page::find(request.path)) return page::answer(*asset);
        return {.status = 404, .body = "there are /, /v1, /v1/timeline?day=\n"};
    }
    [[nodiscard]] http::Answer answer_timeline(std::string_view query) const {
        constexpr std::array k_names{std::string_view{"day"}};
        const auto asked = market_data_api::Query::parse(query, k_names);
        if (!asked) return market_data_api::answer_of(asked.error());
        const auto found = timelines_.find(asked->text("day").value_or(""));
        if (found != timelines_.end())
            return {.content_type = "application/json", .body = found->second};
        return market_data_api::answer_of(
            {.status = 404, .code = "unknown_day", .message = "day: no run has this name"});
    }

    market_data_api::MarketDataApi market_data_;
    market_stream::MarketStream stream_{{}};
    std::map<std::string, std::string> timelines_;
};

std::string address_of(std::uint16_t port, const std::vector<std::string>& names) {
    market_data_api::Query view;
    view.set("day", names.front());
    if (names.size() == 2) view.set("beside", names.back());
    return fmt::format("http://127.0.0.1:{}/#{}", port, view.encoded());
}

}  // namespace

int watch_runs(const SimWatchOptions& options) {
    const LinkedArchive archive;
    if (archive.path().empty()) return fail("cannot make a temporary folder");
    WatchService service{archive.path()};
    std::vector<std::string> names;
    for (fs::path run : options.runs) {
        if (fs::is_regular_file(run)) {
            const fs::path kept = archive.folder_for(run);
            SimRunOptions now;
            now.file = run;
            now.keep = kept.string();
            if (const int failed = run_sim(now); failed != k_exit_success) return failed;
            run = kept;
        }
        const auto name = archive.add(run);
        if (!name) return fail(name.error());
        const auto timeline = timeline_of(*name, run);
        if (!timeline) return fail(timeline.error());
        service.add(*name, *timeline);
        names.push_back(*name);
    }
    handle_signals();
    const auto server = service.start(options.port);
    if (!server) return fail(server.error());
    say("watch        {}\n", address_of((*server)->port(), names));
    using namespace std::chrono_literals;
    while (!stop_asked()) std::this_thread::sleep_for(50ms);
    return k_exit_success;
}

}  // namespace damrak::app
