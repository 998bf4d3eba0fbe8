// The chalk: the calculation of each node, if the page has it.
import { page } from "./base.js";

export const steps = page.chalk?.steps ?? [];
export const hasChalk = steps.length > 0;

const stepOfNode = new Map(steps.map((step, place) => [step.node, place]));

// The place of a node's step among the steps; -1: it has none.
export function stepAt(node) {
  return stepOfNode.get(node) ?? -1;
}

export function chalkOf(node) {
  return steps[stepOfNode.get(node)] ?? null;
}
