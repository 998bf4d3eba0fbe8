// How good: the confusion matrix, and how much each feature has gained.
import { dot, emit, features, fill, isClasses, linkButton, make, on } from "./base.js";
import { page, percent, quiet, short, sum, weightText } from "./base.js";
import { termsOf, tree } from "./arrays.js";
import { classColour, className, nClasses } from "./palette.js";
import { isLeaf, setMarked, state } from "./state.js";
import { labelOf, weightsOf } from "./words.js";
import { leavesInOrder } from "./rules.js";

const MOST_CLASSES_SHOWN = 12;

export function evaluationPanel(panel) {
  const matrix = make("div");
  const show = () => fill(matrix, isClasses ? confusionPart() : errorPart());
  on("step", show);
  show();
  panel.append(make("h2", {}, "Right and wrong"), matrix, make("h2", {}, "Importances"), importances());
}

// Weights by actual and predicted class, from the training weights at the leaves. For
// other rows Python has counted them, for the whole tree.
function trainingTable() {
  const table = Array.from({ length: nClasses }, () => new Array(nClasses + 1).fill(0));
  for (const leaf of leavesInOrder()) {
    const column = labelOf(leaf) < 0 ? nClasses : labelOf(leaf);
    weightsOf(leaf).forEach((weight, code) => (table[code][column] += weight));
  }
  return table;
}

function confusionPart() {
  const { rows } = page;
  const whole = state.step < 0 || !page.pruning || leavesInOrder().length === page.pruning.leaves[0];
  const others = rows && !rows.areTraining && whole;
  const table = others ? rows.confusion : trainingTable();
  const total = sum(table.map(sum));
  const right = sum(table.map((row, code) => row[code]));
  const many = nClasses > MOST_CLASSES_SHOWN;
  const flows = rows?.embedded ? ", and lets them flow" : "";
  const whose = others ? `${weightText(rows.n)} rows of the table` : "the training rows";
  return [
    make(
      "p", {},
      make("b", {}, `${weightText(total - right)} of ${weightText(total)} wrong`),
      ` (${percent((total - right) / total)}), on ${whose}.`,
      others ? "" : make("span", { class: "quiet" }, " Errors on new rows are larger."),
    ),
    many ? quiet(`${nClasses} classes are too many for a table; these are confused most often:`) : null,
    many ? worstPairs(table) : confusionTable(table),
    quiet(`A click on a cell marks the leaves that these rows come to${flows}.`),
  ];
}

// The column behind the classes is for rows without one.
function codeName(code) {
  return className(code === nClasses ? -1 : code);
}

function confusionTable(table) {
  const lost = sum(table.map((row) => row[nClasses])) > 0;
  const columns = lost ? nClasses + 1 : nClasses;
  const most = Math.max(...table.flat(), 1e-300);
  const codes = Array.from({ length: columns }, (_, code) => code);
  const headCell = (code) => make("th", { scope: "col", title: codeName(code) }, codeName(code));
  const head = make("tr", {}, make("td"), codes.map(headCell));
  const body = table.map((row, actual) => {
    const side = make("th", { scope: "row", title: codeName(actual) }, dot(classColour(actual)), codeName(actual));
    return make("tr", {}, side, codes.map((predicted) => cell(row[predicted], actual, predicted, most)));
  });
  const caption = make("caption", {}, "rows: what is; columns: what is predicted");
  const drawn = make("table", { class: "confusion" }, caption, make("thead", {}, head), make("tbody", {}, body));
  return make("div", { class: "wide" }, drawn);
}

function cell(weight, actual, predicted, most) {
  const right = actual === predicted;
  const td = make("td", { class: `number ${right ? "right" : "wrong"}` });
  if (!(weight > 0)) {
    td.append("0");
    return td;
  }
  td.style.setProperty("--share", Math.sqrt(weight / most));
  const words = `${weightText(weight)} rows of ${codeName(actual)} predicted as ${codeName(predicted)}`;
  td.append(linkButton(weightText(weight), () => markCell(actual, predicted), { "aria-label": words }));
  return td;
}

function worstPairs(table) {
  const pairs = table.flatMap((row, actual) => row.map((weight, predicted) => ({ weight, actual, predicted })));
  const wrong = pairs.filter(({ weight, actual, predicted }) => weight > 0 && actual !== predicted);
  wrong.sort((one, other) => other.weight - one.weight);
  const rows = wrong.slice(0, 20).map(({ weight, actual, predicted }) => {
    const side = make("th", { scope: "row" }, `${codeName(actual)} as ${codeName(predicted)}`);
    return make("tr", {}, side, cell(weight, actual, predicted, wrong[0].weight));
  });
  return make("table", { class: "confusion" }, make("tbody", {}, rows));
}

function markCell(actual, predicted) {
  const { rows } = page;
  const weight = (leaf) => {
    if (rows?.classWeights && !rows.areTraining) return rows.classWeights[leaf * tree.nSlots + actual];
    return weightsOf(leaf)[actual];
  };
  const code = predicted === nClasses ? -1 : predicted;
  setMarked(leavesInOrder().filter((leaf) => labelOf(leaf) === code && weight(leaf) > 0));
  if (rows?.embedded) {
    emit("open-panel", "flow");
    emit("flow-only", { actual, predicted: code });
  }
}

function errorPart() {
  const leaves = leavesInOrder();
  const total = tree.weight[0];
  const mean = sum(leaves.map((leaf) => tree.weight[leaf] * tree.impurity[leaf])) / total;
  const absolute = page.criterion === "absolute_error";
  const error = (value) => short(absolute ? value : Math.sqrt(value));
  const name = absolute ? "Mean absolute error" : "Root of the mean squared error";
  const { rows } = page;
  return [
    make(
      "p", {},
      `${name} on the training rows: `, make("b", {}, error(mean)),
      `; always saying the mean: ${error(tree.impurity[0])}.`,
    ),
    rows && !rows.areTraining
      ? make("p", {}, "Root of the mean squared error on these rows: ", make("b", {}, short(Math.sqrt(rows.error))), ".")
      : null,
  ];
}

// Share of each feature in what the splits gain, as `feature_importances_`.
function importances() {
  const gained = new Array(features.length).fill(0);
  for (let node = 0; node < tree.n; node++) {
    if (tree.feature[node] < 0) continue;
    const terms = termsOf(node);
    for (const { feature } of terms) gained[feature] += (tree.gain[node] * tree.weight[node]) / terms.length;
  }
  const total = sum(gained);
  const order = gained.map((_, number) => number).filter((number) => gained[number] > 0);
  order.sort((one, other) => gained[other] - gained[one]);
  if (order.length === 0) return quiet(tree.n > 1 ? "No split gains anything." : "No feature is asked about.");
  const rows = order.slice(0, 40).map((number) => {
    const share = gained[number] / total;
    const td = make("td", { class: "number bar" }, percent(share));
    td.style.setProperty("--share", share / (gained[order[0]] / total));
    const users = [];
    const asks = (node) => termsOf(node).some(({ feature }) => feature === number);
    for (let node = 0; node < tree.n; node++) if (!isLeaf(node) && asks(node)) users.push(node);
    const title = "mark the nodes that ask about it";
    const button = linkButton(features[number].name, () => setMarked(users), { title });
    return make("tr", {}, make("th", { scope: "row" }, button), td);
  });
  return make(
    "div", {},
    make("table", { class: "classes" }, make("tbody", {}, rows)),
    quiet("Share of the gain of all splits in training: features with many values get more than their due."),
  );
}
