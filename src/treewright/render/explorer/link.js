// The state in the address, so that a link shows what its writer saw:
// #node=3&step=2&panel=rules&direction=right&open=0.1.2
import { emit, on } from "./base.js";
import { tree } from "./arrays.js";
import { pruning, select, setStep, state } from "./state.js";

const MOST_OPEN = 400; // nodes in an address

export function linkedState(panels) {
  readLink(panels);
  window.addEventListener("hashchange", () => readLink(panels));
  for (const event of ["selected", "shape", "panel", "direction"]) on(event, writeLink);
}

function readLink(panels) {
  const given = new URLSearchParams(location.hash.slice(1));
  const number = (name, low, high) => {
    const value = Number(given.get(name));
    return given.has(name) && Number.isInteger(value) && value >= low && value <= high ? value : null;
  };
  const open = (given.get("open") ?? "").split(".").map((text) => parseInt(text, 36));
  const known = open.filter((node) => node >= 0 && node < tree.n && tree.n_children[node] > 0);
  if (known.length) state.open = new Set(known);
  const direction = given.get("direction");
  if (["down", "right"].includes(direction) && direction !== state.direction) {
    state.direction = direction;
    emit("direction");
  }
  const step = pruning ? number("step", -1, pruning.alphas.length - 1) : null;
  if (step !== null && step !== state.step) setStep(step);
  else if (known.length) emit("shape");
  const panel = given.get("panel");
  if (panels.includes(panel) && panel !== state.panel) emit("open-panel", panel);
  const node = number("node", 0, tree.n - 1);
  if (node !== null && node !== state.selected) select(node);
}

let waiting = false;

// Once for many changes at a time: a slider makes a change for each pixel.
function writeLink() {
  if (waiting) return;
  waiting = true;
  setTimeout(() => {
    waiting = false;
    const parts = [`node=${state.selected}`, `panel=${state.panel}`];
    if (state.step >= 0) parts.push(`step=${state.step}`);
    if (state.direction !== state.usual.direction) parts.push(`direction=${state.direction}`);
    if (!isUsualShape() && state.open.size <= MOST_OPEN) {
      parts.push(`open=${[...state.open].map((node) => node.toString(36)).join(".")}`);
    }
    try {
      history.replaceState(null, "", `#${parts.join("&")}`);
    } catch {
      // inside a notebook's frame there is no address
    }
  }, 150);
}

// Whether the nodes that are open are those of a fresh page.
function isUsualShape() {
  const { open } = state.usual;
  return open.size === state.open.size && [...open].every((node) => state.open.has(node));
}
