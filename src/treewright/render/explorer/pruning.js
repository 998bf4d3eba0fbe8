// The pruning slider: the tree shrinks along its cost-complexity path, beside the error
// on the training rows and, where the page has them, on others.
import { fill, isClasses, leafCount, make, makeSvg, on, percent, quiet, short } from "./base.js";
import { KIND, tree } from "./arrays.js";
import { pruning, setStep, state } from "./state.js";

const SIZE = { width: 340, height: 170, left: 44, right: 8, top: 10, bottom: 26 };
const CURVES = [
  { key: "training", name: "training", kind: "training" },
  { key: "heldOut", name: "these rows", kind: "held-out" },
  { key: "crossValidation", name: "cross-validation", kind: "cross" },
];

// Where the grown tree itself is no step of the path, it stands before the first one.
export const firstStep = pruning?.lastStep.some((step, node) => step === 0 && tree.kind[node] !== KIND.LEAF) ? -1 : 0;

export function pruningPanel(panel) {
  if (!pruning || pruning.alphas.length < 2) {
    panel.append(quiet("There is nothing to prune: the tree has no steps between root and leaves."));
    return;
  }
  const last = pruning.alphas.length - 1;
  const slider = make("input", {
    type: "range", id: "step", min: firstStep, max: last, step: 1, value: Math.max(state.step, firstStep),
    "aria-label": "pruning step", oninput: () => setStep(Number(slider.value)),
  });
  const words = make("p", { class: "step-words" });
  const marker = makeSvg("line", { class: "cut", y1: SIZE.top, y2: SIZE.height - SIZE.bottom });
  const curves = curvesShown();
  const show = () => {
    const step = Math.max(state.step, firstStep);
    slider.value = step;
    marker.setAttribute("x1", xOf(step));
    marker.setAttribute("x2", xOf(step));
    fill(words, stepWords(step, curves));
    slider.setAttribute("aria-valuetext", words.textContent);
  };
  on("step", show);
  panel.append(
    make("h2", {}, "Pruning"),
    quiet("Cost complexity: to the right ever more nodes become leaves, the weakest first."),
    chart(curves, marker),
    make("div", { class: "slider-row" }, slider),
    words,
    make("div", { class: "buttons" }, jumpButtons(curves)),
    legend(curves),
  );
  if (state.step < firstStep) state.step = firstStep;
  show();
}

function curvesShown() {
  return CURVES.filter(({ key }) => pruning[key]).map((curve) => {
    const data = pruning[curve.key];
    return Array.isArray(data) ? { ...curve, error: data } : { ...curve, ...data };
  });
}

function stepWords(step, curves) {
  const at = Math.max(step, 0);
  const leaves = step < 0 ? tree.kind.filter((kind) => kind === KIND.LEAF).length : pruning.leaves[at];
  const errors = curves.map(({ name, error }) => `${name} ${errorText(error[at])}`).join(", ");
  const alpha = step < 0 ? "as it was grown" : `alpha ${short(pruning.alphas[at])}`;
  return [make("b", {}, leafCount(leaves)), `, ${alpha}. Error: ${errors}.`];
}

function errorText(error) {
  if (error === null) return "not known";
  return isClasses ? percent(error) : short(error);
}

function xOf(step) {
  const n = pruning.alphas.length - firstStep;
  const wide = SIZE.width - SIZE.left - SIZE.right;
  return SIZE.left + (n > 1 ? ((step - firstStep) / (n - 1)) * wide : 0);
}

function point(step, y) {
  return `${xOf(step).toFixed(1)},${y.toFixed(1)}`;
}

function chart(curves, marker) {
  const highest = Math.max(...curves.flatMap(({ error, standardError }) =>
    error.map((value, step) => (value ?? 0) + (standardError?.[step] ?? 0)))) || 1;
  const yOf = (error) => {
    const room = SIZE.height - SIZE.top - SIZE.bottom;
    return SIZE.top + room * (1 - Math.max(error, 0) / highest);
  };
  const drawing = makeSvg("svg", {
    viewBox: `0 0 ${SIZE.width} ${SIZE.height}`, class: "errors", role: "img", "aria-label": "error at each step",
  });
  drawing.append(...axes(highest, yOf));
  for (const curve of curves) {
    if (curve.standardError) drawing.append(band(curve, yOf));
    const points = curve.error.flatMap((error, step) => (error === null ? [] : [point(step, yOf(error))]));
    if (firstStep < 0) points.unshift(point(-1, yOf(curve.error[0] ?? 0)));
    drawing.append(makeSvg("polyline", { class: `curve ${curve.kind}`, points: points.join(" ") }));
    for (const [step, title] of [[curve.least, "least error"], [curve.oneStandardError, "within one standard error"]]) {
      if (step === undefined) continue;
      const at = { cx: xOf(step), cy: yOf(curve.error[step]), r: 4 };
      drawing.append(makeSvg("circle", { class: `curve ${curve.kind}`, ...at }, makeSvg("title", {}, title)));
    }
  }
  drawing.append(marker);
  drawing.addEventListener("pointerdown", (event) => {
    const frame = drawing.getBoundingClientRect();
    const x = ((event.clientX - frame.left) / frame.width) * SIZE.width;
    const share = (x - SIZE.left) / (SIZE.width - SIZE.left - SIZE.right);
    const n = pruning.alphas.length - firstStep;
    setStep(Math.min(Math.max(Math.round(share * (n - 1)) + firstStep, firstStep), pruning.alphas.length - 1));
  });
  return drawing;
}

function axes(highest, yOf) {
  const floor = SIZE.height - SIZE.bottom;
  const ticks = [0, highest / 2, highest].map((error) => {
    const words = isClasses ? percent(error) : String(Number(error.toPrecision(3)));
    return makeSvg("text", { x: SIZE.left - 5, y: yOf(error) + 3.5, "text-anchor": "end" }, words);
  });
  const grid = [0, highest / 2, highest].map((error) =>
    makeSvg("line", { class: "axis", x1: SIZE.left, x2: SIZE.width - SIZE.right, y1: yOf(error), y2: yOf(error) }));
  const last = pruning.alphas.length - 1;
  return [
    ...grid, ...ticks,
    makeSvg("text", { x: SIZE.left, y: floor + 16, "text-anchor": "start" }, "whole tree"),
    makeSvg("text", { x: xOf(last), y: floor + 16, "text-anchor": "end" }, "root alone"),
  ];
}

function band({ error, standardError, kind }, yOf) {
  const steps = error.map((_, step) => step);
  const upper = steps.map((step) => point(step, yOf(error[step] + standardError[step])));
  const lower = steps.reverse().map((step) => point(step, yOf(error[step] - standardError[step])));
  return makeSvg("polygon", { class: `band ${kind}`, points: [...upper, ...lower].join(" ") });
}

function jumpButtons(curves) {
  const button = (words, step) => make("button", { type: "button", onclick: () => setStep(step) }, words);
  const best = curves.filter(({ least }) => least !== undefined).flatMap(({ name, least, oneStandardError }) => [
    button(`least error (${name})`, least),
    button("one standard error", oneStandardError),
  ]);
  return [button("whole tree", firstStep), ...best];
}

function legend(curves) {
  return make("p", { class: "legend" }, curves.map(({ name, kind }) =>
    make("span", {}, make("i", { class: `key ${kind}` }), name)));
}

