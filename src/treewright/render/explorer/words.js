// Nodes in words: what a branch asks for, the path to a node, rules.
import { features, isClasses, page, short, target, weightText } from "./base.js";
import { children, classWeights, KIND, pathTo, tree } from "./arrays.js";
import { className } from "./palette.js";
import { slots } from "./vote.js";

// What a row must satisfy to come from the parent to a node.
export function conditionOf(node) {
  const feature = featureOf(tree.parent[node]);
  return { feature: feature.name, relation: tree.relations[node], value: tree.values[node] };
}

export function conditionText(node) {
  const { feature, relation, value } = conditionOf(node);
  return `${feature} ${relation} ${value}`;
}

// The part behind the feature's name: "Sunny", "≤ 195", "missing". Long fractions are
// rounded here; cards and saved rules have all digits.
export function answerText(node) {
  const { relation, value } = conditionOf(node);
  if (relation === "=" || relation === "is") return value;
  return `${pretty(relation)} ${rounded(node)}`;
}

function rounded(node) {
  const value = tree.values[node];
  const parent = tree.parent[node];
  if (value.length <= 8 || tree.kind[parent] !== KIND.CUT || features[tree.feature[parent]].storage) return value;
  return short(tree.threshold[parent]);
}

export function pretty(relation) {
  return { "<=": "≤", ">=": "≥", "!=": "≠", in: "∈", "not in": "∉" }[relation] ?? relation;
}

// What a node asks about; a weighted sum is called by its terms.
export function featureOf(node) {
  if (tree.feature[node] < 0) return null;
  const feature = features[tree.feature[node]];
  return node in tree.sums ? { ...feature, name: tree.sums[node] } : feature;
}

// What a node predicts, in words.
export function predictionText(node) {
  if (!isClasses) {
    return Array.from(classWeights(node), short).join(", ");
  }
  const { label, nOutputs } = tree;
  return target.names
    .map((_, output) => className(label[node * nOutputs + output], output))
    .join(", ");
}

export function labelOf(node) {
  return tree.label[node * tree.nOutputs];
}

// Weights of the first output's classes; at a leaf that speaks for its parent, none.
export function weightsOf(node) {
  const own = Array.from(classWeights(node).subarray(slots[0].start, slots[0].stop));
  return tree.weight[node] > 0 ? own : own.map(() => 0);
}

// Training weight of other classes than the one that a node answers.
export function wrongAt(node) {
  if (!isClasses) return NaN;
  const weights = weightsOf(node);
  const total = weights.reduce((so_far, weight) => so_far + weight, 0);
  return Math.max(0, total - (weights[labelOf(node)] ?? 0));
}

export function reasonText(node) {
  const words = page.reasons[tree.reason[node]] ?? "";
  return labelOf(node) < 0 && isClasses ? "no training rows: gives no class" : words;
}

// ---- rules: the conditions on a path, those on one feature as one -------------------

export function ruleOf(node, { exact = false } = {}) {
  const asked = new Map(); // by feature or sum, in the order of the path
  for (const at of pathTo(node).slice(1)) {
    const parent = tree.parent[at];
    const feature = parent in tree.sums ? tree.sums[parent] : tree.feature[parent];
    if (!asked.has(feature)) asked.set(feature, []);
    asked.get(feature).push(at);
  }
  const valueOf = exact ? (at) => tree.values[at] : rounded;
  return [...asked].flatMap(([feature, nodes]) => mergedConditions(feature, nodes, valueOf));
}

export function ruleText(node, options) {
  const conditions = ruleOf(node, options);
  return conditions.length ? conditions.join(" and ") : "always";
}

function mergedConditions(feature, nodes, valueOf) {
  const { name } = featureOf(tree.parent[nodes[0]]);
  const missing = nodes.find((node) => tree.values[node] === "missing" && tree.relations[node] === "is");
  if (missing !== undefined) return [`${name} is missing`];
  const numeric = nodes.filter((node) => isOrdered(tree.parent[node]));
  const sets = nodes.filter((node) => isSet(tree.parent[node]));
  const words = [];
  if (numeric.length) words.push(rangeWords(name, numeric, valueOf));
  if (sets.length) words.push(setWords(feature, name, sets));
  return words.length ? words : [`${name} is known`];
}

function isOrdered(parent) {
  return [KIND.CUT, KIND.ORDER, KIND.COMBINATION].includes(tree.kind[parent]);
}

function isSet(parent) {
  return [KIND.MULTIWAY, KIND.SUBSET, KIND.GROUPS].includes(tree.kind[parent]);
}

// The tightest bounds: later ones on a path are tighter than those before.
function rangeWords(name, nodes, valueOf) {
  let [low, high] = [null, null];
  for (const node of nodes) {
    const isHigh = node === tree.first_child[tree.parent[node]];
    const threshold = tree.threshold[tree.parent[node]];
    if (isHigh && (!high || threshold < high.threshold)) high = { node, threshold };
    if (!isHigh && (!low || threshold > low.threshold)) low = { node, threshold };
  }
  const bound = ({ node }) => `${pretty(tree.relations[node])} ${valueOf(node)}`;
  if (!low) return `${name} ${bound(high)}`;
  if (!high) return `${name} ${bound(low)}`;
  const sign = tree.relations[low.node] === ">=" ? "≤" : "<";
  return `${valueOf(low.node)} ${sign} ${name} ${bound(high)}`;
}

function setWords(feature, name, nodes) {
  const { categories } = features[feature];
  const left = allowedCodes(feature, nodes);
  if (nodes.length === 1) return `${name} ${pretty(tree.relations[nodes[0]])} ${tree.values[nodes[0]]}`;
  if (left.length === 1) return `${name} = ${categories[left[0]]}`;
  const shown = left.slice(0, 12).map((code) => categories[code]);
  if (left.length > 12) shown.push(`and ${left.length - 12} more`);
  return `${name} ∈ {${shown.join(", ")}}`;
}

// The codes of a feature's categories that can come through all these nodes.
function allowedCodes(feature, nodes) {
  let left = features[feature].categories.map((_, code) => code);
  for (const node of nodes) {
    const own = new Set(codesOfBranch(node));
    left = left.filter((code) => own.has(code));
  }
  return left;
}

// The codes that lead from the parent to a node.
export function codesOfBranch(node) {
  const parent = tree.parent[node];
  const branch = node - tree.first_child[parent];
  const codes = features[tree.feature[parent]].categories.map((_, code) => code);
  if (tree.kind[parent] === KIND.MULTIWAY) return codes.filter((code) => code === branch);
  const own = tree.set_codes.subarray(tree.set_start[parent], tree.set_start[parent + 1]);
  if (tree.kind[parent] === KIND.GROUPS) return codes.filter((code) => own[code] === branch);
  const inside = new Set(own);
  return codes.filter((code) => inside.has(code) === (branch === 0));
}

// A line for hints and for readers that hear the page.
export function nodeSummary(node) {
  const rows = `${weightText(tree.n_rows[node])} rows`;
  const way = node === 0 ? "root" : conditionText(node);
  const feature = featureOf(node);
  const what = feature ? `asks about ${feature.name}` : `answers ${predictionText(node)}`;
  const branches = feature ? `, ${children(node).length} branches` : "";
  return `${way}: ${what}${branches}, ${rows}`;
}
