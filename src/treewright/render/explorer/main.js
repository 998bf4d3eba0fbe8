// The page: header, panels, and what is called from outside.
import { dot, emit, fill, isClasses, leafCount, make, on } from "./base.js";
import { page, percent, sum, target, weightText } from "./base.js";
import { KIND, tree, trees } from "./arrays.js";
import { nodeCard } from "./card.js";
import { cellsOf } from "./cells.js";
import { evaluationPanel } from "./evaluation.js";
import { exports, rulesText, svgText } from "./export.js";
import { flowPanel } from "./flow.js";
import { lessonPanel } from "./lesson.js";
import { linkedState } from "./link.js";
import { outlinePanel, searchBox } from "./outline.js";
import { className, classColour, nClasses } from "./palette.js";
import { pruningPanel } from "./pruning.js";
import { leavesInOrder, rulesPanel } from "./rules.js";
import { isLeaf, setMarked, setStep, state } from "./state.js";
import { treeKeys } from "./tree_keys.js";
import { treeView } from "./tree_view.js";
import { answerAt, predict, predictProba } from "./vote.js";
import { endsOf } from "./walk.js";
import { whatIfPanel } from "./what_if.js";
import { wrongAt } from "./words.js";

const PANELS = {
  node: { title: "Node", build: nodeCard },
  "what-if": { title: "What if", build: whatIfPanel },
  pruning: { title: "Prune", build: pruningPanel },
  rules: { title: "Rules", build: rulesPanel },
  evaluation: { title: "Errors", build: evaluationPanel },
  flow: { title: "Flow", build: flowPanel },
  lesson: { title: "Lesson", build: lessonPanel },
  outline: { title: "Outline", build: outlinePanel },
};

function header() {
  fill(
    document.getElementById("head"),
    make("h1", {}, page.title),
    make("p", { id: "summary" }, summary()),
    isClasses ? legend() : null,
    make("div", { class: "actions" }, searchBox,
      make("button", { type: "button", title: "Save the tree as SVG", onclick: () => emit("save-svg") }, "Save SVG")),
  );
  document.title = `${page.title} – treewright`;
}

function summary() {
  const leaves = tree.kind.filter((kind) => kind === KIND.LEAF).length;
  const depth = tree.depth.reduce((most, each) => Math.max(most, each), 0);
  const whose = page.settings?.distilled_from === undefined ? "training" : "made";
  const words = [
    page.learner, leafCount(leaves), `depth ${depth}`, `${weightText(tree.n_rows[0])} ${whose} rows`,
  ];
  if (isClasses && target.names.length === 1) words.push(`${percent(trainingError())} of them wrong`);
  if (trees.length > 1) words.push(`the first of ${trees.length} trees that vote`);
  return words.join(" · ");
}

function trainingError() {
  const leaves = [];
  for (let node = 0; node < tree.n; node++) if (tree.kind[node] === KIND.LEAF) leaves.push(node);
  return sum(leaves.map(wrongAt)) / tree.weight[0];
}

function legend() {
  const some = Array.from({ length: Math.min(nClasses, 8) }, (_, code) =>
    make("span", {}, dot(classColour(code)), className(code)));
  const more = nClasses > 8 ? [make("span", {}, `and ${nClasses - 8} more`)] : [];
  return make("p", { class: "legend" }, make("span", { class: "quiet" }, target.names[0]), some, more);
}

// Tabs as readers of the screen know them: arrows go from one to the next.
function panels() {
  const side = document.getElementById("side");
  const tabs = make("div", { role: "tablist", "aria-label": "Panels", id: "tabs" });
  const built = new Set();
  side.append(tabs);
  for (const [name, { title }] of Object.entries(PANELS)) {
    const [tab, panel] = [`tab-${name}`, `panel-${name}`];
    const attributes = { type: "button", role: "tab", id: tab, "aria-controls": panel };
    tabs.append(make("button", { ...attributes, onclick: () => open(name) }, title));
    side.append(make("section", { role: "tabpanel", id: panel, "aria-labelledby": tab, hidden: true }));
  }
  const open = (name) => {
    const panel = document.getElementById(`panel-${name}`);
    if (!built.has(name)) {
      built.add(name);
      PANELS[name].build(panel);
    }
    for (const other of Object.keys(PANELS)) {
      const chosen = other === name;
      const tab = document.getElementById(`tab-${other}`);
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      document.getElementById(`panel-${other}`).hidden = !chosen;
    }
    const tab = document.getElementById(`tab-${name}`);
    tabs.scrollLeft = tab.offsetLeft - tabs.offsetLeft - 60; // where they are in one line
    const changed = state.panel !== name;
    state.panel = name;
    if (changed) emit("panel", name);
  };
  tabs.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const names = Object.keys(PANELS);
    const next = names[(names.indexOf(state.panel) + by + names.length) % names.length];
    open(next);
    document.getElementById(`tab-${next}`).focus();
    event.preventDefault();
  });
  on("open-panel", open);
  on("card", (detail) => {
    open("node");
    if (detail?.focus) document.getElementById("card-head")?.focus();
  });
  open("node");
}

function forgetMarks() {
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && state.marked.size) setMarked([]);
    if (event.key === "/" && !["INPUT", "SELECT"].includes(document.activeElement.tagName)) {
      searchBox.focus();
      event.preventDefault();
    }
  });
}

// What tests and the curious call.
window.treewright = {
  predict,
  predictProba,
  // by the tree of the present pruning step
  predictShown: (row) => answerAt(endsOf(cellsOf(row), isLeaf)),
  setStep,
  rulesText,
  svgText,
  leaves: leavesInOrder,
};

header();
treeView();
treeKeys();
panels();
exports();
linkedState(Object.keys(PANELS));
forgetMarks();
document.body.dataset.ready = "";
performance.mark("ready");
