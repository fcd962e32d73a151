// A table whose cells are written again only where they differ.
import { h, setText } from "./dom.js";

export class Table {
  readonly element: HTMLTableElement;
  private readonly rows = h("tbody");

  constructor(label: string, columns: string[]) {
    this.element = h(
      "table",
      { "aria-label": label },
      h("thead", {}, h("tr", {}, ...columns.map((text) => h("th", { scope: "col", text })))),
      this.rows,
    );
  }
  show(rows: string[][]): void {
    while (this.rows.rows.length > rows.length) this.rows.lastElementChild!.remove();
    rows.forEach((texts, i) => {
      const row =
        this.rows.rows[i] ??
        this.rows.appendChild(
          h("tr", {}, ...texts.map((_, k) => (k ? h("td") : h("th", { scope: "row" })))),
        );
      texts.forEach((text, k) => setText(row.cells[k]!, text));
    });
  }
}
