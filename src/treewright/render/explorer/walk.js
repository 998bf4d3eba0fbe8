// The walk: from the root to where a row's questions end, as treewright.tree.predict.walk and
// treewright.tree.predict.place do it. A row that a node divides goes on in parts.
import { EVERY_BRANCH, KIND, termsOf, trees } from "./arrays.js";

// The branch that a row takes at a node: -1 to stop there, or EVERY_BRANCH.
export function branchOf(tree, node, cells) {
  const kind = tree.kind[node];
  const isSum = kind === KIND.COMBINATION;
  const cell = isSum ? sumOf(termsOf(node, tree), cells) : cells[tree.feature[node]];
  if (Number.isNaN(cell) && tree.surrogates) {
    const surrogate = speakingSurrogate(tree, node, cells);
    if (surrogate >= 0) return surrogateBranch(tree.surrogates, surrogate, cells);
  }
  if (kind === KIND.KNOWN) return Number.isNaN(cell) ? 1 : 0;
  if (Number.isNaN(cell)) return tree.missing_branch[node];
  if (kind === KIND.CUT || isSum) return cell > tree.threshold[node] ? 1 : 0;
  if (cell < 0) return -1;
  if (kind === KIND.ORDER) return cell > tree.threshold[node] ? 1 : 0;
  if (kind === KIND.MULTIWAY) return cell;
  const start = tree.set_start[node];
  if (kind === KIND.GROUPS) return tree.set_codes[start + cell];
  for (let place = start; place < tree.set_start[node + 1]; place++) {
    if (tree.set_codes[place] === cell) return 0;
  }
  return 1;
}

export function sumOf(terms, cells) {
  return terms.reduce((sum, { feature, weight }) => sum + weight * cells[feature], 0);
}

// The first surrogate of a node that says something about a row; -1: none.
export function speakingSurrogate(tree, node, cells) {
  const own = tree.surrogates;
  for (let each = own.start[node]; each < own.start[node + 1]; each++) {
    if (surrogateBranch(own, each, cells) >= 0) return each;
  }
  return -1;
}

function surrogateBranch(own, surrogate, cells) {
  const cell = cells[own.feature[surrogate]];
  const kind = own.kind[surrogate];
  if (Number.isNaN(cell) || (kind !== KIND.CUT && cell < 0)) return -1;
  if (kind !== KIND.SUBSET) {
    const low = own.branch[surrogate];
    return cell <= own.threshold[surrogate] ? low : 1 - low;
  }
  for (let place = own.set_start[surrogate]; place < own.set_start[surrogate + 1]; place++) {
    if (own.set_codes[place] === cell) return own.set_branch[place];
  }
  return -1;
}

// Where a row ends: parts {node, weight}, one unless it is `divided`. `isLeaf` tells
// which nodes of a pruned tree are leaves.
export function placeRow(tree, cells, isLeaf) {
  const ended = [];
  const stuck = [];
  const follow = (node, weight) => {
    while (tree.kind[node] !== KIND.LEAF && !isLeaf(node)) {
      const branch = branchOf(tree, node, cells);
      if (branch === EVERY_BRANCH) {
        stuck.push({ node, weight });
        return;
      }
      if (branch < 0) break;
      node = tree.first_child[node] + branch;
    }
    ended.push({ node, weight });
  };
  follow(0, 1);
  ended.divided = stuck.length > 0;
  // The order is that of the compiled walk, the least node first: sums of the parts
  // then have the same bits.
  while (stuck.length) {
    stuck.sort((one, other) => one.node - other.node);
    const { node, weight } = stuck.shift();
    const shares = sharesOf(tree, node);
    shares.forEach((share, branch) => {
      const part = weight * share;
      if (part > 0) follow(tree.first_child[node] + branch, part);
    });
  }
  return ended;
}

// The shares of a node's branches in its training weight; equal ones if it has none.
export function sharesOf(tree, node) {
  const first = tree.first_child[node];
  let weights = Array.from(tree.weight.subarray(first, first + tree.n_children[node]));
  if (weights.reduce((total, weight) => total + weight, 0) <= 0) weights = weights.map(() => 1);
  const total = weights.reduce((so_far, weight) => so_far + weight, 0);
  return weights.map((weight) => weight / total);
}

export function endsOf(cells, isLeaf = () => false) {
  return trees.map((tree) => placeRow(tree, cells, isLeaf));
}
