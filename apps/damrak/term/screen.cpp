// `damrak term` on a terminal: copies the screen that client/term_screen.hpp draws to ncurses, and
// keys to the line that is typed.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include <curses.h>
#include <fmt/format.h>
#include <unistd.h>

#include <damrak/client/term_screen.hpp>

#include "cli.hpp"
#include "serve/process.hpp"
#include "term/session.hpp"

namespace damrak::app {

namespace {

using client::TermCanvas;
using client::TermCommand;
using client::TermLine;
using client::TermStyle;

constexpr int k_turn_ms = 100;

constexpr int ctrl(char letter) { return letter & 0x1f; }

// The terminal while it is ours; as it was before, afterwards.
class Terminal {
  public:
    /// Null if this terminal is not one that can be drawn on.
    Terminal() : screen_(::newterm(nullptr, stdout, stdin)) {
        if (screen_ == nullptr) return;
        ::cbreak();
        ::noecho();
        ::keypad(stdscr, true);
        ::nodelay(stdscr, true);
        ::set_escdelay(25);
        if (::has_colors()) set_colors();
    }
    ~Terminal() {
        if (screen_ == nullptr) return;
        ::endwin();
        ::delscreen(screen_);
    }
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    [[nodiscard]] bool usable() const { return screen_ != nullptr; }
    /// A key, or nothing that waits.
    [[nodiscard]] static int key() { return ::getch(); }

    static void show(const TermCanvas& canvas) {
        for (std::size_t y = 0; y < canvas.height(); ++y) {
            ::move(static_cast<int>(y), 0);
            for (std::size_t x = 0; x < canvas.width(); ++x) {
                const TermCanvas::Cell& cell = canvas.at(x, y);
                // The corner at the end would scroll the screen.
                if (y + 1 == canvas.height() && x + 1 == canvas.width()) break;
                ::addch(static_cast<unsigned char>(cell.character) | attributes(cell.style));
            }
        }
        ::move(static_cast<int>(canvas.cursor_y), static_cast<int>(canvas.cursor_x));
        ::refresh();
    }

  private:
    static constexpr short k_green = 1;
    static constexpr short k_red = 2;
    static constexpr short k_yellow = 3;

    static void set_colors() {
        ::start_color();
        ::use_default_colors();
        ::init_pair(k_green, COLOR_GREEN, -1);
        ::init_pair(k_red, COLOR_RED, -1);
        ::init_pair(k_yellow, COLOR_YELLOW, -1);
    }
    static chtype attributes(TermStyle style) {
        switch (style) {
            case TermStyle::plain:
                return A_NORMAL;
            case TermStyle::dim:
                return A_DIM;
            case TermStyle::bright:
                return A_BOLD;
            case TermStyle::title:
                return A_REVERSE;
            case TermStyle::bid:
                return COLOR_PAIR(k_green);
            case TermStyle::ask:
                return COLOR_PAIR(k_red);
            case TermStyle::good:
                return COLOR_PAIR(k_green) | A_BOLD;
            case TermStyle::bad:
                return COLOR_PAIR(k_yellow) | A_BOLD;
        }
        return A_NORMAL;
    }

    SCREEN* screen_;
};

class Screen {
  public:
    explicit Screen(TermSession& session)
        : session_(&session), editor_{[this](std::string_view line) {
              return client::complete_command(line, model().symbols(), model().open_orders());
          }} {}

    void run() {
        model().say("type help for the commands; Tab completes, the arrow keys recall lines");
        while (!over_ && !stop_asked()) {
            static_cast<void>(session_->do_work());
            draw();
            if (!session_->wait(k_turn_ms, STDIN_FILENO)) return;  // the terminal is gone
            for (int key = Terminal::key(); key != ERR; key = Terminal::key()) press(key);
        }
    }

  private:
    [[nodiscard]] client::TermModel& model() { return session_->model(); }

    void draw() {
        int height = 0;
        int width = 0;
        getmaxyx(stdscr, height, width);
        Terminal::show(client::draw_term(model(), editor_, static_cast<std::size_t>(width),
                                         static_cast<std::size_t>(height)));
    }

    void press(int key) {
        switch (key) {
            case KEY_RESIZE:
                ::clear();
                break;
            case '\n':
            case '\r':
            case KEY_ENTER:
                obey(editor_.enter());
                break;
            case '\t':
                offer(editor_.complete());
                break;
            case KEY_UP:
                editor_.up();
                break;
            case KEY_DOWN:
                editor_.down();
                break;
            default:
                edit(key);
        }
    }

    void edit(int key) {
        switch (key) {
            case KEY_BACKSPACE:
            case 127:
            case ctrl('h'):
                return editor_.backspace();
            case KEY_DC:
            case ctrl('d'):
                return editor_.remove();
            case KEY_LEFT:
                return editor_.left();
            case KEY_RIGHT:
                return editor_.right();
            case KEY_HOME:
            case ctrl('a'):
                return editor_.home();
            case KEY_END:
            case ctrl('e'):
                return editor_.end();
            case ctrl('u'):
                return editor_.clear();
            case ctrl('w'):
                return editor_.remove_word();
            default:
                if (key >= ' ' && key <= '~') editor_.insert(static_cast<char>(key));
        }
    }

    void offer(const std::vector<std::string>& words) {
        if (!words.empty()) model().say(fmt::format("{}", fmt::join(words, "  ")));
    }

    void obey(const std::string& line) {
        const bool insists = std::exchange(warned_, false);
        const auto command = session_->parse(line);
        if (!command) return model().say(command.error(), TermLine::Tone::bad);
        if (command->kind == TermCommand::Kind::quit) return quit(insists);
        if (command->kind == TermCommand::Kind::wait)
            return model().say("wait works in scripts only", TermLine::Tone::bad);
        const auto answer = session_->execute(*command);
        // The book is on the screen, or why it is not.
        if (command->kind == TermCommand::Kind::book) return;
        if (!answer) return model().say(answer.error(), TermLine::Tone::bad);
        for (const std::string& each : *answer) model().say(each);
    }

    void quit(bool insists) {
        const std::size_t open = model().open_orders().size();
        over_ = open == 0 || insists;
        warned_ = !over_;
        if (warned_)
            model().say(fmt::format("{} left: quit again to leave, or cancel all first",
                                    counted(static_cast<std::int64_t>(open), "open order")),
                        TermLine::Tone::bright);
    }

    TermSession* session_;
    client::LineEditor editor_;
    bool over_ = false;
    bool warned_ = false;
};

}  // namespace

int run_term_screen(TermSession& session) {
    {
        const Terminal terminal;
        if (!terminal.usable()) {
            const char* const name = std::getenv("TERM");
            return fail(
                fmt::format("cannot draw on this terminal (TERM is '{}'); commands may also "
                            "come from standard input",
                            name == nullptr ? "" : name));
        }
        Screen{session}.run();
    }
    session.leave();
    const std::size_t open = session.model().open_orders().size();
    if (open > 0)
        fmt::print("{} left in the book\n", counted(static_cast<std::int64_t>(open), "order"));
    return k_exit_success;
}

}  // namespace damrak::app
