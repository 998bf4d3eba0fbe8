// The tree as a picture: layout, folding, zoom. `tree_keys.js` has the keyboard.
import { count, emit, fill, linkButton, make, makeSvg, on, reducedMotion, say, weightText } from "./base.js";
import { children, tree } from "./arrays.js";
import { tidy } from "./layout.js";
import { BOX, linkShape, nodeShape } from "./node_shape.js";
import { nodeSummary } from "./words.js";
import { isOpen, MOST_VISIBLE, nodesInTree, openBelow, openTop, select, state, toggle, visibleNodes } from "./state.js";

const GAP = { down: { beside: 18, between: 56 }, right: { beside: 10, between: 122 } };
const [TOP, BOTTOM] = [52, 46]; // room for the tools and the notice
const LEAST_SCALE = 0.5; // smaller than this nobody reads
const SMALLEST_SCALE = 0.05;

const linkLayer = makeSvg("g", { class: "links", "aria-hidden": "true" });
const labelLayer = makeSvg("g", { class: "labels", "aria-hidden": "true" });
const nodeLayer = makeSvg("g", { class: "nodes", role: "tree", "aria-label": "Decision tree" });
const scene = makeSvg("g", {}, linkLayer, labelLayer, nodeLayer);
export const picture = makeSvg("svg", { id: "picture" }, scene);
export const overlay = make("canvas", { id: "overlay", "aria-hidden": "true" });
const notice = make("div", { id: "notice" });

export const view = { x: 0, y: 0, scale: 1 };
export const places = new Map(); // where each drawn node stands

export function treeView() {
  const stage = document.getElementById("stage");
  stage.append(picture, overlay, toolBar(), notice);
  on("shape", draw);
  on("selected", ({ node, show }) => {
    paint();
    if (show) bringIntoView(node);
  });
  for (const event of ["lit", "marked", "lesson"]) on(event, paint);
  on("direction", () => {
    draw();
    fit();
  });
  picture.addEventListener("click", clicked);
  picture.addEventListener("dblclick", (event) => {
    const node = nodeUnder(event);
    if (node !== null) toggle(node);
  });
  followPointers();
  new ResizeObserver(() => emit("view")).observe(stage);
  openReadable();
}

// All of a tree that can be drawn whole, the way round that suits its form. Of a larger
// one as much as can be read at once.
function openReadable() {
  for (const most of [MOST_VISIBLE, 100, 64, 40, 24]) {
    const all = openTop(most) === nodesInTree();
    const scales = ["down", "right"].map((direction) => {
      state.direction = direction;
      arrange(visibleNodes());
      return wholeScale();
    });
    state.direction = scales[0] >= Math.min(0.75, scales[1]) ? "down" : "right";
    if (all || Math.max(...scales) >= LEAST_SCALE) break;
  }
  state.usual = { open: new Set(state.open), direction: state.direction };
  draw();
  fit();
}

function toolBar() {
  const button = (words, title, action) =>
    make("button", { type: "button", title, "aria-label": title, onclick: action }, words);
  return make(
    "div",
    { id: "tools", role: "toolbar", "aria-label": "View" },
    button("+", "Zoom in", () => zoom(1.25)),
    button("−", "Zoom out", () => zoom(0.8)),
    button("⤢", "Fit the tree into view", () => fit(SMALLEST_SCALE)),
    button("⇄", "Top-down or left to right", () => {
      state.direction = state.direction === "down" ? "right" : "down";
      emit("direction");
    }),
    button("⊞", "Open all nodes", () => {
      const all = openBelow(0);
      emit("shape");
      fit();
      say(all ? "All nodes are open." : "Too many nodes to draw: the rest stays folded.");
    }),
    button("⊟", "Fold to the largest nodes", () => {
      openReadable();
      emit("direction");
    }),
  );
}

// ---- drawing ------------------------------------------------------------------------

function draw() {
  const focused = document.activeElement?.closest?.("[data-node]")?.dataset.node;
  const nodes = visibleNodes();
  arrange(nodes);
  const links = nodes.slice(1).map((node) =>
    linkShape(node, places.get(tree.parent[node]), places.get(node), state.direction),
  );
  fill(linkLayer, links.map(({ drawn }) => drawn));
  fill(labelLayer, links.map(({ label }) => label));
  nodes.slice(1).forEach((node, place) => {
    links[place].drawn.dataset.to = node;
    links[place].label.dataset.to = node;
  });
  fill(nodeLayer, nodes.map((node) => {
    const { x, y } = places.get(node);
    const shape = nodeShape(node);
    shape.setAttribute("transform", `translate(${x},${y})`);
    return shape;
  }));
  paint();
  tellFolded(nodes.length);
  if (focused !== undefined) document.getElementById(`node-${focused}`)?.focus({ preventScroll: true });
  emit("drawn");
}

// Finds where nodes stand.
function arrange(nodes) {
  const levels = tidy(nodes, (node) => (isOpen(node) ? children(node) : []));
  places.clear();
  for (const [node, { place, level }] of levels) places.set(node, standing(place, level));
}

function standing(place, level) {
  const { beside, between } = GAP[state.direction];
  if (state.direction === "down") {
    return { x: place * (BOX.width + beside), y: level * (BOX.height + between) };
  }
  return { x: level * (BOX.width + between), y: place * (BOX.height + beside) };
}

// Says that not everything is drawn, and where the rest is.
function tellFolded(n) {
  const all = nodesInTree();
  const folded = all > n;
  notice.hidden = !folded;
  if (!folded) return;
  const large = all > MOST_VISIBLE ? "too large to draw whole: " : "";
  const from = state.top ? `, from depth ${tree.depth[state.top]} on` : "";
  const words = `${large}${weightText(n)} of ${count(all, "node")} shown${from}, the rest is folded; `;
  if (state.top) {
    fill(notice, words, linkButton("back to the root", () => select(0)));
  } else {
    fill(notice, `${words}open a node with its + button, or look in the outline`);
  }
}

// Classes that tell which nodes are chosen, lit, marked or not yet reached.
function paint() {
  for (const shape of nodeLayer.children) {
    const node = Number(shape.dataset.node);
    const chosen = node === state.selected;
    shape.classList.toggle("selected", chosen);
    shape.setAttribute("aria-selected", String(chosen));
    shape.setAttribute("tabindex", chosen ? "0" : "-1");
    shape.classList.toggle("lit", state.lit.has(node));
    shape.classList.toggle("marked", isMarked(node));
    shape.classList.toggle("later", isLater(node));
    hideWords(shape, node, Boolean(state.lesson) && !state.lesson.known.has(node));
  }
  for (const layer of [linkLayer, labelLayer]) {
    for (const shape of layer.children) {
      const node = Number(shape.dataset.to);
      shape.classList.toggle("lit", state.lit.has(node));
      shape.classList.toggle("later", isLater(node));
    }
  }
  picture.classList.toggle("some-marked", state.marked.size > 0);
}

// A node that a lesson asks about tells its answer to no pointer and no reader either.
function hideWords(shape, node, hidden) {
  if (shape.classList.contains("quiz") === hidden) return;
  shape.classList.toggle("quiz", hidden);
  const words = hidden ? "?" : nodeSummary(node);
  shape.setAttribute("aria-label", words);
  shape.querySelector(":scope > title").textContent = words;
}

// A folded node is marked for what is in it.
function isMarked(node) {
  return state.marked.has(node) || (!isOpen(node) && state.aboveMarked.has(node));
}

function isLater(node) {
  return state.lesson !== null && !state.lesson.reached.has(node);
}

// ---- pointers -----------------------------------------------------------------------

function nodeUnder(event) {
  const shape = event.target.closest("[data-node]");
  return shape ? Number(shape.dataset.node) : null;
}

function clicked(event) {
  const fold = event.target.closest("[data-fold]");
  if (fold) {
    toggle(Number(fold.dataset.fold));
    return;
  }
  const node = nodeUnder(event);
  if (node === null) return;
  select(node, { show: false });
  emit("card");
  document.getElementById(`node-${node}`)?.focus({ preventScroll: true });
}

function followPointers() {
  const held = new Map();
  let moved = 0;
  picture.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), pointOf(event));
  }, { passive: false });
  picture.addEventListener("pointerdown", (event) => {
    held.set(event.pointerId, pointOf(event));
    moved = 0;
  });
  picture.addEventListener("pointermove", (event) => {
    const before = held.get(event.pointerId);
    if (!before) return;
    const now = pointOf(event);
    moved += Math.hypot(now.x - before.x, now.y - before.y);
    if (moved > 4) picture.setPointerCapture?.(event.pointerId);
    if (held.size === 2) pinch(held, event.pointerId, now);
    else setView(view.x + now.x - before.x, view.y + now.y - before.y, view.scale);
    held.set(event.pointerId, now);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    picture.addEventListener(end, (event) => held.delete(event.pointerId));
  }
}

function pinch(held, id, now) {
  const [other] = [...held].filter(([key]) => key !== id).map(([, point]) => point);
  const before = held.get(id);
  const wide = (one) => Math.max(Math.hypot(one.x - other.x, one.y - other.y), 1);
  zoom(wide(now) / wide(before), { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
}

function pointOf(event) {
  const frame = picture.getBoundingClientRect();
  return { x: event.clientX - frame.left, y: event.clientY - frame.top };
}

// ---- zoom ---------------------------------------------------------------------------

export function zoom(factor, around = centre()) {
  const scale = Math.min(Math.max(view.scale * factor, SMALLEST_SCALE), 4);
  const real = scale / view.scale;
  setView(around.x - (around.x - view.x) * real, around.y - (around.y - view.y) * real, scale);
}

function centre() {
  return { x: picture.clientWidth / 2, y: picture.clientHeight / 2 };
}

function setView(x, y, scale) {
  Object.assign(view, { x, y, scale });
  scene.setAttribute("transform", `translate(${x.toFixed(2)},${y.toFixed(2)}) scale(${scale.toFixed(4)})`);
  emit("view");
}

export function sceneBounds() {
  const all = [...places.values()];
  const xs = all.map(({ x }) => x);
  const ys = all.map(({ y }) => y);
  const handles = state.direction === "down" ? 0 : 34; // beside the nodes
  return {
    left: Math.min(...xs) - BOX.width / 2, right: Math.max(...xs) + BOX.width / 2 + handles,
    top: Math.min(...ys), bottom: Math.max(...ys) + BOX.height + 10,
  };
}

// The scale at which all that is drawn fits into the view.
function wholeScale() {
  const { left, right, top, bottom } = sceneBounds();
  const [wide, high] = [picture.clientWidth || 800, picture.clientHeight || 600];
  return Math.min((wide - 32) / (right - left), (high - TOP - BOTTOM) / (bottom - top), 1.25);
}

// All of the tree, but never so small that nothing can be read: then the root's part.
export function fit(least = LEAST_SCALE) {
  const { left, right, top, bottom } = sceneBounds();
  const [wide, high] = [picture.clientWidth || 800, picture.clientHeight || 600];
  const scale = Math.max(wholeScale(), least);
  const root = places.get(state.top);
  const along = (from, to, room, at) => {
    if ((to - from) * scale <= room) return (room - (from + to) * scale) / 2;
    // no empty room on one side while the other is cut off
    return Math.min(Math.max(room / 2 - at * scale, room - 16 - to * scale), 16 - from * scale);
  };
  if (state.direction === "down") setView(along(left, right, wide, root.x), TOP - top * scale, scale);
  else setView(16 - left * scale, along(top, bottom, high - TOP - BOTTOM, root.y + BOX.height / 2) + TOP, scale);
}

function bringIntoView(node) {
  const place = places.get(node);
  if (!place) return;
  const [x, y] = [place.x * view.scale + view.x, (place.y + BOX.height / 2) * view.scale + view.y];
  const [wide, high] = [picture.clientWidth, picture.clientHeight];
  const margin = { x: Math.min(90, wide / 4), y: Math.min(60, high / 4) };
  const dx = x < margin.x ? margin.x - x : x > wide - margin.x ? wide - margin.x - x : 0;
  const dy = y < margin.y ? margin.y - y : y > high - margin.y ? high - margin.y - y : 0;
  if (dx || dy) glide(dx, dy);
}

function glide(dx, dy) {
  if (reducedMotion.matches) {
    setView(view.x + dx, view.y + dy, view.scale);
    return;
  }
  const [from, start] = [{ ...view }, performance.now()];
  const step = (now) => {
    const share = Math.min((now - start) / 220, 1);
    const eased = 1 - (1 - share) ** 3;
    setView(from.x + dx * eased, from.y + dy * eased, from.scale);
    if (share < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}
