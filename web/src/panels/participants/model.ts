// What each participant has and earned, as rows of a table.
import type { Participant } from "../../core/api.js";

export const columns = ["position", "profit", "fees", "trades", "volume", "orders", "cancels"] as const;
export type Column = (typeof columns)[number];
export type Row = { name: string; members: number } & Record<Column, number>;

const nothing: Row = {
  name: "",
  members: 0,
  position: 0,
  profit: 0,
  fees: 0,
  trades: 0,
  volume: 0,
  orders: 0,
  cancels: 0,
};

/** A row for each group, or for each participant if there are no groups or they are not wanted. */
export function rowsOf(all: Participant[], symbol: string, byGroup: boolean): Row[] {
  const rows = new Map<string, Row>();
  for (const one of all) {
    const number = `${one.group ? `${one.group} ` : ""}#${one.participant}`;
    const name = byGroup && one.group ? one.group : number;
    let row = rows.get(name);
    if (!row) rows.set(name, (row = { ...nothing, name }));
    ++row.members;
    row.position += one.positions.find((held) => held.symbol === symbol)?.position ?? 0;
    for (const column of ["profit", "fees", "trades", "volume", "orders", "cancels"] as const)
      row[column] += one[column];
  }
  return [...rows.values()].sort((a, b) => b.profit - a.profit);
}
