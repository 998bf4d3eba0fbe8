// What every other script uses: the page's data, elements, numbers as text, events.
//
// Names and values come from data. They reach the page as text nodes and attributes
// only; nothing here or elsewhere writes HTML.
performance.mark("scripts");

export const page = JSON.parse(document.getElementById("payload").textContent);
export const target = page.target;
export const isClasses = target.kind === "classes";
export const features = page.features;

export const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

const SVG = "http://www.w3.org/2000/svg";

// An HTML element: make("p", {class: "note"}, "text", other, ...).
export function make(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

export function makeSvg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "style") Object.assign(element.style, value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== ""));
  return element;
}

// A paragraph in the background, a button that looks like a link, a coloured dot.
export function quiet(...words) {
  return make("p", { class: "quiet" }, ...words);
}

export function linkButton(words, action, attributes = {}) {
  return make("button", { type: "button", class: "plain", onclick: action, ...attributes }, words);
}

export function dot(colour) {
  return make("i", { class: "dot", style: { background: colour } });
}

export function command(words) {
  return make("code", {}, words);
}

// "1 leaf", "2 leaves": a noun whose plural is its own.
export function leafCount(number) {
  return `${weightText(number)} ${number === 1 ? "leaf" : "leaves"}`;
}

// Replaces what an element holds.
export function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null));
  return element;
}

// ---- events: scripts that do not know each other hear of changes -------------------

const listeners = new Map();

export function on(event, listener) {
  if (!listeners.has(event)) listeners.set(event, []);
  listeners.get(event).push(listener);
}

export function emit(event, detail) {
  for (const listener of listeners.get(event) ?? []) listener(detail);
}

// Says something to readers of the screen and to those who hear it.
export function say(words) {
  document.getElementById("say").textContent = words;
}

// ---- numbers ------------------------------------------------------------------------

export function count(number, noun) {
  return `${weightText(number)} ${noun}${number === 1 ? "" : "s"}`;
}

// A weight: whole ones with a mark between thousands, others with two digits.
export function weightText(weight) {
  if (Math.abs(weight - Math.round(weight)) < 0.005) {
    return Math.round(weight).toLocaleString("en-US");
  }
  return weight.toLocaleString("en-US", { maximumFractionDigits: 2 });
}

// A number for people: five significant digits.
export function short(number) {
  if (!Number.isFinite(number)) return String(number);
  const size = Math.abs(number);
  if (size >= 1e5 && size < 1e9) return number.toFixed(0);
  return String(Number(number.toPrecision(size >= 1e9 ? 6 : 5)));
}

export function fixed(number, digits = 4) {
  return Number.isFinite(number) ? number.toFixed(digits) : "–";
}

export function percent(share) {
  if (!Number.isFinite(share)) return "–";
  const digits = share > 0 && share < 0.1 ? 1 : share < 1 && share > 0.9 ? 1 : 0;
  return `${(100 * share).toFixed(digits)} %`;
}

export function clipped(text, most) {
  return text.length > most ? `${text.slice(0, Math.max(most - 1, 1))}…` : text;
}

export function sum(numbers) {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
