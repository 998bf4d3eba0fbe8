// The gain table of a node: every candidate with its figures; a click on one shows the
// branches that it would make, and the formula.
import { features, fixed, make, short, weightText } from "./base.js";
import { classColour } from "./palette.js";

const COLUMNS = [
  { key: "remainder", head: "remainder" },
  { key: "gain", head: "gain" },
  { key: "net", head: "net gain" },
  { key: "split_information", head: "split info" },
  { key: "ratio", head: "ratio" },
];

// `step` is one of the chalk's; with `hidden` the figures are for the reader to find.
export function chalkTable(step, { hidden = false } = {}) {
  // in the order of the columns while the figures are hidden: the best must not be first
  const candidates = hidden ? inColumnOrder(step.candidates ?? []) : (step.candidates ?? []);
  if (candidates.length === 0) return make("p", { class: "quiet" }, leafWords(step));
  let columns = COLUMNS.filter(({ key }) => candidates.some((each) => isNumber(each[key])));
  if (columns.length > 3) columns = columns.slice(1); // the remainder is in the formula
  const compared = columns.at(-1)?.key;
  const best = Math.max(...candidates.map((each) => each[compared] ?? 0), 1e-300);
  const body = make("tbody");
  for (const candidate of candidates) {
    body.append(...candidateRows(step, candidate, { columns, hidden, best, compared }));
  }
  const head = make(
    "tr",
    {},
    make("th", { scope: "col" }, "feature"),
    columns.map(({ head: words }) => make("th", { scope: "col", class: "number" }, words)),
  );
  const table = make("table", { class: "chalk" }, make("thead", {}, head), body);
  const words = hidden ? "" : verdict(step);
  return make("div", { class: "wide" }, table, words ? make("p", { class: "verdict" }, words) : null);
}

function inColumnOrder(candidates) {
  const place = new Map(features.map(({ name }, number) => [name, number]));
  return candidates.slice().sort((one, other) => place.get(one.feature) - place.get(other.feature));
}

function isNumber(value) {
  return typeof value === "number" && Number.isFinite(value);
}

function candidateRows(step, candidate, { columns, hidden, best, compared }) {
  const chosen = candidate.feature === step.winner;
  const detail = make("tr", { class: "detail", hidden: true }, make("td", { colspan: columns.length + 1 }));
  if (!isNumber(candidate.gain)) {
    const why = make("td", { colspan: columns.length, class: "quiet" }, candidate.status ?? "");
    return [make("tr", { class: "left-out" }, make("th", { scope: "row" }, candidate.feature), why)];
  }
  const name = make(
    "button",
    { type: "button", class: "plain", "aria-expanded": "false", disabled: !candidate.branches },
    chosen && !hidden ? make("span", { class: "mark", "aria-label": "chosen" }, "▸ ") : null,
    candidate.feature + (hidden ? "" : cutWords(candidate)),
  );
  name.addEventListener("click", () => {
    detail.hidden = !detail.hidden;
    name.setAttribute("aria-expanded", String(!detail.hidden));
    if (!detail.hidden) detail.firstChild.replaceChildren(branchList(candidate, { hidden }));
  });
  const cells = columns.map(({ key }) => {
    const text = isNumber(candidate[key]) ? fixed(candidate[key]) : "–";
    const cell = make("td", { class: "number" }, hidden ? "?" : text);
    if (key === compared && !hidden && isNumber(candidate[key])) {
      cell.style.setProperty("--share", Math.max(0, candidate[key] / best));
      cell.classList.add("bar");
    }
    return cell;
  });
  const row = make("tr", { class: chosen && !hidden ? "chosen" : "" }, make("th", { scope: "row" }, name), cells);
  const status = hidden ? "" : statusWords(candidate.status);
  if (status) row.firstChild.append(make("small", {}, status));
  return [row, detail];
}

function cutWords({ cut, cut_text: text }) {
  if (text) return ` ≤ ${text}`;
  if (cut === null || cut === undefined) return "";
  const threshold = typeof cut === "object" ? cut.threshold : cut;
  return ` ≤ ${isNumber(threshold) ? short(threshold) : threshold}`;
}

function statusWords(status) {
  return !status || ["chosen", "candidate", "ok", "winner"].includes(status) ? "" : ` ${status}`;
}

function branchList({ branches = [], formula, formulas }, { hidden }) {
  const spelled = formulas ?? (formula ? [formula] : []);
  const rows = branches.map((branch) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, branch.name),
      make("td", { class: "number" }, weightText(branch.weight ?? branch.n_rows)),
      make("td", {}, isNumber(branch.mean) ? `mean ${short(branch.mean)}` : countChips(branch.counts ?? [])),
      make("td", { class: "number" }, hidden || !isNumber(branch.impurity) ? "" : fixed(branch.impurity)),
    ),
  );
  return make(
    "div",
    {},
    make("table", { class: "branches" }, make("tbody", {}, rows)),
    hidden ? null : spelled.map((words) => make("p", { class: "formula" }, words)),
  );
}

// Class weights as coloured numbers: ●3 ●2.
export function countChips(counts) {
  return make(
    "span",
    { class: "chips" },
    counts.map(({ name, weight, code }, place) =>
      make(
        "span",
        { class: "chip", title: name },
        make("i", { style: { background: classColour(code ?? place) } }),
        `${name} ${weightText(weight)}`,
      ),
    ),
  );
}

function verdict(step) {
  const words = [];
  if (step.n_more > 0) words.push(`${step.n_more} more features gain less.`);
  if (step.winner) {
    const second = step.runner_up ? `; next ${step.runner_up}` : "";
    const margin = isNumber(step.margin) ? `, ${fixed(step.margin)} less` : "";
    words.push(`${step.winner} is chosen${second}${second ? margin : ""}.`);
  }
  if (step.comparedBy && step.comparedBy !== "gain") words.push(`Compared by ${step.comparedBy}.`);
  if (step.ties?.length > 1) words.push(`Tie of ${step.ties.join(", ")}: ${step.drawn ? "the first drawn" : "the first column"} is taken.`);
  if (step.leaf_reason) words.push(leafWords(step));
  return words.join(" ");
}

export function leafWords(step) {
  const label = step.label ? ` It answers ${step.label}.` : "";
  return `Leaf: ${step.leaf_reason || "nothing to choose from"}.${label}`;
}
