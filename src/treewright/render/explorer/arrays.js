// The trees' arrays: base64 to typed arrays, and what is found from them once.
import { page } from "./base.js";

const TYPES = { u1: Uint8Array, i4: Int32Array, f8: Float64Array };

export const KIND = { LEAF: 0, CUT: 1, ORDER: 2, MULTIWAY: 3, SUBSET: 4, KNOWN: 5, GROUPS: 6, COMBINATION: 7 };
export const EVERY_BRANCH = -2;

export function unpacked({ type, data }) {
  const text = atob(data);
  const bytes = new Uint8Array(text.length);
  for (let place = 0; place < text.length; place++) bytes[place] = text.charCodeAt(place);
  return new TYPES[type](bytes.buffer);
}

export const trees = page.trees.map(readTree);
export const tree = trees[0];

function readTree(packed) {
  const own = { relations: packed.relations, values: packed.values, sums: packed.sums ?? {}, surrogates: null };
  for (const [name, array] of Object.entries(packed)) {
    if (array.type) own[name] = unpacked(array);
  }
  if (packed.surrogates) {
    own.surrogates = {};
    for (const [name, array] of Object.entries(packed.surrogates)) {
      own.surrogates[name] = unpacked(array);
    }
  }
  own.n = own.kind.length;
  own.nSlots = own.value.length / own.n;
  own.nOutputs = own.label.length / own.n;
  own.givesNoClass = own.label.some((code) => code < 0);
  addShape(own);
  return own;
}

// Parents, depths and sizes of subtrees; a child has a larger number than its parent.
function addShape(own) {
  own.parent = new Int32Array(own.n).fill(-1);
  own.depth = new Int32Array(own.n);
  own.size = new Int32Array(own.n).fill(1);
  for (let node = 0; node < own.n; node++) {
    for (let branch = 0; branch < own.n_children[node]; branch++) {
      const child = own.first_child[node] + branch;
      own.parent[child] = node;
      own.depth[child] = own.depth[node] + 1;
    }
  }
  for (let node = own.n - 1; node > 0; node--) own.size[own.parent[node]] += own.size[node];
}

// What a node adds up: {feature, weight} each; one term if it asks about a feature.
export function termsOf(node, of = tree) {
  if (of.kind[node] !== KIND.COMBINATION) return [{ feature: of.feature[node], weight: 1 }];
  const terms = [];
  for (let place = of.set_start[node]; place < of.set_start[node + 1]; place += 3) {
    const halves = of.set_codes.slice(place + 1, place + 3);
    terms.push({ feature: of.set_codes[place], weight: new Float64Array(halves.buffer)[0] });
  }
  return terms;
}

export function children(node, of = tree) {
  const first = of.first_child[node];
  return Array.from({ length: of.n_children[node] }, (_, branch) => first + branch);
}

// The nodes from the root to a node.
export function pathTo(node, of = tree) {
  const path = [];
  for (let at = node; at >= 0; at = of.parent[at]) path.push(at);
  return path.reverse();
}

export function classWeights(node, of = tree) {
  const from = node * of.nSlots;
  return of.value.subarray(from, from + of.nSlots);
}
