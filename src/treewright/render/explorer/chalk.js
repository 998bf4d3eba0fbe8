// The chalk: the calculation of each node, if the page has it.
import { page } from "./base.js";

export const steps = page.chalk?.steps ?? [];
export const hasChalk = steps.length > 0;

// Why there is none, or null if the training data would give it.
export const noChalk = page.settings?.n_estimators === undefined
  ? null
  : "A bag of the rows grew this tree, one of a forest; there is no chalk of it.";

const stepOfNode = new Map(steps.map((step, place) => [step.node, place]));

// The place of a node's step among the steps; -1: it has none.
export function stepAt(node) {
  return stepOfNode.get(node) ?? -1;
}

export function chalkOf(node) {
  return steps[stepOfNode.get(node)] ?? null;
}
