// The tree by keyboard: arrows walk, Enter opens the card, space folds.
import { emit } from "./base.js";
import { tree } from "./arrays.js";
import { isLeaf, isOpen, select, state, toggle, visibleNodes } from "./state.js";
import { fit, picture, zoom } from "./tree_view.js";

export function treeKeys() {
  picture.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    const node = action(state.selected);
    if (typeof node !== "number") return;
    select(node);
    document.getElementById(`node-${node}`)?.focus({ preventScroll: true });
  });
}

const actions = {
  ArrowDown: (node) => neighbour(node, 1),
  ArrowUp: (node) => neighbour(node, -1),
  ArrowRight: (node) => {
    if (isLeaf(node)) return node;
    if (isOpen(node)) return tree.first_child[node];
    toggle(node);
    return node;
  },
  ArrowLeft: (node) => {
    if (isOpen(node)) {
      toggle(node);
      return node;
    }
    return Math.max(tree.parent[node], 0);
  },
  Home: () => 0,
  End: () => visibleNodes().at(-1),
  Enter: () => emit("card", { focus: true }),
  " ": (node) => {
    toggle(node);
    return node;
  },
  "+": () => zoom(1.25),
  "-": () => zoom(0.8),
  0: () => fit(),
};

function neighbour(node, by) {
  const nodes = visibleNodes();
  const place = nodes.indexOf(node) + by;
  return nodes[Math.min(Math.max(place, 0), nodes.length - 1)];
}
