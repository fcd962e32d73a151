"""Refuses a processor that the module's machine code does not run on, before it is loaded."""

_needed = ("avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe")


def check_processor(path: str = "/proc/cpuinfo") -> None:
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            flags = next((line for line in file if line.startswith("flags")), "")
    except OSError:
        return  # nobody can tell
    have = set(flags.split())
    missing = [one for one in _needed if one not in have]
    if have and missing:
        raise ImportError(
            "damrak needs a processor of the level x86-64-v3 (2013 or later); this one lacks "
            + ", ".join(missing)
        )
