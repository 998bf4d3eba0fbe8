// Rows flowing through the tree, as dots on a canvas above it.
import { command, count, dot, emit, fill, isClasses, linkButton, make, on } from "./base.js";
import { page, quiet, reducedMotion, sum } from "./base.js";
import { pathTo, tree, unpacked } from "./arrays.js";
import { BOX } from "./node_shape.js";
import { className, classColour, nClasses, numberColour } from "./palette.js";
import { isLeaf, state } from "./state.js";
import { overlay, places, view } from "./tree_view.js";
import { codesAt, numbersAt } from "./vote.js";
import { endsOf } from "./walk.js";

const SPEED = 1.6; // levels in a second
const SPREAD = 3; // seconds between the first and the last dot
const PILE = { across: Math.floor((BOX.width - 6) / 6.2), step: 6.2, rows: 7 };

const embedded = page.rows?.embedded;
const flow = { dots: [], time: 0, playing: false, active: false, only: null };
const words = make("p", { class: "step-words" });

export function flowPanel(panel) {
  panel.append(make("h2", {}, "Flow"));
  if (!embedded) {
    const how = command("treewright explore MODEL DATA --rows 500");
    panel.append(quiet("This page has no rows of its own. To see rows flow, put some into it: ", how));
    return;
  }
  const play = make("button", { type: "button", id: "play", onclick: () => (flow.playing ? stop() : start()) }, "Play");
  const button = (name, action) => make("button", { type: "button", onclick: action }, name);
  panel.append(
    make("div", { class: "buttons" },
      play, button("Step", stepOn), button("Start again", restart), button("To the end", toEnd)),
    words, colourKey(),
  );
  on("flow", () => (play.textContent = flow.playing ? "Pause" : "Play"));
  for (const event of ["drawn", "view"]) on(event, paintDots);
  on("shape", makeDots);
  on("panel", (name) => {
    flow.active = name === "flow";
    paintDots();
  });
  on("flow-only", (only) => {
    flow.only = only;
    restart();
  });
  makeDots();
  if (reducedMotion.matches) toEnd();
}

function colourKey() {
  const wrong = make("span", {}, make("i", { class: "ring" }), isClasses ? "wrong" : "off by more than two deviations");
  if (!isClasses) return make("p", { class: "legend" }, wrong);
  const some = Array.from({ length: Math.min(nClasses, 12) }, (_, code) =>
    make("span", {}, dot(classColour(code)), className(code)));
  return make("p", { class: "legend" }, some, wrong);
}

// One dot for each embedded row: its way, colour, and whether the answer is wrong.
function makeDots() {
  const cells = unpacked(embedded.cells);
  const wide = cells.length / embedded.rows.length;
  const spread = Math.sqrt(Math.max(tree.impurity[0], 0)) || 1;
  flow.dots = embedded.rows.map((_, place) => {
    const ends = endsOf(Array.from(cells.subarray(place * wide, (place + 1) * wide)), isLeaf);
    const heaviest = ends[0].reduce((best, part) => (part.weight > best.weight ? part : best));
    const actual = embedded.actual[place];
    const predicted = isClasses ? codesAt(ends)[0] : numbersAt(ends)[0];
    const wrong = isClasses ? predicted !== actual : Math.abs(predicted - actual) > 2 * spread;
    const colour = isClasses ? classColour(actual) : numberColour((actual - tree.value[0]) / (4 * spread) + 0.5);
    return { path: pathTo(heaviest.node), actual, predicted, wrong, colour };
  });
  if (flow.only) {
    const { only } = flow;
    flow.dots = flow.dots.filter((one) => one.actual === only.actual && one.predicted === only.predicted);
  }
  flow.dots.forEach((one, place) => (one.starts = (place / Math.max(flow.dots.length, 1)) * SPREAD * SPEED));
}

function lastTime() {
  const deepest = flow.dots.reduce((most, { path }) => Math.max(most, path.length), 0);
  return deepest + SPREAD * SPEED;
}

function start() {
  if (flow.time >= lastTime()) flow.time = 0;
  if (reducedMotion.matches) {
    toEnd();
    return;
  }
  flow.playing = true;
  emit("flow");
  let before = performance.now();
  const frame = (now) => {
    if (!flow.playing) return;
    flow.time += ((now - before) / 1000) * SPEED;
    before = now;
    paintDots();
    if (flow.time >= lastTime()) stop();
    else requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

function stop() {
  flow.playing = false;
  emit("flow");
  paintDots();
}

// All dots a level further, together.
function stepOn() {
  flow.dots.forEach((one) => (one.starts = 0));
  flow.time = Math.min(Math.floor(flow.time) + 1, lastTime());
  stop();
}

function restart() {
  makeDots();
  flow.time = 0;
  start();
}

function toEnd() {
  flow.time = Infinity;
  stop();
}

function paintDots() {
  const context = overlay.getContext("2d");
  const ratio = window.devicePixelRatio || 1;
  const [wide, high] = [overlay.clientWidth, overlay.clientHeight];
  overlay.width = wide * ratio;
  overlay.height = high * ratio;
  if (!flow.active) return;
  context.setTransform(ratio * view.scale, 0, 0, ratio * view.scale, ratio * view.x, ratio * view.y);
  const ring = getComputedStyle(document.body).getPropertyValue("--wrong");
  const piles = new Map();
  let arrived = 0;
  for (const one of flow.dots) {
    const at = whereIs(one, piles);
    if (!at) continue;
    arrived += at.ended ? 1 : 0;
    context.beginPath();
    context.arc(at.x, at.y, 2.6, 0, 7);
    context.fillStyle = one.colour;
    context.fill();
    if (one.wrong && at.ended) {
      context.lineWidth = 1.4;
      context.strokeStyle = ring;
      context.stroke();
    }
  }
  tellFlow(arrived);
}

function tellFlow(arrived) {
  const wrong = flow.dots.filter(({ wrong }) => wrong).length;
  const which = flow.only ? ` of ${className(flow.only.actual)} predicted as ${className(flow.only.predicted)}` : "";
  const letAllFlow = () => {
    flow.only = null;
    restart();
  };
  const all = flow.only ? linkButton("all rows", letAllFlow) : null;
  fill(words, `${count(flow.dots.length, "row")}${which}, ${arrived} at the end, ${wrong} wrong. `, all);
}

// Where a dot is now; null before it starts.
function whereIs({ path, starts }, piles) {
  const progress = flow.time - starts;
  if (progress < 0) return null;
  // what is folded is not entered
  const shown = path.filter((node) => places.has(node));
  if (shown.length === 0) return null;
  const level = Math.floor(progress);
  if (level >= shown.length - 1) return inPile(shown.at(-1), piles);
  const share = progress - level;
  return onLink(places.get(shown[level]), places.get(shown[level + 1]), share * share * (3 - 2 * share));
}

function inPile(node, piles) {
  const place = piles.get(node) ?? 0;
  piles.set(node, place + 1);
  const { x, y } = places.get(node);
  const row = Math.min(Math.floor(place / PILE.across), PILE.rows);
  const column = place % PILE.across;
  const under = state.open.has(node) && !isLeaf(node) ? BOX.height + 12 : BOX.height + 7;
  return { x: x - BOX.width / 2 + 7 + column * PILE.step, y: y + under + row * PILE.step, ended: true };
}

function onLink(from, to, share) {
  const down = state.direction === "down";
  const one = down ? { x: from.x, y: from.y + BOX.height } : { x: from.x + BOX.width / 2, y: from.y + BOX.height / 2 };
  const two = down ? { x: to.x, y: to.y } : { x: to.x - BOX.width / 2, y: to.y + BOX.height / 2 };
  const bend = down ? 0.45 : 0.35;
  const middle = down ? one.y + (two.y - one.y) * bend : one.x + (two.x - one.x) * bend;
  const weights = [(1 - share) ** 3, 3 * share * (1 - share) ** 2, 3 * share ** 2 * (1 - share), share ** 3];
  const mix = (...points) => sum(points.map((point, place) => point * weights[place]));
  if (down) return { x: mix(one.x, one.x, two.x, two.x), y: mix(one.y, middle, middle, two.y) };
  return { x: mix(one.x, middle, middle, two.x), y: mix(one.y, one.y, two.y, two.y) };
}

export const hasFlow = Boolean(embedded);
