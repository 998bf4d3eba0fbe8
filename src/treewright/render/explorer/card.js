// The node card: the path as a sentence, the classes, the question, and the chalk.
import { count, fill, fixed, isClasses, make, on, page, percent, short, sum, weightText } from "./base.js";
import { command, dot, linkButton, quiet } from "./base.js";
import { classWeights, EVERY_BRANCH, KIND, pathTo, tree } from "./arrays.js";
import { chalkOf, hasChalk, noChalk } from "./chalk.js";
import { chalkTable } from "./chalk_table.js";
import { distributionOf } from "./distribution.js";
import { className, classColour, nClasses } from "./palette.js";
import { isLeaf, select, state } from "./state.js";
import { answerText, conditionText, featureOf, predictionText } from "./words.js";
import { reasonText, ruleText, weightsOf, wrongAt } from "./words.js";

const MOST_CLASSES = 30;
const LONGEST_SENTENCE = 12; // conditions; of more, those on one feature are joined

export function nodeCard(panel) {
  const show = () => fill(panel, ...cardOf(state.selected));
  on("selected", show);
  on("step", show);
  show();
}

function cardOf(node) {
  return [
    heading(node),
    sentence(node),
    facts(node),
    isClasses ? classTable(node) : null,
    chalkPart(node),
    isLeaf(node) ? null : distributionOf(node),
  ];
}

function heading(node) {
  const what = isLeaf(node) ? predictionText(node) : `${featureOf(node).name}?`;
  return make("h2", { tabindex: "-1", id: "card-head" }, what, make("small", {}, ` node ${node}`));
}

// "If A = x and B ≤ 3, then yes.", each condition a button that goes to its node.
function sentence(node) {
  const path = pathTo(node).slice(1);
  const end = isLeaf(node) ? [", then ", make("b", {}, predictionText(node)), "."] : [", then this is asked."];
  if (path.length === 0) {
    return make("p", { class: "path" }, isLeaf(node) ? ["Always ", end[1], "."] : "The root: every row comes here.");
  }
  if (path.length > LONGEST_SENTENCE) {
    return make("p", { class: "path" }, `If ${ruleText(node)}`, end);
  }
  const parts = path.flatMap((at, place) => [
    place ? " and " : "If ",
    linkButton(conditionText(at), () => select(tree.parent[at])),
  ]);
  return make("p", { class: "path" }, parts, end);
}

function facts(node) {
  const rows = tree.n_rows[node];
  const list = make("dl", { class: "facts" });
  const fact = (name, value) => list.append(make("div", {}, make("dt", {}, name), make("dd", {}, value)));
  fact("rows", weightText(rows));
  if (Math.abs(tree.weight[node] - rows) > 1e-9) fact("weight", weightText(tree.weight[node]));
  fact(impurityName(), fixed(tree.impurity[node]));
  if (isClasses) {
    fact("wrong here", `${weightText(wrongAt(node))} (${percent(wrongAt(node) / tree.weight[node])})`);
  } else {
    fact("predicts", Array.from(classWeights(node), short).join(", "));
  }
  if (isLeaf(node)) {
    const pruned = tree.kind[node] !== KIND.LEAF;
    fact("leaf because", pruned ? "the slider prunes here" : reasonText(node) || "–");
  } else {
    fact("gain", fixed(tree.gain[node]));
    fact("if missing", missingWords(node));
  }
  return list;
}

function impurityName() {
  const names = { gain_ratio: "entropy", entropy: "entropy", gini: "gini", squared_error: "variance" };
  return names[page.criterion] ?? (page.criterion.replaceAll("_", " ") || "impurity");
}

function missingWords(node) {
  const branch = tree.missing_branch[node];
  if (branch === EVERY_BRANCH) return "all branches, in shares";
  if (tree.kind[node] === KIND.KNOWN) return "its own branch";
  const rest = branch < 0 ? "stops here" : `as ${answerText(tree.first_child[node] + branch)}`;
  const own = tree.surrogates;
  const n = own ? own.start[node + 1] - own.start[node] : 0;
  return n ? `${count(n, "surrogate")}, else ${rest}` : rest;
}

function classTable(node) {
  const own = weightsOf(node);
  const total = sum(own);
  const other = dataWeights(node);
  const order = own.map((_, code) => code).filter((code) => nClasses <= 8 || own[code] > 0 || other?.[code] > 0);
  order.sort((one, two) => (nClasses > 8 ? own[two] - own[one] : one - two));
  const rows = order.slice(0, MOST_CLASSES).map((code) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, dot(classColour(code)), className(code)),
      make("td", { class: "number" }, weightText(own[code])),
      shareCell(own[code] / total, code),
      other ? make("td", { class: "number" }, weightText(other[code])) : null,
      other ? make("td", { class: "number" }, percent(other[code] / sum(other))) : null,
    ),
  );
  const head = make(
    "tr", {},
    make("th", { scope: "col" }, "class"),
    make("th", { scope: "col", class: "number", colspan: 2 }, "training"),
    other ? make("th", { scope: "col", class: "number", colspan: 2 }, "these rows") : null,
  );
  const more = order.length - rows.length;
  return make(
    "div", {},
    make("table", { class: "classes" }, make("thead", {}, head), make("tbody", {}, rows)),
    more > 0 ? quiet(`and ${weightText(more)} more classes`) : null,
  );
}

function shareCell(share, code) {
  const cell = make("td", { class: "number bar" }, percent(share));
  cell.style.setProperty("--share", Number.isFinite(share) ? share : 0);
  cell.style.setProperty("--bar", classColour(code));
  return cell;
}

// Weights of other rows than the training rows at a node, if the page has them.
function dataWeights(node) {
  const { rows } = page;
  if (!rows?.classWeights || rows.areTraining) return null;
  const from = node * tree.nSlots;
  return rows.classWeights.slice(from, from + nClasses);
}

function chalkPart(node) {
  const step = chalkOf(node);
  const head = make("h3", {}, "Chalk");
  if (step) return make("section", {}, head, chalkTable(step));
  if (noChalk && !hasChalk) return make("section", {}, head, quiet(noChalk));
  const words = hasChalk
    ? "This node has no chalk of its own."
    : "The calculation of each node needs the training data:";
  return make(
    "section", {}, head,
    quiet(words, hasChalk ? "" : command("treewright explore MODEL DATA")),
  );
}
