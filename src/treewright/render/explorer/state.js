// What the reader has chosen: node, folds, pruning step, lit path, panel.
import { emit, page } from "./base.js";
import { children, KIND, pathTo, tree } from "./arrays.js";

export const MOST_VISIBLE = 150;
const MOST_UNFOLDED = 1500;
const MOST_LEVELS = 60; // that are drawn above a chosen node; of more, the last few
const LEVELS_ABOVE = 8;

export const state = {
  selected: 0,
  top: 0, // the node from which on the tree is drawn
  step: -1, // of the pruning path; -1: the tree as it was grown
  direction: "down",
  panel: "node",
  open: new Set(), // inner nodes whose branches are drawn
  lit: new Map(), // nodes on the way of a row, with the part of it that comes there
  marked: new Set(), // nodes that a rule, a search or a cell of a table speaks of
  aboveMarked: new Set(), // the nodes on the ways to them
  usual: null, // what is open, and which way round, in a fresh page
  lesson: null, // the place of the lesson's step; null: no lesson
};

export const pruning = page.pruning;

// Whether a node is a leaf in the tree of the present step.
export function isLeaf(node) {
  if (tree.kind[node] === KIND.LEAF) return true;
  return Boolean(pruning) && state.step >= 0 && pruning.lastStep[node] <= state.step;
}

export function isOpen(node) {
  return state.open.has(node) && !isLeaf(node);
}

// Opens nodes from the root on, the heaviest first, while not too many are seen.
export function openTop(most = MOST_VISIBLE) {
  state.open.clear();
  state.top = 0;
  let visible = 1;
  let level = [0];
  while (level.length) {
    const inner = level.filter((node) => !isLeaf(node));
    inner.sort((one, other) => tree.weight[other] - tree.weight[one] || one - other);
    const next = [];
    for (const node of inner) {
      if (visible + tree.n_children[node] > most) continue;
      visible += tree.n_children[node];
      state.open.add(node);
      next.push(...children(node));
    }
    level = next;
  }
  return visible;
}

// The nodes that are drawn, parents before their branches, left to right.
export function visibleNodes() {
  const found = [];
  const stack = [state.top];
  while (stack.length) {
    const node = stack.pop();
    found.push(node);
    if (isOpen(node)) {
      for (let branch = tree.n_children[node] - 1; branch >= 0; branch--) {
        stack.push(tree.first_child[node] + branch);
      }
    }
  }
  return found;
}

export function nodesInTree() {
  if (state.step < 0 || !pruning) return tree.n;
  let n = 1;
  const stack = [0];
  while (stack.length) {
    const node = stack.pop();
    if (isLeaf(node)) continue;
    n += tree.n_children[node];
    stack.push(...children(node));
  }
  return n;
}

export function toggle(node) {
  if (isLeaf(node)) return;
  if (state.open.has(node)) state.open.delete(node);
  else state.open.add(node);
  emit("shape");
}

// Opens everything above a node, so that it is seen. Deep down the tree is drawn from a
// node that is not far above.
export function reveal(node) {
  const path = pathTo(node);
  const before = state.top;
  if (!path.includes(state.top)) state.top = 0;
  if (path.length - path.indexOf(state.top) > MOST_LEVELS) state.top = path.at(-1 - LEVELS_ABOVE);
  let changed = state.top !== before;
  for (const at of path.slice(path.indexOf(state.top), -1)) {
    if (!state.open.has(at)) changed = true;
    state.open.add(at);
  }
  if (changed) emit("shape");
}

// Opens the subtree under a node as far as a page can draw it; tells if that is all.
export function openBelow(top) {
  let n = visibleNodes().length;
  const queue = [top];
  for (let place = 0; place < queue.length; place++) {
    const node = queue[place];
    if (isLeaf(node)) continue;
    if (!state.open.has(node)) n += tree.n_children[node];
    if (n > MOST_UNFOLDED) return false;
    state.open.add(node);
    queue.push(...children(node));
  }
  return true;
}

export function select(node, { show = true } = {}) {
  // a node that is pruned away is shown by what took its place
  const seen = pathTo(node);
  const leaf = seen.findIndex(isLeaf);
  state.selected = leaf >= 0 ? seen[leaf] : node;
  reveal(state.selected);
  emit("selected", { node: state.selected, show });
}

export function setStep(step) {
  state.step = step;
  emit("step");
  emit("shape");
  select(state.selected, { show: false });
}

export function setMarked(nodes) {
  state.marked = new Set(nodes);
  state.aboveMarked = new Set();
  for (const node of nodes) {
    for (let at = tree.parent[node]; at >= 0 && !state.aboveMarked.has(at); at = tree.parent[at]) {
      state.aboveMarked.add(at);
    }
  }
  emit("marked");
}
