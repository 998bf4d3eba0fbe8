// The outline: every node as a line, drawn only where it is seen; and the search.
import { count, emit, fill, make, on, weightText } from "./base.js";
import { tree } from "./arrays.js";
import { isLeaf, select, setMarked, state } from "./state.js";
import { answerText, featureOf, predictionText } from "./words.js";

const HIGH = 26;
const list = make("div", { class: "outline-lines" });
const scroll = make("div", { class: "outline", tabindex: "0", "aria-label": "All nodes" }, list);
const note = make("p", { class: "quiet" });
let lines = [];

export const searchBox = make("input", {
  type: "search", id: "search", placeholder: "Search the nodes", "aria-label": "Search nodes",
  oninput: () => {
    search(searchBox.value);
    if (searchBox.value.trim()) emit("open-panel", "outline");
  },
});

export function outlinePanel(panel) {
  panel.append(make("h2", {}, "Outline"), note, scroll);
  scroll.addEventListener("scroll", drawLines, { passive: true });
  new ResizeObserver(drawLines).observe(scroll);
  on("step", () => search(searchBox.value));
  on("selected", drawLines);
  on("panel", drawLines);
  search("");
}

// The nodes of the tree of the present step, a parent before its branches.
function preorder() {
  const found = [];
  const stack = [0];
  while (stack.length) {
    const node = stack.pop();
    found.push(node);
    if (isLeaf(node)) continue;
    for (let branch = tree.n_children[node] - 1; branch >= 0; branch--) stack.push(tree.first_child[node] + branch);
  }
  return found;
}

function search(words) {
  const wanted = words.trim().toLowerCase();
  const all = preorder();
  lines = wanted ? all.filter((node) => matches(node, wanted)) : all;
  note.textContent = wanted
    ? `${count(lines.length, "node")} of ${weightText(all.length)} found`
    : `${count(all.length, "node")}; a click shows it in the tree`;
  setMarked(wanted ? lines : []);
  list.style.height = `${lines.length * HIGH}px`;
  scroll.scrollTop = 0;
  drawLines();
}

// A feature's name finds the nodes that ask about it; other words answers and classes.
function matches(node, wanted) {
  if (!isLeaf(node) && featureOf(node).name.toLowerCase().includes(wanted)) return true;
  if (isLeaf(node) && predictionText(node).toLowerCase().includes(wanted)) return true;
  return node > 0 && tree.values[node].toLowerCase().includes(wanted);
}

function drawLines() {
  const first = Math.max(Math.floor(scroll.scrollTop / HIGH) - 5, 0);
  const last = Math.min(first + Math.ceil((scroll.clientHeight || 600) / HIGH) + 10, lines.length);
  fill(list, lines.slice(first, last).map((node, place) => line(node, first + place)));
}

function line(node, place) {
  const what = isLeaf(node) ? `→ ${predictionText(node)}` : featureOf(node).name;
  return make(
    "button",
    {
      type: "button", class: `line ${node === state.selected ? "selected" : ""}`, "data-node": node,
      style: { top: `${place * HIGH}px`, paddingLeft: `${8 + 12 * Math.min(tree.depth[node], 14)}px` },
      onclick: () => select(node),
    },
    node > 0 ? make("span", { class: "quiet" }, `${answerText(node)} `) : "",
    make(isLeaf(node) ? "span" : "b", {}, what),
    make("span", { class: "quiet" }, ` ${weightText(tree.n_rows[node])}`),
  );
}
