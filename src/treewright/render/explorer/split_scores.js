// The gain of a cut, from the statistics of its two sides: class weights, or weight,
// sum and sum of squares of numbers.
import { isClasses, page, sum } from "./base.js";

const measures = {
  gini: (shares) => 1 - sum(shares.map((share) => share * share)),
  classification_error: (shares) => 1 - Math.max(...shares),
  entropy: (shares) => -sum(shares.map((share) => (share > 0 ? share * Math.log2(share) : 0))),
};

export function impurityOf(statistics) {
  const weight = weightOf(statistics);
  if (!(weight > 0)) return 0;
  if (!isClasses) {
    const mean = statistics[1] / weight;
    return Math.max(statistics[2] / weight - mean * mean, 0);
  }
  const measure = measures[page.criterion] ?? measures.entropy;
  return measure(statistics.map((part) => part / weight));
}

export function weightOf(statistics) {
  return isClasses ? sum(statistics) : statistics[0];
}

// What a division into sides gains, as a share of all rows; `missing` are left out.
export function gainOf(sides, missing) {
  const whole = sides[0].map((_, place) => sum(sides.map((side) => side[place])));
  const known = weightOf(whole);
  if (!(known > 0)) return 0;
  const rest = sum(sides.map((side) => (weightOf(side) / known) * impurityOf(side)));
  return (impurityOf(whole) - rest) * (known / (known + weightOf(missing)));
}

export function minus(one, other) {
  return one.map((value, place) => value - other[place]);
}
