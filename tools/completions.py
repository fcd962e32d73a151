#!/usr/bin/env python3
"""Writes shell completions from what the built program says of itself (--help).

    tools/completions.py PROGRAM FOLDER

writes damrak.bash, _damrak (zsh) and damrak.fish into FOLDER.
"""
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

NAME = "damrak"
HEADING = re.compile(r"^\s*(Options|Positionals|Subcommands):$")
ENTRY = re.compile(r"^ {2,4}(\S.*?)(?:  +(\S.*))?$")
CHOICES = re.compile(r"\{([^}]*)\}")
VALUE = re.compile(r"\b(TEXT|U?INT|FLOAT)\b")


@dataclass
class Option:
    names: list
    takes_value: bool
    repeats: bool
    choices: list
    text: str


@dataclass
class Command:
    path: tuple
    options: list = field(default_factory=list)
    positional_choices: list = field(default_factory=list)
    inner: dict = field(default_factory=dict)  # name of a subcommand to what it does

    @property
    def words(self):
        return " ".join((NAME, *self.path))


def entries(text):
    """(section, left column, right column) of every entry of a help text."""
    section, left, right = None, None, ""
    for line in text.splitlines():
        heading = HEADING.match(line)
        entry = ENTRY.match(line)
        if left and (heading or entry or not line.startswith("      ")):
            yield section, left, right
            left = None
        if heading:
            section = heading[1]
        elif section and entry:
            left, right = entry[1], entry[2] or ""
        elif left:
            right = f"{right} {line.strip()}".strip()
        elif line and not line.startswith(" "):
            section = None
    if left:
        yield section, left, right


def parsed(path, text):
    command = Command(path)
    for section, left, right in entries(text):
        name, _, kind = left.partition(" ")
        if section == "Subcommands":
            command.inner[name] = right
            continue
        choices = CHOICES.search(kind)
        choices = choices[1].split(",") if choices else []
        if section == "Positionals":
            command.positional_choices += choices
        else:
            command.options.append(Option(name.split(","), bool(VALUE.match(kind)),
                                          kind.endswith("..."), choices, right))
    return command


def commands_of(program, path=()):
    text = subprocess.run([program, *path, "--help"], check=True, capture_output=True,
                          text=True).stdout
    command = parsed(path, text)
    found = [command]
    for name in command.inner:
        found += commands_of(program, (*path, name))
    return found


BASH = """\
# Completion of damrak for bash. Made from its --help.
_damrak() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}}
  if [[ $current == = ]]; then
    current=
  elif [[ $before == = ]]; then
    before=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  local command=damrak words= i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$command ${{COMP_WORDS[i]}}" in
      {commands}) command+=" ${{COMP_WORDS[i]}}" ;;
    esac
  done
  case "$command $before" in
{values}  esac
  case $command in
{options}  esac
  [[ $current == -* ]] || words=
  case $command in
{inner}  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o bashdefault -o default -F _damrak damrak
"""


def bash(commands):
    values, options, inner = "", "", ""
    plain = []
    for command in commands:
        for option in command.options:
            names = " | ".join(f"'{command.words} {name}'" for name in option.names)
            if option.choices:
                words = " ".join(option.choices)
                values += f"    {names})\n      COMPREPLY=($(compgen -W '{words}' -- "
                values += "\"$current\"))\n      return ;;\n"
            elif option.takes_value:
                plain.append(names)
        names = " ".join(name for option in command.options for name in option.names)
        options += f"    '{command.words}')\n      words='{names}' ;;\n"
        words = " ".join([*command.inner, *command.positional_choices])
        if words:
            inner += f"    '{command.words}') words+=' {words}' ;;\n"
    values += "    " + " | \\\n      ".join(plain) + ")\n      COMPREPLY=()\n      return ;;\n"
    paths = " | \\\n        ".join(f"'{command.words}'" for command in commands[1:])
    return BASH.format(commands=paths, values=values, options=options, inner=inner)


ZSH = """\
#compdef damrak
# Completion of damrak for zsh. Made from its --help.
_damrak() {{
  local command=damrak
  integer i last=1
  for ((i = 2; i < CURRENT; i++)); do
    case "$command $words[i]" in
      ({commands})
        command+=" $words[i]"
        last=$i ;;
    esac
  done
  words=("$words[last]" "${{(@)words[last+1,-1]}}")
  ((CURRENT -= last - 1))
  case $command in
{cases}  esac
}}
_damrak "$@"
"""


def zsh_quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def zsh_option(option):
    text = re.sub(r"([\[\]\\])", r"\\\1", option.text)
    for name in option.names:
        spec = "*" if option.repeats else f"({' '.join(option.names)})"
        spec += name + ("=" if option.takes_value and name.startswith("--") else "") + f"[{text}]"
        if option.takes_value:
            action = f"({' '.join(option.choices)})" if option.choices else "_files"
            spec += f":value:{action}"
        yield zsh_quoted(spec)


def zsh(commands):
    cases = ""
    for command in commands:
        specs = [spec for option in command.options for spec in zsh_option(option)]
        if command.inner:
            described = " ".join('{}\\:"{}"'.format(name, re.sub(r'([\\"$`])', r"\\\1", text))
                                 for name, text in command.inner.items())
            specs.append(zsh_quoted(f"1:command:(({described}))"))
        elif command.positional_choices:
            specs.append(zsh_quoted(f"*:value:({' '.join(command.positional_choices)})"))
        else:
            specs.append("'*:file:_files'")
        lines = " \\\n        ".join(specs)
        cases += f"    ('{command.words}')\n      _arguments \\\n        {lines} ;;\n"
    paths = "|".join(f"'{command.words}'" for command in commands[1:])
    return ZSH.format(commands=paths, cases=cases)


FISH = """\
# Completion of damrak for fish. Made from its --help.
function __damrak_at
    set -l command
    for word in (commandline -opc)[2..]
        if contains -- (string join -- ' ' $command $word) {commands}
            set -a command $word
        end
    end
    test "$command" = "$argv"
end
"""


def fish_quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish(commands):
    script = FISH.format(commands=" ".join(f"'{' '.join(c.path)}'" for c in commands[1:]))
    for command in commands:
        path = f"{NAME} -n {fish_quoted('__damrak_at ' + ' '.join(command.path))}".replace(
            "__damrak_at '", "__damrak_at'")
        for name, text in command.inner.items():
            script += f"complete -c {path} -f -a {name} -d {fish_quoted(text)}\n"
        for choice in command.positional_choices:
            script += f"complete -c {path} -f -a {fish_quoted(choice)}\n"
        for option in command.options:
            names = " ".join(f"-l {n[2:]}" if n.startswith("--") else f"-s {n[1:]}"
                             for n in option.names)
            if option.choices:
                names += f" -x -a {fish_quoted(' '.join(option.choices))}"
            elif option.takes_value:
                names += " -r"
            script += f"complete -c {path} {names} -d {fish_quoted(option.text)}\n"
    return script


def main(program, folder):
    commands = commands_of(program)
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, write in (("damrak.bash", bash), ("_damrak", zsh), ("damrak.fish", fish)):
        (folder / name).write_text(write(commands), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    main(*sys.argv[1:])
