// Help with all keys, the login, and the menu of exports.
import { api } from "../core/api.js";
import type { App, Export } from "./app.js";
import { button, h } from "./dom.js";

const keys: [string, [string, string][]][] = [
  [
    "Everywhere",
    [
      ["?", "this help"],
      ["1 … 9", "go to a panel"],
      ["T", "light or dark"],
      ["E", "export"],
      ["L", "follow the market again"],
      ["Space", "pause, continue"],
      [", .", "previous, next instrument"],
    ],
  ],
  [
    "Heatmap",
    [
      ["drag, ← → ↑ ↓", "move"],
      ["wheel, + −", "zoom in time"],
      ["shift with wheel, shift ↑ ↓", "zoom in price"],
      ["shift ← →", "one screen"],
      ["[ ]", "contrast"],
      ["F", "fit the prices"],
      ["Home", "begin of the day"],
      ["End, double click", "follow the market"],
      ["click", "ladder and tape of that moment"],
    ],
  ],
  [
    "Ladder",
    [
      ["↑ ↓", "choose a price"],
      ["Page up, Page down, wheel", "scroll"],
      ["C", "centre"],
      ["V", "only prices with orders"],
      ["B, click on the bids", "buy at the price"],
      ["S, click on the offers", "sell at the price"],
      ["Delete, click on an own order", "cancel"],
      ["drag an own order", "replace"],
    ],
  ],
  [
    "Chart",
    [
      ["drag, ← →", "move"],
      ["wheel, + −", "zoom"],
    ],
  ],
];

/** A dialog that Escape closes; the focus returns to where it was. */
function dialog(title: string, ...content: HTMLElement[]): HTMLDialogElement {
  const heading = h("h2", {
    text: title,
    id: `dialog-${title.toLowerCase().replaceAll(" ", "-")}`,
  });
  const element = h("dialog", { "aria-labelledby": heading.id });
  const close = button("Close", "×", () => element.close());
  element.append(h("header", {}, heading, close), ...content);
  element.addEventListener("click", (event) => {
    if (event.target === element) element.close();
  });
  return element;
}

export function helpDialog(): HTMLDialogElement {
  const sections = keys.map(([title, rows]) =>
    h(
      "section",
      {},
      h("h3", { text: title }),
      h(
        "dl",
        {},
        ...rows.flatMap(([key, what]) => [h("dt", { text: key }), h("dd", { text: what })]),
      ),
    ),
  );
  return dialog("Keys", h("div", { class: "help" }, ...sections));
}

export function loginDialog(app: App): HTMLDialogElement {
  const token = h("input", {
    type: "password",
    autocomplete: "off",
    "aria-label": "Operator's token",
    placeholder: "token",
    required: true,
    // The dialog would give the focus to its first control, which closes it.
    autofocus: true,
  });
  const wrong = h("p", { class: "reason", role: "alert", hidden: true });
  const form = h(
    "form",
    {
      method: "dialog",
      onsubmit: async (event) => {
        event.preventDefault();
        try {
          await api.login(token.value.trim());
          wrong.hidden = true;
          token.value = "";
          element.close();
          app.announce("Logged in");
          // The cookie is sent when a connection is made.
          app.market.reconnect();
        } catch (error) {
          wrong.textContent = (error as Error).message;
          wrong.hidden = false;
        }
      },
    },
    h("p", {
      text:
        "To trade, and to control a replayed day. The exchange keeps the token in the file " +
        "operator-token of its data directory.",
    }),
    token,
    wrong,
    h("button", { type: "submit", class: "primary", text: "Log in" }),
  );
  const element = dialog("Log in", form);
  return element;
}

export function exportDialog(exports: Export[]): HTMLDialogElement {
  const element = dialog(
    "Export",
    h(
      "div",
      { class: "exports" },
      ...exports.map(({ label, run }) =>
        button(label, label, () => {
          element.close();
          run();
        }),
      ),
    ),
  );
  return element;
}
