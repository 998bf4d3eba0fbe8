// The rules: one line per leaf, the conditions on a feature as one; sortable.
import { count, dot, emit, fill, isClasses, make, on, percent, short, weightText } from "./base.js";
import { classWeights, tree } from "./arrays.js";
import { classColour } from "./palette.js";
import { isLeaf, select, setMarked, state } from "./state.js";
import { labelOf, predictionText, ruleText, wrongAt } from "./words.js";

const MOST_SHOWN = 200;
const SORTS = {
  tree: { words: "as in the tree", by: null },
  cover: { words: "most rows", by: (node) => -tree.weight[node] },
  errors: isClasses
    ? { words: "most errors", by: (node) => -wrongAt(node) }
    : { words: "largest spread", by: (node) => -tree.impurity[node] },
  answer: { words: "answer", by: (node) => (isClasses ? labelOf(node) : classWeights(node)[0]) },
};

const list = make("ol", { class: "rules" });
const note = make("p", { class: "quiet" });
let sortName = "tree";

export function rulesPanel(panel) {
  const choice = make(
    "select",
    { id: "rule-order", onchange: () => { sortName = choice.value; show(); } },
    Object.entries(SORTS).map(([name, { words }]) => make("option", { value: name }, words)),
  );
  panel.append(
    make("h2", {}, "Rules"),
    make("div", { class: "buttons" }, make("label", { for: "rule-order" }, "order "), choice,
      make("button", { type: "button", onclick: () => emit("save-rules") }, "Save as text")),
    note, list,
  );
  on("step", show);
  on("marked", () => {
    for (const item of list.children) item.classList.toggle("marked", state.marked.has(Number(item.dataset.node)));
  });
  show();
}

// The leaves of the tree of the present step, left to right.
export function leavesInOrder() {
  const found = [];
  const stack = [0];
  while (stack.length) {
    const node = stack.pop();
    if (isLeaf(node)) {
      found.push(node);
      continue;
    }
    for (let branch = tree.n_children[node] - 1; branch >= 0; branch--) stack.push(tree.first_child[node] + branch);
  }
  return found;
}

function show() {
  const leaves = leavesInOrder();
  const { by } = SORTS[sortName];
  if (by) {
    const keys = new Map(leaves.map((node) => [node, by(node)]));
    leaves.sort((one, other) => keys.get(one) - keys.get(other) || one - other);
  }
  fill(list, leaves.slice(0, MOST_SHOWN).map(ruleItem));
  const shown = leaves.length > MOST_SHOWN ? `; the first ${MOST_SHOWN} are shown` : "";
  note.textContent = `${count(leaves.length, "rule")}${shown}. A click marks the leaf.`;
}

function ruleItem(node) {
  const colour = isClasses ? classColour(labelOf(node)) : "var(--accent)";
  const item = make(
    "li",
    { "data-node": node, class: state.marked.has(node) ? "marked" : "" },
    make(
      "button",
      { type: "button", class: "rule", onclick: () => { setMarked([node]); select(node); } },
      make("span", { class: "if" }, ruleText(node)),
      make("span", { class: "then" }, dot(colour), make("b", {}, predictionText(node)), ` ${coverWords(node)}`),
    ),
  );
  return item;
}

export function coverWords(node) {
  const rows = count(tree.n_rows[node], "row");
  if (!isClasses) return `${rows}, ± ${short(Math.sqrt(Math.max(tree.impurity[node], 0)))}`;
  const wrong = wrongAt(node);
  if (!(tree.weight[node] > 0)) return "no training rows";
  if (wrong <= 0) return `${rows}, none wrong`;
  return `${rows}, ${weightText(wrong)} wrong (${percent(wrong / tree.weight[node])})`;
}

