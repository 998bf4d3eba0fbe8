// The distribution of a node's feature: bars by class, the cut as a line that can be
// dragged, and above it the gain of every cut.
import { command, features, fixed, isClasses, make, makeSvg, page } from "./base.js";
import { quiet, short, sum, weightText } from "./base.js";
import { KIND, tree } from "./arrays.js";
import { chalkOf } from "./chalk.js";
import { countChips } from "./chalk_table.js";
import { classColour, className, nClasses } from "./palette.js";
import { gainOf, minus, weightOf } from "./split_scores.js";
import { answerText, featureOf } from "./words.js";

const SIZE = { width: 340, curve: 54, bars: 92, left: 8, right: 8, gap: 14 };
const WIDE = SIZE.width - SIZE.left - SIZE.right;
const FLOOR = SIZE.curve + SIZE.gap + SIZE.bars;
const nParts = isClasses ? nClasses : 3;

export function distributionOf(node) {
  const feature = featureOf(node);
  const data = page.rows?.distributions[node];
  const section = make("section", { class: "distribution" }, make("h3", {}, `Distribution of ${feature.name}`));
  if (!data) {
    const words = page.rows
      ? "Not kept for this node: pages have it for the nodes with the most rows."
      : "The distribution needs rows:";
    section.append(quiet(words, page.rows ? "" : command("treewright explore MODEL DATA")));
    return section;
  }
  section.append(data.categories ? categoryBars(node, data) : cutPicture(node, data));
  const missing = weightOf(data.missing);
  if (missing > 0) section.append(quiet(`missing: ${weightText(missing)}`));
  return section;
}

function groupsOf(flat) {
  return Array.from({ length: flat.length / nParts }, (_, place) => flat.slice(place * nParts, (place + 1) * nParts));
}

// ---- nominal: a bar for each category, under the branch that it takes ----------------

function categoryBars(node, data) {
  const bars = groupsOf(data.bars);
  const most = Math.max(...bars.map(weightOf), 1e-300);
  const rows = data.categories.map((name, place) =>
    make(
      "tr", {},
      make("th", { scope: "row", title: name }, name),
      make("td", {}, stackedBar(bars[place], weightOf(bars[place]) / most)),
      make("td", { class: "number" }, weightText(weightOf(bars[place]))),
      make("td", { class: "quiet" }, branchWords(node, data.codes[place])),
    ),
  );
  return make("table", { class: "category-bars" }, make("tbody", {}, rows));
}

// Where a category goes, if that is not its own branch.
function branchWords(node, code) {
  if (![KIND.SUBSET, KIND.GROUPS].includes(tree.kind[node])) return "";
  const own = tree.set_codes.subarray(tree.set_start[node], tree.set_start[node + 1]);
  const branch = tree.kind[node] === KIND.GROUPS ? own[code] : own.includes(code) ? 0 : 1;
  return `branch ${branch + 1}`;
}

export function stackedBar(statistics, share) {
  const bar = make("span", { class: "stack", style: { width: `${(100 * share).toFixed(1)}%` } });
  const total = weightOf(statistics);
  if (!isClasses) {
    bar.append(make("i", { style: { flex: "1", background: "var(--accent)" } }));
    return bar;
  }
  statistics.forEach((weight, code) => {
    if (weight > 0) {
      const title = `${className(code)} ${weightText(weight)}`;
      bar.append(make("i", { title, style: { flex: String(weight / total), background: classColour(code) } }));
    }
  });
  return bar;
}

// ---- numbers -------------------------------------------------------------------------

function cutPicture(node, data) {
  const own = tree.threshold[node];
  const lowest = Math.min(data.low, own);
  const range = Math.max(data.high, own) - lowest || 1;
  const at = (value) => SIZE.left + ((value - lowest) / range) * WIDE;
  const cuts = cutTable(node, data);
  const drawing = makeSvg("svg", { viewBox: `0 0 ${SIZE.width} ${FLOOR + 20}`, class: "cuts" });
  drawing.append(...barShapes(data, at), ...curveShapes(cuts, at), ...axisShapes(lowest, lowest + range, at));
  const line = makeSvg("line", { class: "cut", y1: 2, y2: FLOOR });
  const grip = makeSvg("circle", { class: "grip", cy: FLOOR - 4, r: 6 });
  const dot = makeSvg("circle", { class: "dot", r: 3.5 });
  const handle = makeSvg(
    "g",
    { role: "slider", tabindex: "0", "aria-label": "cut", class: "handle" },
    makeSvg("rect", { y: 0, width: 24, height: FLOOR, fill: "transparent" }), line, dot, grip,
  );
  drawing.append(handle);
  const words = make("div", { class: "cut-words", "aria-live": "polite" });
  const chosen = nearest(cuts, own);
  let place = chosen;
  const move = (to) => {
    place = Math.min(Math.max(to, 0), cuts.length - 1);
    const { threshold, gain } = cuts[place];
    const x = at(threshold);
    for (const [shape, name] of [[line, "x1"], [line, "x2"], [grip, "cx"], [dot, "cx"]]) shape.setAttribute(name, x);
    handle.firstChild.setAttribute("x", x - 12);
    dot.setAttribute("cy", curveHeight(gain, cuts));
    handle.setAttribute("aria-valuenow", threshold);
    handle.setAttribute("aria-valuetext", `cut ${short(threshold)}, gain ${fixed(gain)}`);
    words.replaceChildren(...sideWords(node, cuts[place], place === chosen, cuts[chosen]));
  };
  if (cuts.length) {
    move(chosen);
    const valueAt = (x) => lowest + ((x - SIZE.left) / WIDE) * range;
    dragging(drawing, handle, {
      to: (x) => move(nearest(cuts, valueAt(x))), by: (steps) => move(place + steps), back: () => move(chosen),
    });
  }
  const few = data.nCuts > cuts.length ? `; ${weightText(cuts.length)} of ${weightText(data.nCuts)} cuts drawn` : "";
  const key = quiet(`above: gain of each cut${few}; drag the line to try another`);
  return make("div", {}, drawing, words, key);
}

// Every cut that is drawn, with the statistics of its sides and its gain.
function cutTable(node, data) {
  const bars = groupsOf(data.bars);
  const whole = Array.from({ length: nParts }, (_, part) => sum(bars.map((bar) => bar[part])));
  const name = features[tree.feature[node]].name;
  const chalked = chalkOf(node)?.candidates?.find(({ feature }) => feature === name)?.cuts ?? [];
  const known = new Map(chalked.map(({ threshold, gain }) => [threshold, gain]));
  return groupsOf(data.left).map((left, place) => {
    const right = minus(whole, left);
    const threshold = data.cuts[place];
    return { threshold, left, right, gain: known.get(threshold) ?? gainOf([left, right], data.missing) };
  });
}

function nearest(cuts, value) {
  let best = 0;
  cuts.forEach(({ threshold }, place) => {
    if (Math.abs(threshold - value) < Math.abs(cuts[best].threshold - value)) best = place;
  });
  return best;
}

function barShapes(data, at) {
  const bars = groupsOf(data.bars);
  const most = Math.max(...bars.map(weightOf), 1e-300);
  const width = (data.high - data.low) / Math.max(bars.length, 1);
  return bars.flatMap((bar, place) => {
    let y = FLOOR;
    const x = at(data.low + place * width);
    const wide = Math.max(at(data.low + (place + 1) * width) - x - 0.6, 0.8);
    return (isClasses ? bar : [bar[0]]).map((weight, code) => {
      const height = (weight / most) * SIZE.bars;
      y -= height;
      const colour = isClasses ? classColour(code) : "var(--accent)";
      return makeSvg("rect", { x, y, width: wide, height, fill: colour });
    });
  });
}

function curveHeight(gain, cuts) {
  const best = Math.max(...cuts.map((cut) => cut.gain), 1e-300);
  return SIZE.curve - (Math.max(gain, 0) / best) * (SIZE.curve - 8);
}

function curveShapes(cuts, at) {
  if (cuts.length === 0) return [];
  const points = cuts.map(({ threshold, gain }) => `${at(threshold).toFixed(1)},${curveHeight(gain, cuts).toFixed(1)}`);
  return [
    makeSvg("line", { class: "axis", x1: SIZE.left, x2: SIZE.width - SIZE.right, y1: SIZE.curve, y2: SIZE.curve }),
    makeSvg("polyline", { class: "gain", points: points.join(" ") }),
    ...(cuts.length < 40 ? points.map((point) => {
      const [cx, cy] = point.split(",");
      return makeSvg("circle", { class: "gain", cx, cy, r: 1.6 });
    }) : []),
  ];
}

function axisShapes(low, high, at) {
  const texts = [[low, "start"], [(low + high) / 2, "middle"], [high, "end"]];
  return [
    makeSvg("line", { class: "axis", x1: SIZE.left, x2: SIZE.width - SIZE.right, y1: FLOOR, y2: FLOOR }),
    ...texts.map(([value, anchor]) =>
      makeSvg("text", { x: at(value), y: FLOOR + 14, "text-anchor": anchor }, short(value))),
  ];
}

function sideWords(node, cut, isOwn, own) {
  const first = tree.first_child[node];
  const tried = ["≤", ">"].map((sign) => `${sign} ${short(cut.threshold)}`);
  const names = isOwn ? [answerText(first), answerText(first + 1)] : tried;
  const line = (name, statistics) => make("div", {}, make("b", {}, name), " ", sideText(statistics));
  const less = isOwn ? " (the tree's cut)" : ` (the tree's cut: ${fixed(own.gain)})`;
  const gain = make("div", {}, "gain ", make("b", {}, fixed(cut.gain)), less);
  return [gain, line(names[0], cut.left), line(names[1], cut.right)];
}

function sideText(statistics) {
  if (!isClasses) {
    const [weight, total] = statistics;
    return `${weightText(weight)} rows, mean ${short(tree.value[0] + (weight > 0 ? total / weight : 0))}`;
  }
  if (nClasses > 6) return `${weightText(sum(statistics))} rows`;
  return countChips(statistics.map((weight, code) => ({ name: className(code), weight })));
}

// Pointer and keys on the line.
function dragging(drawing, handle, { to, by, back }) {
  const follow = (event) => {
    const frame = drawing.getBoundingClientRect();
    to(((event.clientX - frame.left) / frame.width) * SIZE.width);
  };
  drawing.addEventListener("pointerdown", (event) => {
    drawing.setPointerCapture(event.pointerId);
    follow(event);
    event.preventDefault();
    handle.focus();
  });
  drawing.addEventListener("pointermove", (event) => {
    if (drawing.hasPointerCapture(event.pointerId)) follow(event);
  });
  handle.addEventListener("keydown", (event) => {
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1, PageDown: -10, PageUp: 10 };
    if (event.key in steps) by(steps[event.key]);
    else if (event.key === "Escape" || event.key === "Home") back();
    else return;
    event.preventDefault();
  });
}
