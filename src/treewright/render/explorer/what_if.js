// What-if: a form with one control per feature; the path lights up and the answer is
// computed by the same walk as in Python.
import { dot, emit, features, fill, isClasses, linkButton, make, on } from "./base.js";
import { page, percent, quiet, short } from "./base.js";
import { pathTo, tree } from "./arrays.js";
import { cellOf } from "./cells.js";
import { nearestChange, rangeOf } from "./nearest_change.js";
import { classColour, className } from "./palette.js";
import { isLeaf, reveal, select, state } from "./state.js";
import { codesAt, numbersAt, probabilitiesAt } from "./vote.js";
import { endsOf } from "./walk.js";

const UNSEEN = "\u0000unseen"; // no category is called so
const asked = new Set(tree.feature.filter((feature) => feature >= 0));

export const form = { row: {}, cells: [], active: false };
const controls = [];
const result = make("div", { id: "answer", "aria-live": "polite" });

export function whatIfPanel(panel) {
  features.forEach((feature, number) => {
    form.row[feature.key] = startValue(number);
    controls.push(control(feature, number));
  });
  const used = controls.filter((_, number) => asked.has(number));
  const unused = controls.filter((_, number) => !asked.has(number));
  panel.append(make("h2", {}, "What if?"), result, make("div", { class: "form" }, used));
  if (unused.length) {
    const summary = make("summary", {}, `${unused.length} more, never asked about`);
    panel.append(make("details", {}, summary, make("div", { class: "form" }, unused)));
  }
  on("step", update);
  on("panel", (name) => {
    form.active = name === "what-if";
    update();
  });
  update();
}

function startValue(number) {
  const feature = features[number];
  const known = page.rows?.ranges[number];
  if (feature.kind !== "numeric" && !feature.intervals) {
    return feature.labels[typeof known === "number" ? known : 0] ?? null;
  }
  if (feature.storage?.startsWith("datetime")) return null;
  if (isWide(feature)) return feature.cuts[0] ?? null;
  if (feature.intervals) return feature.cuts.length ? Number(feature.cuts[0]) : null;
  return Number(short(rangeOf(number).middle));
}

function control(feature, number) {
  const id = `what-if-${number}`;
  const isNumber = feature.kind === "numeric" || feature.intervals;
  const input = !isNumber ? categoryInput : isWide(feature) ? textInput : numberInput;
  const label = make("label", { for: id }, feature.name);
  return make("div", { class: "control" }, label, input(feature, number, id));
}

// Dates and 64-bit integers: more digits than a slider can give.
function isWide(feature) {
  return Boolean(feature.storage) && feature.storage !== "float64";
}

function set(number, value) {
  form.row[features[number].key] = value;
  form.active = true;
  update();
}

function missingBox(number, enable, current) {
  const box = make("input", {
    type: "checkbox", "aria-label": `${features[number].name} is missing`,
    onchange: () => {
      enable(!box.checked);
      set(number, box.checked ? null : current());
    },
  });
  if (page.missing === "error") box.disabled = true;
  return make("label", { class: "missing" }, box, "missing");
}

function numberInput(feature, number, id) {
  const { low, high } = feature.intervals ? intervalRange(feature) : rangeOf(number);
  const start = form.row[feature.key];
  const step = niceStep((high - low) / 200);
  const field = make("input", { type: "number", id, step: "any", value: start, oninput: () => typed() });
  const range = make("input", {
    type: "range", "aria-label": `${feature.name}, slider`, min: low, max: high, step, value: start, oninput: () => slid(),
  });
  const value = () => (field.value === "" ? null : Number(field.value));
  const label = missingBox(number, (usable) => [field, range].forEach((each) => (each.disabled = !usable)), value);
  const typed = () => {
    if (field.value !== "") range.value = field.value;
    set(number, value());
  };
  const slid = () => {
    field.value = String(Number(Number(range.value).toPrecision(8)));
    set(number, value());
  };
  return make("div", { class: "inputs" }, range, field, label);
}

function intervalRange(feature) {
  const cuts = feature.cuts.map(Number);
  if (cuts.length === 0) return { low: 0, high: 1 };
  const room = (cuts.at(-1) - cuts[0]) * 0.3 || 1;
  return { low: cuts[0] - room, high: cuts.at(-1) + room };
}

function niceStep(rough) {
  return 10 ** Math.floor(Math.log10(rough || 1e-9));
}

function textInput(feature, number, id) {
  const dates = feature.storage.startsWith("datetime");
  const input = make("input", {
    type: "text", id, value: form.row[feature.key] ?? "", placeholder: dates ? "YYYY-MM-DD" : "a whole number",
    oninput: () => set(number, input.value.trim() || null),
  });
  return make("div", { class: "inputs" }, input);
}

function categoryInput(feature, number, id) {
  const list = make("select", { id, onchange: () => set(number, chosen()) });
  feature.categories.forEach((name, code) => list.append(make("option", { value: code }, name)));
  if (page.missing !== "error") list.append(make("option", { value: "missing" }, "(missing)"));
  if (page.unseen !== "error") list.append(make("option", { value: "unseen" }, "(a value never seen)"));
  const chosen = () => {
    if (list.value === "missing") return null;
    return list.value === "unseen" ? UNSEEN : feature.labels[Number(list.value)];
  };
  list.value = String(Math.max(feature.labels.indexOf(form.row[feature.key]), 0));
  return make("div", { class: "inputs" }, list);
}

function update() {
  try {
    form.cells = features.map((feature, number) => cellOf(number, form.row[feature.key]));
    const ends = endsOf(form.cells, isLeaf);
    lightUp(form.active ? ends[0] : []);
    fill(result, ...answerParts(ends));
  } catch (error) {
    lightUp([]);
    fill(result, make("p", { class: "warning" }, error.message));
  }
}

// Lights the paths to where the row ends; a part of it lights a little.
function lightUp(parts) {
  state.lit = new Map();
  for (const { node, weight } of parts) {
    if (parts.length === 1) reveal(node);
    for (const at of pathTo(node)) state.lit.set(at, (state.lit.get(at) ?? 0) + weight);
  }
  emit("lit");
}

function answerParts(ends) {
  const parts = ends[0];
  const where = quiet(endWords(parts), " ");
  if (parts.length === 1) {
    where.append(linkButton(`node ${parts[0].node}`, () => select(parts[0].node)));
  }
  if (!isClasses) return [make("p", { class: "big" }, numbersAt(ends).map(short).join(", ")), where, changeWords(ends)];
  const codes = codesAt(ends);
  const shares = probabilitiesAt(ends, page.smoothing)[0];
  const order = shares.map((_, code) => code).sort((one, other) => shares[other] - shares[one]).slice(0, 8);
  const bars = order.map((code) => {
    const cell = make("td", { class: "number bar" }, percent(shares[code]));
    cell.style.setProperty("--share", shares[code]);
    cell.style.setProperty("--bar", classColour(code));
    return make("tr", {}, make("th", { scope: "row" }, dot(classColour(code)), className(code)), cell);
  });
  const words = codes.map((code, output) => className(code, output)).join(", ");
  return [
    make("p", { class: "big" }, dot(classColour(codes[0])), words),
    make("table", { class: "classes" }, make("tbody", {}, bars)),
    where,
    changeWords(),
  ];
}

function endWords(parts) {
  if (parts.length > 1 || parts.divided) return `divided among ${parts.length} nodes, as a value is missing`;
  return isLeaf(parts[0].node) ? "ends at" : "its value cannot be followed: stops at";
}

function changeWords() {
  const found = nearestChange(form.cells);
  if (!found) return quiet("No change of a single value gives another answer.");
  const feature = features[found.feature];
  const to = cellWords(feature, found.cell);
  const answer = [found.answer].flat().map((each) => (isClasses ? String(each) : short(each))).join(", ");
  const change = make("b", {}, `${feature.name} ${to}`);
  return make("p", {}, "Nearest change that gives another answer: ", change, ` → ${answer}`);
}

function cellWords(feature, cell) {
  if (feature.kind !== "numeric") return `= ${feature.categories[cell]}`;
  if (!feature.storage) return `= ${short(cell)}`;
  const cut = feature.cuts[Math.min(cell, feature.cuts.length - 1)];
  return cell < feature.cuts.length ? `≤ ${cut}` : `> ${cut}`;
}

