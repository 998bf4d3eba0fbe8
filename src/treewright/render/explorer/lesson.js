// Lesson mode: the chalk, step by step; the figures are hidden until they are asked for.
import { command, count, emit, fill, fixed, make, on, quiet, short } from "./base.js";
import { children, pathTo, tree } from "./arrays.js";
import { hasChalk, noChalk, steps } from "./chalk.js";
import { chalkTable, countChips, leafWords } from "./chalk_table.js";
import { reveal, select, state } from "./state.js";

const lesson = { place: 0, revealed: false };
const board = make("div", { class: "board" });

export function lessonPanel(panel) {
  panel.append(make("h2", {}, "Lesson"));
  if (!hasChalk) {
    const needed = ["It needs the training data: ", command("treewright explore MODEL DATA")];
    panel.append(quiet("The lesson is the chalk of every node, step by step. ", ...(noChalk ? [noChalk] : needed)));
    return;
  }
  panel.append(board);
  panel.addEventListener("keydown", (event) => {
    if (event.key === "ArrowRight" || event.key === "n") go(1);
    else if (event.key === "ArrowLeft" || event.key === "b") go(-1);
    else return;
    event.preventDefault();
  });
  on("panel", (name) => {
    if (name === "lesson") show();
    else if (state.lesson) {
      state.lesson = null;
      emit("lesson");
    }
  });
}

// Forwards: first the figures, then the next step.
function go(by) {
  const { candidates = [] } = steps[lesson.place];
  if (by > 0 && !lesson.revealed && candidates.length) {
    lesson.revealed = true;
  } else {
    const place = lesson.place + by;
    if (place < 0 || place >= steps.length) return;
    lesson.place = place;
    lesson.revealed = by < 0;
  }
  show();
}

function show() {
  const step = steps[lesson.place];
  const choosing = (step.candidates ?? []).length > 0;
  const reached = new Set([0]);
  steps.slice(0, lesson.place).forEach(({ node }) => children(node).forEach((child) => reached.add(child)));
  for (const at of pathTo(step.node)) reached.add(at);
  if (lesson.revealed) children(step.node).forEach((child) => reached.add(child));
  const told = lesson.revealed || !choosing;
  const known = new Set(steps.slice(0, lesson.place).map(({ node }) => node));
  if (told) known.add(step.node);
  state.lesson = { reached, known, current: step.node, revealed: told };
  reveal(step.node);
  if (!state.open.has(step.node) && tree.n_children[step.node]) {
    state.open.add(step.node);
    emit("shape");
  }
  select(step.node);
  emit("lesson");
  fill(board, ...stepParts(step, choosing));
}

function stepParts(step, choosing) {
  const isLast = lesson.place === steps.length - 1 && (lesson.revealed || !choosing);
  const button = (words, action, disabled) => make("button", { type: "button", onclick: action, disabled }, words);
  const forward = choosing && !lesson.revealed ? "Reveal" : "Next";
  const told = lesson.revealed || !choosing;
  const contents = step.counts ? countChips(step.counts) : `mean ${short(step.mean ?? NaN)}`;
  const measured = `${step.measure ?? "impurity"}: ${step.formula || fixed(step.impurity)}`;
  const way = (step.path ?? []).join(" and ") || "the root";
  return [
    make("div", { class: "buttons" },
      button("Back", () => go(-1), lesson.place === 0),
      button(forward, () => go(1), isLast),
      make("span", { class: "quiet" }, `step ${lesson.place + 1} of ${steps.length}`)),
    make("h3", {}, way),
    make("p", {}, `${count(step.n_rows ?? step.weight, "row")}: `, contents),
    typeof step.impurity === "number" && told ? make("p", { class: "formula" }, measured) : null,
    choosing ? quiet(told ? "Each feature, with what it gains:" : "Which gains most? Work it out, then reveal.") : null,
    choosing ? chalkTable(step, { hidden: !lesson.revealed }) : make("p", {}, leafWords(step)),
    isLast ? quiet(`That was the last of ${count(steps.length, "step")}.`) : null,
  ];
}
