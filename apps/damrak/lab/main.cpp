// `damrak-lab`, which `damrak lab` starts with its own arguments: damrak-lab lab COMMAND …
#include "program.hpp"

int main(int argc, char** argv) {
    return damrak::app::run_program(argc, argv, damrak::app::add_lab);
}
