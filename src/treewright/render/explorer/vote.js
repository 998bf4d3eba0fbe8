// From where a row ended to the answer, as treewright.tree.predict.vote does it.
import { isClasses, page, target } from "./base.js";
import { trees } from "./arrays.js";
import { cellsOf } from "./cells.js";
import { endsOf } from "./walk.js";

const NO_CLASS = -1;

export const slots = [];
for (const classes of target.classes) {
  const start = slots.length ? slots[slots.length - 1].stop : 0;
  slots.push({ start, stop: start + classes.length });
}

// The answer for a row, an object from names to values (null is missing): what
// `predict` gives in Python. No class is null.
export function predict(row) {
  return answerAt(endsOf(cellsOf(row)));
}

// The share of each class; a list of them for several outputs.
export function predictProba(row) {
  if (!isClasses) throw new Error("this model predicts numbers; use predict");
  const shares = probabilitiesAt(endsOf(cellsOf(row)), page.smoothing);
  return shares.length === 1 ? shares[0] : shares;
}

export function answerAt(ends) {
  const answers = isClasses
    ? codesAt(ends).map((code, output) => (code < 0 ? null : target.labels[output][code]))
    : numbersAt(ends);
  return answers.length === 1 ? answers[0] : answers;
}

// The code of the class for each output.
export function codesAt(ends) {
  if (trees.length === 1 && !ends[0].divided) {
    // the node's own label: it obeys the tie rule of growing
    const { node } = ends[0][0];
    return target.names.map((_, output) => trees[0].label[node * trees[0].nOutputs + output]);
  }
  return probabilitiesAt(ends, { kind: "raw" }).map(bestCode);
}

function bestCode(shares) {
  if (!shares.some((share) => share !== 0)) return NO_CLASS;
  if (!target.costs) return shares.indexOf(Math.max(...shares));
  const expected = shares.map((_, answer) =>
    shares.reduce((cost, share, actual) => cost + share * target.costs[actual][answer], 0),
  );
  const limit = Math.min(...expected) + 1e-12 * Math.max(...expected);
  return expected.findIndex((cost) => cost <= limit);
}

export function numbersAt(ends) {
  const each = ends.map((parts, k) => {
    const { value, nSlots } = trees[k];
    const of = (node) => Array.from(value.subarray(node * nSlots, (node + 1) * nSlots));
    return meanOfParts(parts, of);
  });
  return meanOf(each);
}

export function probabilitiesAt(ends, smoothing) {
  const someGiveNone = trees.some((tree) => tree.givesNoClass);
  return slots.map((slot, output) => {
    const each = ends.map((parts, k) => {
      const root = speakingWeights(trees[k], 0, slot, output);
      return meanOfParts(parts, (node) =>
        smoothed(speakingWeights(trees[k], node, slot, output), root, smoothing),
      );
    });
    const mean = meanOf(each);
    const isMean = trees.length > 1 || ends[0].divided;
    return isMean && someGiveNone ? sharesOfWeights(mean) : mean;
  });
}

function meanOfParts(parts, answer) {
  if (!parts.divided) return answer(parts[0].node);
  const mean = answer(parts[0].node).map(() => 0);
  for (const { node, weight } of parts) {
    answer(node).forEach((value, place) => (mean[place] += value * weight));
  }
  return mean;
}

function meanOf(each) {
  if (each.length === 1) return each[0];
  return each[0].map((_, place) => each.reduce((total, one) => total + one[place], 0) / each.length);
}

// Class weights at a node; where there are none, those of the nearest ancestor.
function speakingWeights(tree, node, slot, output) {
  const at = (where) =>
    Array.from(tree.value.subarray(where * tree.nSlots + slot.start, where * tree.nSlots + slot.stop));
  let weights = at(node);
  if (tree.label[node * tree.nOutputs + output] === NO_CLASS) return weights;
  while (!weights.some((weight) => weight !== 0)) {
    if (node === 0) {
      weights[tree.label[output]] = 1;
      break;
    }
    node = tree.parent[node];
    weights = at(node);
  }
  return weights;
}

function smoothed(weights, root, { kind, priorWeight }) {
  const speaks = weights.some((weight) => weight !== 0);
  if (kind === "raw" || !speaks) return sharesOfWeights(weights);
  if (kind === "laplace") return sharesOfWeights(weights.map((weight) => weight + 1));
  const prior = sharesOfWeights(root);
  return sharesOfWeights(weights.map((weight, code) => weight + priorWeight * prior[code]));
}

export function sharesOfWeights(weights) {
  let total = pairwiseSum(weights);
  if (!Number.isFinite(total)) {
    weights = weights.map((weight) => weight / weights.length);
    total = pairwiseSum(weights);
  }
  return weights.map((weight) => weight / (total > 0 ? total : 1));
}

// NumPy's order of adding up to 128 numbers: eight sums side by side.
function pairwiseSum(numbers) {
  if (numbers.length < 8) return numbers.reduce((total, number) => total + number, 0);
  const lanes = numbers.slice(0, 8);
  const whole = numbers.length - (numbers.length % 8);
  for (let place = 8; place < whole; place++) lanes[place % 8] += numbers[place];
  const [a, b, c, d, e, f, g, h] = lanes;
  let total = a + b + (c + d) + (e + f + (g + h));
  for (let place = whole; place < numbers.length; place++) total += numbers[place];
  return total;
}
