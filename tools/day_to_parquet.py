#!/usr/bin/env python3
"""Writes the messages of an archived day as a Parquet file.

    tools/day_to_parquet.py DAY.dar FILE.parquet [--symbol S] [--from T] [--until T]
                            [--program build/release/damrak]

Reads what `damrak archive export --to csv` gives of the table of messages (docs/reference/tables.md
has its columns), some megabytes at a time, so that memory does not grow with the day. Prices are
decimal(18, 4). Needs the Python package pyarrow, and says so where it
is missing.
"""
import argparse
import subprocess
import sys

# Some hundred thousand rows, which are a row group of the file too.
BLOCK_BYTES = 16 << 20
# Columns with few different values; a dictionary of any other costs more than it saves.
FEW_VALUES = ["type", "symbol", "action", "side"]
# Numbers that mostly rise from row to row: the steps take a fraction of the numbers.
RISING = ["ts_event", "sequence", "order_id", "old_order_id", "match_number"]


def column_types(arrow):
    unsigned, text, flag = arrow.uint64(), arrow.string(), arrow.bool_()
    return {"ts_event": arrow.int64(), "sequence": unsigned, "symbol": text, "type": text,
            "action": text, "side": text, "price": arrow.decimal128(18, 4), "size": unsigned,
            "remaining": unsigned, "order_id": unsigned, "old_order_id": unsigned,
            "match_number": unsigned, "printable": flag, "broken": flag, "by_view": flag}


def convert(lines, path, arrow, csv, parquet):
    types = column_types(arrow)
    reader = csv.open_csv(
        lines, read_options=csv.ReadOptions(block_size=BLOCK_BYTES),
        convert_options=csv.ConvertOptions(column_types=types, strings_can_be_null=True))
    rows = 0
    with parquet.ParquetWriter(
            path, reader.schema, compression="zstd", use_dictionary=FEW_VALUES,
            column_encoding=dict.fromkeys(RISING, "DELTA_BINARY_PACKED")) as writer:
        for batch in reader:
            writer.write_batch(batch)
            rows += batch.num_rows
    return rows


def main(arguments):
    parser = argparse.ArgumentParser(description="Writes an archived day as Parquet.")
    parser.add_argument("day")
    parser.add_argument("output")
    for option in ("--symbol", "--from", "--until"):
        parser.add_argument(option)
    parser.add_argument("--program", default="build/release/damrak")
    options = vars(parser.parse_args(arguments))
    try:
        import pyarrow
        from pyarrow import csv, parquet
    except ImportError:
        sys.exit("day_to_parquet: the Python package pyarrow is missing: install it "
                 "(pip install pyarrow), or use `damrak archive export --to csv`")
    command = [options["program"], "archive", "export", options["day"], "--to", "csv",
               "--out", "-"]
    for option in ("symbol", "from", "until"):
        if options[option]:
            command += [f"--{option}", options[option]]
    try:
        export = subprocess.Popen(command, stdout=subprocess.PIPE)
    except OSError as error:
        sys.exit(f"day_to_parquet: cannot run {options['program']}: {error.strerror}")
    with export:
        try:
            rows = convert(export.stdout, options["output"], pyarrow, csv, parquet)
        except (OSError, pyarrow.ArrowException) as error:
            export.kill()
            sys.exit(f"day_to_parquet: {error}")
    if export.returncode != 0:
        sys.exit(1)  # the program has said why
    print(f"{options['output']}: {rows} rows")


if __name__ == "__main__":
    main(sys.argv[1:])
