#!/usr/bin/env python3
"""Writes the records of a journal as a Parquet file.

    tools/journal_to_parquet.py DIR FILE.parquet [--program build/release/damrak]

Reads what `damrak journal export` gives, some megabytes at a time, so that memory does not grow
with the journal. Needs the Python package pyarrow, and says so where it is missing.
"""
import argparse
import subprocess
import sys

TEXT = ["kind", "tag", "side", "order_type", "time_in_force", "self_trade_prevention", "symbol",
        "state", "state_hash"]
UNSIGNED = ["sequence", "session", "inbound_sequence", "delay_ns", "order_id", "client_order_id",
            "new_order_id", "trade_id", "resting_order_id"]


def column_types(names, arrow):
    """Every column has its type from the start: one that is empty at first stays what it is."""
    return {name: arrow.string() if name in TEXT
            else arrow.uint64() if name in UNSIGNED
            else arrow.int64() for name in names}


def convert(lines, path, arrow, csv, parquet):
    names = lines.readline().decode().strip().split(",")
    types = column_types(names, arrow)
    if not lines.peek(1):  # a journal without records
        parquet.ParquetWriter(path, arrow.schema(types.items())).close()
        return 0
    reader = csv.open_csv(
        lines,
        read_options=csv.ReadOptions(column_names=names),
        convert_options=csv.ConvertOptions(column_types=types, strings_can_be_null=True))
    rows = 0
    with parquet.ParquetWriter(path, reader.schema, compression="zstd") as writer:
        for batch in reader:
            writer.write_batch(batch)
            rows += batch.num_rows
    return rows


def main(arguments):
    parser = argparse.ArgumentParser(description="Writes the records of a journal as Parquet.")
    parser.add_argument("directory")
    parser.add_argument("output")
    parser.add_argument("--program", default="build/release/damrak")
    options = parser.parse_args(arguments)
    try:
        import pyarrow
        from pyarrow import csv, parquet
    except ImportError:
        sys.exit("journal_to_parquet: the Python package pyarrow is missing: install it "
                 "(pip install pyarrow), or use the CSV of `damrak journal export`")
    command = [options.program, "journal", "export", options.directory]
    try:
        export = subprocess.Popen(command, stdout=subprocess.PIPE)
    except OSError as error:
        sys.exit(f"journal_to_parquet: cannot run {options.program}: {error.strerror}")
    with export:
        rows = convert(export.stdout, options.output, pyarrow, csv, parquet)
    if export.returncode != 0:
        sys.exit(export.returncode)
    print(f"{rows:,} records in {options.output}")


if __name__ == "__main__":
    main(sys.argv[1:])
