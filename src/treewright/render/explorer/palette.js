// Colours of the classes: told apart by people with any colour vision where they are
// few, and from the background in light and in dark.
import { isClasses, page, target } from "./base.js";

const COLOURS = [
  "#3b78c2", "#e08a1e", "#2f9e74", "#c9503f", "#8a63c4",
  "#8f6b4f", "#d671ad", "#7d8a2e", "#2fa3b8", "#6f7785",
];

export function classColour(code) {
  if (code < 0) return "#888f99"; // no class
  if (code < COLOURS.length) return COLOURS[code];
  // far apart on the wheel, whatever their number
  return `hsl(${Math.round((code * 137.508) % 360)} 45% 52%)`;
}

export function className(code, output = 0) {
  return code < 0 ? "no class" : target.classes[output][code];
}

// A number between the least and the largest prediction: from blue to orange.
export function numberColour(share) {
  const mix = Math.min(Math.max(share, 0), 1);
  return `color-mix(in srgb, ${COLOURS[1]} ${Math.round(100 * mix)}%, ${COLOURS[0]})`;
}

export const nClasses = isClasses ? target.classes[0].length : 0;
export const learnerName = page.learner;
