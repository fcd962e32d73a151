// Two kept runs beside each other: participants as the runs wrote them down, the timeline, and both
// heatmaps at the same time of the day.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { after, before, test } from "node:test";
import { eventually, launch, program } from "./exchange.mjs";

const market = fileURLToPath(new URL("../../../examples/markets/bad_day.toml", import.meta.url));
const second = 1e9;
let folder, watch, address, browser, page;

function keep(name, seed) {
  const run = join(folder, name);
  const flags = ["--seed", seed, "--duration", "7min", "--keep", run];
  const done = spawnSync(program, ["sim", "run", market, ...flags], { encoding: "utf8" });
  assert.equal(done.status, 0, done.stderr);
  return run;
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "damrak-watch-test-"));
  watch = spawn(program, ["sim", "watch", keep("one", "1"), keep("two", "2"), "--http-port", "0"]);
  address = await new Promise((resolve, reject) => {
    watch.on("exit", (code) => reject(new Error(`damrak ended with status ${code}`)));
    createInterface(watch.stderr).on("line", (line) => {
      const found = /^watch +(\S+)/.exec(line);
      if (found) resolve(found[1]);
    });
  });
  browser = await launch();
  page = await browser.newPage({ viewport: { width: 1800, height: 950 } });
  await page.goto(address);
});
after(async () => {
  await browser?.close();
  watch?.kill("SIGTERM");
  rmSync(folder, { recursive: true, force: true });
});

const frames = () => page.frames().slice(1);
const look = (frame) =>
  frame.evaluate(() => {
    const { view, timeline } = window.damrakPage.heatmap;
    return { end: view.endNs, span: view.spanNs, events: timeline.map(({ event }) => event) };
  });

test("two markets are shown, each with its participants", async () => {
  assert.ok(await eventually(() => frames().length === 2));
  for (const [i, name] of ["one", "two"].entries()) {
    const rows = frames()[i].locator(".participants-table tbody tr");
    assert.ok(await eventually(async () => (await rows.count()) > 3));
    const lines = readFileSync(join(folder, name, "participants.csv"), "utf8")
      .trim()
      .split("\n");
    const makers = lines.filter((line) => line.split(",")[1] === "makers");
    const position = makers.reduce((sum, line) => sum + Number(line.split(",")[4]), 0);
    const shown = await rows.filter({ hasText: "makers" }).locator("td").first().textContent();
    assert.equal(Number(shown.replaceAll(",", "").replace("−", "-")), position);
  }
});

test("the timeline of the market file is over the heatmap", async () => {
  for (const frame of frames())
    assert.ok(await eventually(async () => (await look(frame)).events.includes("fat_finger")));
});

test("an event of the list is gone to", async () => {
  const [left] = frames();
  await left.getByLabel("Go to an event").selectOption({ index: 1 });
  const [{ time_ns }] = await left.evaluate(() => window.damrakPage.heatmap.timeline);
  assert.ok(
    await eventually(async () => {
      const { end, span } = await look(left);
      return end - span < time_ns && time_ns < end;
    }),
  );
});

test("where one goes the other follows, also while it plays", async () => {
  const [left, right] = frames();
  await left.getByRole("application").press("Home");
  const same = async () => {
    const [a, b] = [await look(left), await look(right)];
    return Math.abs(a.end - b.end) < second && a.span === b.span;
  };
  assert.ok(await eventually(same));
  const before = (await look(right)).end;
  await left.getByLabel("Speed of the day").selectOption("60");
  await left.getByRole("button", { name: "Play" }).click();
  assert.ok(await eventually(async () => (await look(right)).end > before + 30 * second));
  await left.getByRole("button", { name: "Pause", exact: true }).first().click();
  assert.ok(await eventually(same));
});
