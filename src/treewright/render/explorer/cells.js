// A row of names and values becomes cells, as treewright.data.encoding.encode_rows does it.
//
// A cell is a number; for dates and 64-bit integers the number of cuts below it; for a
// category its code, or -1 for one that training never saw. NaN is missing.
import { features, page } from "./base.js";

const NUMBER = /^\s*[+-]?(\d+\.?\d*([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?|inf(inity)?|nan)\s*$/i;
const WHOLE = /^\s*[+-]?\d+\s*$/;
const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?)?$/;
const PER_DAY = { D: 1n, h: 24n, m: 1440n, s: 86400n };
["ms", "us", "ns", "ps", "fs", "as"].forEach((unit, power) => {
  PER_DAY[unit] = 86400n * 1000n ** BigInt(power + 1);
});

const readers = features.map((feature) => {
  if (feature.kind !== "numeric" && !feature.intervals) return categoryReader(feature);
  const wide = feature.storage !== undefined && feature.storage !== "float64";
  const cuts = wide ? feature.cuts.map(BigInt) : (feature.cuts ?? []).map(Number);
  const number = wide
    ? (value) => cutsBelow(cuts, wideNumber(feature, value))
    : (value) => parsedNumber(feature, value);
  if (!feature.intervals) return number;
  return (value) => {
    const cell = number(value);
    if (Number.isNaN(cell)) return cell;
    const code = feature.intervals[wide ? cell : cutsBelow(cuts, cell)];
    return code < 0 ? unseenCell(feature, value) : code;
  };
});

// The cells of a row, an object from names to values; null is missing.
export function cellsOf(row) {
  const cells = features.map((feature, number) => {
    if (!Object.hasOwn(row, feature.key)) {
      throw new Error(`the row lacks the column ${JSON.stringify(feature.key)}`);
    }
    return cellOf(number, row[feature.key]);
  });
  const missing = cells.findIndex(Number.isNaN);
  if (page.missing === "error" && missing >= 0) {
    throw new Error(`${features[missing].name} is missing, which this model refuses`);
  }
  return cells;
}

export function cellOf(number, value) {
  if (value === null || value === undefined || Number.isNaN(value)) return NaN;
  return readers[number](value);
}

function unseenCell(feature, value) {
  if (page.unseen === "missing") return NaN;
  if (page.unseen === "error") {
    throw new Error(`${feature.name}: ${value} was not seen in training`);
  }
  return -1;
}

// The code of the equal category, or else of the equally written one.
function categoryReader(feature) {
  const byLabel = new Map(feature.labels.map((label, code) => [labelKey(label), code]));
  const byText = new Map(feature.texts.map((text, code) => [text, code]));
  return (value) => {
    const found = byLabel.get(labelKey(value)) ?? byText.get(writtenLabel(value));
    return found ?? unseenCell(feature, value);
  };
}

// In Python True and 1 are equal, and "1" is neither.
function labelKey(label) {
  return typeof label === "string" ? `text ${label}` : `number ${Number(label)}`;
}

function writtenLabel(value) {
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "number") return String(value);
  if (Number.isInteger(value)) return BigInt(value).toString();
  // Python writes 1e-07 where JavaScript writes 1e-7
  return String(value).replace(/e([+-])(\d)$/, "e$10$2");
}

function parsedNumber(feature, value) {
  if (typeof value === "number") return value;
  if (typeof value === "boolean") return Number(value);
  const text = String(value);
  if (!NUMBER.test(text)) {
    throw new Error(`${feature.name} is numeric, but the value is ${JSON.stringify(text)}`);
  }
  if (/nan/i.test(text)) return NaN;
  if (/inf/i.test(text)) return text.includes("-") ? -Infinity : Infinity;
  return Number(text);
}

// How many cuts lie below a value; they are ascending.
function cutsBelow(cuts, value) {
  if (Number.isNaN(value)) return NaN;
  let [low, high] = [0, cuts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cuts[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

// A number or a date in the feature's own storage, rounded up; infinities as they are.
function wideNumber(feature, value) {
  const unit = /\[(\w+)\]/.exec(feature.storage)?.[1];
  if (typeof value === "bigint") return value;
  if (feature.storage.startsWith("datetime64") && typeof value === "string") {
    return toUnit(microseconds(feature, value), unit);
  }
  if (typeof value === "string" && WHOLE.test(value)) return BigInt(value.trim());
  const number = parsedNumber(feature, value);
  return Number.isFinite(number) ? BigInt(Math.ceil(number)) : number;
}

function microseconds(feature, text) {
  const found = ISO.exec(text.trim());
  if (!found) throw new Error(`${feature.name} holds dates: write ${text} as YYYY-MM-DD`);
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map((part) => Number(part ?? 0));
  const seconds = BigInt(Date.UTC(year, month - 1, day, hour, minute, second) / 1000);
  return seconds * 1_000_000n + BigInt((found[7] ?? "").padEnd(6, "0"));
}

function toUnit(value, unit) {
  const [here, there] = [PER_DAY.us, PER_DAY[unit]];
  if (there >= here) return value * (there / here);
  const factor = here / there;
  const floor = value / factor - (value % factor < 0n ? 1n : 0n);
  return floor * factor === value ? floor : floor + 1n;
}
