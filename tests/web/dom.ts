// As much of a document as the page's elements need to be made and read in a test without a browser.

class Classes {
  constructor(private readonly of: FakeElement) {}
  private get all(): string[] {
    return (this.of.attributes.get("class") ?? "").split(" ").filter((one) => one !== "");
  }
  contains(name: string): boolean {
    return this.all.includes(name);
  }
  add(name: string): void {
    this.toggle(name, true);
  }
  toggle(name: string, on = !this.contains(name)): void {
    const others = this.all.filter((one) => one !== name);
    this.of.attributes.set("class", [...others, ...(on ? [name] : [])].join(" "));
  }
}

export class FakeElement {
  readonly attributes = new Map<string, string>();
  readonly classList = new Classes(this);
  readonly dataset: Record<string, string> = {};
  readonly style: Record<string, string> = {};
  children: (FakeElement | string)[] = [];
  value = "";
  title = "";
  private readonly listeners = new Map<string, ((event: object) => void)[]>();

  constructor(readonly tag: string) {}

  get hidden(): boolean {
    return this.attributes.has("hidden");
  }
  set hidden(yes: boolean) {
    if (yes) this.attributes.set("hidden", "");
    else this.attributes.delete("hidden");
  }
  get id(): string {
    return this.attributes.get("id") ?? "";
  }
  get className(): string {
    return this.attributes.get("class") ?? "";
  }
  set className(name: string) {
    this.attributes.set("class", name);
  }
  get textContent(): string {
    return this.children.map((one) => (typeof one === "string" ? one : one.textContent)).join("");
  }
  set textContent(text: string) {
    this.children = text === "" ? [] : [text];
  }
  get childElementCount(): number {
    return this.all().length;
  }
  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value);
  }
  append(...children: (FakeElement | string)[]): void {
    this.children.push(...children);
  }
  replaceChildren(...children: (FakeElement | string)[]): void {
    this.children = children;
  }
  addEventListener(name: string, listener: (event: object) => void): void {
    this.listeners.set(name, [...(this.listeners.get(name) ?? []), listener]);
  }
  dispatch(name: string, event: object = {}): void {
    for (const listener of this.listeners.get(name) ?? []) listener({ target: this, ...event });
  }
  /** This element's elements, or all below it that a condition holds for. */
  private all(): FakeElement[] {
    return this.children.filter((one) => typeof one !== "string");
  }
  find(holds: (element: FakeElement) => boolean): FakeElement[] {
    return this.all().flatMap((one) => [...(holds(one) ? [one] : []), ...one.find(holds)]);
  }
}

const observed: { element: unknown; changed: (entries: object[]) => void }[] = [];
const frames: (() => void)[] = [];

/** Makes `document` and what elements use of `window`, for all tests of a file. */
export function fakeDocument(): void {
  class ResizeObserver {
    constructor(private readonly changed: (entries: object[]) => void) {}
    observe(element: unknown): void {
      observed.push({ element, changed: this.changed });
    }
  }
  Object.assign(globalThis, {
    document: { createElement: (tag: string) => new FakeElement(tag) },
    window: { devicePixelRatio: 1 },
    requestAnimationFrame: (draw: () => void) => frames.push(draw),
    ResizeObserver,
  });
}

/** Gives all elements that ask for it this size. */
export function resize(width: number, height: number): void {
  for (const { changed } of observed) changed([{ contentRect: { width, height } }]);
}

/** Draws what was asked for. */
export function nextFrame(): void {
  for (const draw of frames.splice(0)) draw();
}

/** What an element of the page is in a test. */
export const fake = (element: unknown) => element as FakeElement;
