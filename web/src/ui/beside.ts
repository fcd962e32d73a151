// Two markets beside each other: the page twice, each with a day of its own, in step.
import { writeState, type UrlState } from "../core/url_state.js";
import { h } from "./dom.js";

export function besideEachOther(state: UrlState): HTMLElement {
  const frame = (day: string | undefined) => {
    const { beside, ...rest } = state;
    const own: UrlState = { ...rest, step: 1 };
    if (day !== undefined) own.day = day;
    return h("iframe", {
      title: `Market of ${day ?? "today"}`,
      src: `/?beside#${writeState(own)}`,
    });
  };
  return h("div", { class: "beside" }, frame(state.day), frame(state.beside));
}
