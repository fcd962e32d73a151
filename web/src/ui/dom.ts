// Elements without markup in strings: nothing that the exchange sends can become markup.

type Handlers = {
  [Name in keyof HTMLElementEventMap as `on${Name}`]?: (event: HTMLElementEventMap[Name]) => void;
};
type Properties = Handlers & {
  class?: string;
  text?: string;
  /** All other attributes: role, aria-label, type, … */
  [attribute: string]: unknown;
};

export type Child = Node | string | undefined;

export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === false) continue;
    if (name === "text") element.textContent = String(value);
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value as EventListener);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child): child is Node | string => child !== undefined));
  return element;
}

/** Writes only what differs, so that an unchanged row costs no layout. */
export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function setClass(element: HTMLElement, name: string, on: boolean): void {
  if (element.classList.contains(name) !== on) element.classList.toggle(name, on);
}

/** The size of an element in CSS pixels. To ask the element itself may cost a layout each time. */
export class Size {
  width = 0;
  height = 0;

  constructor(element: Element, changed: () => void = () => {}) {
    new ResizeObserver(([entry]) => {
      this.width = entry!.contentRect.width;
      this.height = entry!.contentRect.height;
      changed();
    }).observe(element);
  }
  /** False while its panel is not shown. */
  get visible(): boolean {
    return this.width > 0 && this.height > 0;
  }
}

/** Gives a canvas as many pixels as it has on the screen. */
export function fitCanvas(
  canvas: HTMLCanvasElement,
  size: { width: number; height: number },
): void {
  const scale = window.devicePixelRatio;
  const [width, height] = [Math.round(size.width * scale), Math.round(size.height * scale)];
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
}

const colours = new Map<string, string>();

/** The value of a colour of the style sheet, for drawings. */
export function colour(name: string): string {
  let value = colours.get(name);
  if (value === undefined) {
    value = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
    colours.set(name, value);
  }
  return value;
}

/** To be called when the theme has changed. */
export function forgetColours(): void {
  colours.clear();
}

/** The body of a panel that may be longer than the panel: the keyboard scrolls what has the focus. */
export function scrollingGroup(className: string, label: string): HTMLElement {
  return h("div", { class: className, tabindex: "0", role: "group", "aria-label": label });
}

export function button(label: string, text: string, action: () => void, key?: string) {
  const title = key ? `${label} (${key})` : label;
  return h("button", { type: "button", title, "aria-label": label, text, onclick: action });
}

/** A choice of a few values; returns the element. */
export function select<Value extends string | number>(
  label: string,
  options: readonly (readonly [Value, string])[],
  value: Value,
  changed: (value: Value) => void,
): HTMLSelectElement {
  const list = h("select", {
    "aria-label": label,
    title: label,
    onchange: () => {
      changed(options[list.selectedIndex]![0]);
    },
  });
  for (const [one, text] of options) list.append(h("option", { value: String(one), text }));
  list.value = String(value);
  return list;
}
