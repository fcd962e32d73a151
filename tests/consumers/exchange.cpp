// An exchange that another project starts: on a free port, with a journal in a folder of its own.
#include <damrak/exchange/exchange.hpp>

#include <filesystem>
#include <stop_token>
#include <thread>

int main() {
    damrak::exchange::Settings settings;
    settings.ports = {{"binary", 0}, {"fix", 0}};
    settings.data = std::filesystem::current_path() / "consumer-data";
    std::filesystem::remove_all(settings.data);

    const auto started = damrak::exchange::Exchange::start(settings);
    if (!started) return 1;
    damrak::exchange::Exchange& exchange = **started;
    std::jthread trading{[&](const std::stop_token& stop) { exchange.run(stop); }};
    const bool open = exchange.ports().at("binary") != 0 && exchange.ports().at("fix") != 0;
    trading.request_stop();
    trading.join();
    exchange.stop();
    return open && !exchange.failed() ? 0 : 1;
}
