// The nearest change of one value that gives another answer.
import { features, isClasses, page } from "./base.js";
import { KIND, termsOf, tree } from "./arrays.js";
import { answerAt } from "./vote.js";
import { endsOf, sumOf } from "./walk.js";
import { isLeaf } from "./state.js";

const MOST_TRIED = 80; // values of a feature, the nearest ones

// The thresholds of each numeric feature, ascending and different.
export const thresholds = features.map((feature, number) => {
  if (feature.kind !== "numeric") return [];
  const found = new Set();
  for (let node = 0; node < tree.n; node++) {
    if (tree.feature[node] === number && tree.kind[node] === KIND.CUT) found.add(tree.threshold[node]);
  }
  return [...found].sort((one, other) => one - other);
});

// {feature, cell, answer} of the smallest change, measured in the feature's range; a
// category is as far as half of a range. Null if no single value changes the answer.
export function nearestChange(cells) {
  const before = JSON.stringify(answerAt(endsOf(cells, isLeaf)));
  let best = null;
  features.forEach((_, number) => {
    for (const { cell, distance } of candidates(number, cells)) {
      if (best && distance >= best.distance) continue;
      const changed = cells.slice();
      changed[number] = cell;
      const answer = answerAt(endsOf(changed, isLeaf));
      if (JSON.stringify(answer) !== before && isAnswer(answer)) {
        best = { feature: number, cell, answer, distance };
      }
    }
  });
  return best;
}

function isAnswer(answer) {
  return !isClasses || (answer !== null && !(Array.isArray(answer) && answer.includes(null)));
}

// Values of a feature at which weighted sums are cut, as the row is otherwise; and just
// below, because they are rounded.
function crossings(number, cells) {
  return Object.keys(tree.sums).map(Number).flatMap((node) => {
    const terms = termsOf(node);
    const weight = terms.find((term) => term.feature === number)?.weight;
    if (!weight) return [];
    const at = cells[number] + (tree.threshold[node] - sumOf(terms, cells)) / weight;
    return Number.isFinite(at) ? [-above(-at, Infinity, features[number]), at] : [];
  });
}

function candidates(number, cells) {
  const feature = features[number];
  const now = cells[number];
  if (feature.kind !== "numeric") {
    return feature.categories.map((_, cell) => ({ cell, distance: 0.5 })).filter(({ cell }) => cell !== now);
  }
  const own = [...thresholds[number], ...crossings(number, cells)].sort((one, other) => one - other);
  if (own.length === 0) return [];
  const range = rangeOf(number);
  const width = range.high - range.low || 1;
  const from = Number.isNaN(now) ? range.middle : now;
  // on either side of each cut: at it, and just above
  const values = own.flatMap((threshold, place) => {
    const next = own[place + 1] ?? range.high;
    return [threshold, above(threshold, next, feature)];
  });
  return values
    .map((cell) => ({ cell, distance: Math.abs(cell - from) / width }))
    .filter(({ distance }) => distance > 0)
    .sort((one, other) => one.distance - other.distance)
    .slice(0, MOST_TRIED);
}

// A short number above a threshold and not above the next one.
function above(threshold, next, feature) {
  if (feature.storage) return threshold + 1; // a place among the cuts
  for (let digits = 2; digits < 17; digits++) {
    const unit = 10 ** (Math.floor(Math.log10(Math.abs(threshold) || 1)) - digits + 1);
    const rounded = Number((Math.floor(threshold / unit + 1) * unit).toPrecision(digits + 1));
    if (rounded > threshold && (rounded <= next || next <= threshold)) return rounded;
  }
  return threshold + Math.abs(threshold) * Number.EPSILON * 2 || Number.MIN_VALUE;
}

// Where a numeric feature's values lie: those of the rows, or around the cuts.
export function rangeOf(number) {
  const known = page.rows?.ranges[number];
  const own = thresholds[number];
  if (Array.isArray(known)) {
    const [low, middle, high] = known;
    return { low: Math.min(low, own[0] ?? low), middle, high: Math.max(high, own.at(-1) ?? high) };
  }
  if (own.length === 0) return { low: 0, middle: 0.5, high: 1 };
  const [low, high] = [own[0], own.at(-1)];
  const room = (high - low) * 0.15 || Math.abs(low) * 0.5 || 1;
  return { low: low - room, middle: own[own.length >> 1], high: high + room };
}
