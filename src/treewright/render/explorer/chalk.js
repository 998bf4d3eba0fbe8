// The chalk: the calculation of each node, if the page has it.
import { page } from "./base.js";

export const steps = page.chalk?.steps ?? [];
export const hasChalk = steps.length > 0;

// Why there is none, or null if the training data would give it.
export const noChalk = reasonForNone();

function reasonForNone() {
  if (page.settings?.n_estimators !== undefined) {
    return "A bag of the rows grew this tree, one of a forest; there is no chalk of it.";
  }
  if (page.settings?.max_passes === undefined) return null;
  return `${page.learner} learns row by row and compares no features at a node; ` +
    `treewright chalk DATA --algorithm ${page.learner} shows what each row changed.`;
}

const stepOfNode = new Map(steps.map((step, place) => [step.node, place]));

// The place of a node's step among the steps; -1: it has none.
export function stepAt(node) {
  return stepOfNode.get(node) ?? -1;
}

export function chalkOf(node) {
  return steps[stepOfNode.get(node)] ?? null;
}
