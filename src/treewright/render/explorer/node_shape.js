// How a node and the link to it are drawn.
import { clipped, features, isClasses, makeSvg, sum, target, weightText } from "./base.js";
import { classWeights, tree } from "./arrays.js";
import { classColour, numberColour } from "./palette.js";
import { isLeaf, isOpen, state } from "./state.js";
import { answerText, featureOf, labelOf, nodeSummary, predictionText, weightsOf } from "./words.js";

const PAD = 8;

const measure = document.createElement("canvas").getContext("2d");
const fonts = {
  strong: "600 12.5px system-ui, sans-serif",
  label: "11.5px system-ui, sans-serif",
};

// Wide enough for the names, within reason.
const names = [...features.map(({ name }) => name), ...(target.classes[0] ?? []).map((name) => `●● ${name}`)];
const widest = Math.max(...names.slice(0, 200).map((name) => textWidth(name.slice(0, 40), "strong")));
export const BOX = { width: Math.round(Math.min(Math.max(widest + 2 * PAD + 2, 104), 172)), height: 46 };

// A text cut to a width, with an ellipsis.
export function fitted(text, width, font) {
  measure.font = fonts[font];
  const start = text.slice(0, 200);
  if (start === text && measure.measureText(text).width <= width) return text;
  let [low, high] = [1, start.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (measure.measureText(clipped(start, middle)).width <= width) low = middle;
    else high = middle - 1;
  }
  return clipped(start, low);
}

export function textWidth(text, font) {
  measure.font = fonts[font];
  return measure.measureText(text).width;
}

// The group of a node, its middle top at (0, 0).
export function nodeShape(node) {
  const left = -BOX.width / 2;
  const leaf = isLeaf(node);
  const head = leaf ? predictionText(node) : featureOf(node).name;
  const swatch = leaf && isClasses;
  const inset = swatch ? PAD + 14 : PAD;
  const group = makeSvg(
    "g",
    {
      class: `node ${leaf ? "leaf" : "inner"}`,
      role: "treeitem",
      tabindex: "-1",
      id: `node-${node}`,
      "data-node": node,
      "aria-level": tree.depth[node] + 1,
      "aria-expanded": leaf ? null : String(isOpen(node)),
      "aria-label": nodeSummary(node),
    },
    makeSvg("rect", { class: "box", x: left, width: BOX.width, height: BOX.height, rx: leaf ? 14 : 5 }),
    swatch ? makeSvg("circle", { class: "swatch", cx: left + PAD + 5, cy: 14, r: 5, fill: classColour(labelOf(node)) }) : null,
    makeSvg("text", { class: "head", x: left + inset, y: 18 }, fitted(head, BOX.width - inset - PAD, "strong")),
    makeSvg("text", { class: "unknown", x: left + PAD, y: 18 }, "?"),
    makeSvg("text", { class: "rows", x: left + PAD, y: 32 }, rowsText(node)),
    isClasses ? shareBar(node, left) : spreadBox(node, left),
    leaf ? null : foldHandle(node),
    makeSvg("title", {}, nodeSummary(node)),
  );
  return group;
}

function rowsText(node) {
  const rows = tree.n_rows[node];
  return `${weightText(rows)} row${rows === 1 ? "" : "s"}`;
}

// The classes' shares as one bar.
function shareBar(node, left) {
  const width = BOX.width - 2 * PAD;
  const bar = makeSvg("g", { class: "shares" });
  const weights = weightsOf(node);
  const total = sum(weights);
  bar.append(makeSvg("rect", { class: "empty", x: left + PAD, y: 37, width, height: 4, rx: 2 }));
  let from = 0;
  weights.forEach((weight, code) => {
    if (!(weight > 0)) return;
    const long = (weight / total) * width;
    bar.append(makeSvg("rect", { x: left + PAD + from, y: 37, width: long, height: 4, fill: classColour(code) }));
    from += long;
  });
  return bar;
}

// A number: the node's mean and spread within the range of all nodes.
function spreadBox(node, left) {
  const width = BOX.width - 2 * PAD;
  const share = (number) => Math.min(Math.max((number - lowest) / (highest - lowest || 1), 0), 1);
  const at = (number) => left + PAD + width * share(number);
  const mean = classWeights(node)[0];
  const own = deviation(node);
  const colour = numberColour(share(mean));
  return makeSvg(
    "g",
    { class: "shares" },
    makeSvg("rect", { class: "empty", x: left + PAD, y: 38.5, width, height: 1.5 }),
    makeSvg("rect", {
      x: at(mean - own), y: 36.5, rx: 1, height: 5, fill: colour, opacity: 0.5,
      width: Math.max(at(mean + own) - at(mean - own), 1),
    }),
    makeSvg("rect", { x: at(mean) - 1.25, y: 35.5, width: 2.5, height: 7, fill: colour }),
  );
}

function deviation(node) {
  return Math.sqrt(Math.max(tree.impurity[node], 0));
}

let [lowest, highest] = [Infinity, -Infinity];
for (let node = 0; node < tree.n && !isClasses; node++) {
  lowest = Math.min(lowest, classWeights(node)[0] - deviation(node));
  highest = Math.max(highest, classWeights(node)[0] + deviation(node));
}

// The button at the end of a node that opens and closes it.
function foldHandle(node) {
  const open = isOpen(node);
  const words = open ? "–" : `+${weightText(tree.size[node] - 1)}`;
  const width = open ? 16 : Math.max(20, textWidth(words, "label") + 10);
  const down = state.direction === "down";
  const [x, y] = down ? [0, BOX.height] : [BOX.width / 2 + (open ? 0 : width / 2 - 6), BOX.height / 2];
  return makeSvg(
    "g",
    { class: `fold ${open ? "open" : "closed"}`, "data-fold": node },
    makeSvg("rect", { x: x - width / 2, y: y - 8, width, height: 16, rx: 8 }),
    makeSvg("text", { x, y: y + 4 }, words),
  );
}

// The link from a parent at `from` to its branch at `to`, with the answer at its end.
export function linkShape(node, from, to, direction) {
  const share = tree.weight[0] > 0 ? tree.weight[node] / tree.weight[0] : 0;
  const path = direction === "down" ? curveDown(from, to) : curveRight(from, to);
  const room = direction === "down" ? BOX.width + 4 : 104;
  const words = fitted(answerText(node), room, "label");
  const at = direction === "down"
    ? { x: to.x, y: to.y - 9 }
    : { x: to.x - BOX.width / 2 - 10 - textWidth(words, "label") / 2, y: to.y + BOX.height / 2 - 6 };
  const long = textWidth(words, "label") + 8;
  const drawn = makeSvg("path", { class: "link", d: path, "stroke-width": (1.2 + 12 * share).toFixed(2) });
  const label = makeSvg(
    "g",
    { class: "answer" },
    makeSvg("rect", { x: at.x - long / 2, y: at.y - 12, width: long, height: 16, rx: 3 }),
    makeSvg("text", { x: at.x, y: at.y }, words),
  );
  return { drawn, label };
}

function curveDown(from, to) {
  const [top, bottom] = [from.y + BOX.height, to.y];
  const middle = top + (bottom - top) * 0.45;
  return `M${from.x},${top} C${from.x},${middle} ${to.x},${middle} ${to.x},${bottom}`;
}

function curveRight(from, to) {
  const [left, right] = [from.x + BOX.width / 2, to.x - BOX.width / 2];
  const [one, other] = [from.y + BOX.height / 2, to.y + BOX.height / 2];
  const middle = left + (right - left) * 0.35;
  return `M${left},${one} C${middle},${one} ${middle},${other} ${right},${other}`;
}
