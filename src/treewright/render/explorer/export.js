// What can be taken away: the tree as SVG, the rules as text.
import { make, on, page, say } from "./base.js";
import { picture, sceneBounds } from "./tree_view.js";
import { coverWords, leavesInOrder } from "./rules.js";
import { predictionText, ruleText } from "./words.js";

export function exports() {
  on("save-rules", () => download("rules.txt", rulesText(), "text/plain"));
  on("save-svg", () => download("tree.svg", svgText(), "image/svg+xml"));
}

export function rulesText() {
  const lines = leavesInOrder().map((leaf) => {
    const rule = ruleText(leaf, { exact: true });
    return `if ${rule} then ${predictionText(leaf)}   (${coverWords(leaf)})`;
  });
  return `${page.title}\n\n${lines.join("\n")}\n`;
}

// The tree as it is drawn, with the page's own style, so that it stands alone.
export function svgText() {
  const { left, right, top, bottom } = sceneBounds();
  const [x, y, wide, high] = [left - 20, top - 20, right - left + 40, bottom - top + 40];
  const copy = picture.cloneNode(true);
  copy.removeAttribute("id");
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("viewBox", [x, y, wide, high].map((number) => number.toFixed(1)).join(" "));
  copy.setAttribute("width", wide.toFixed(0));
  copy.setAttribute("height", high.toFixed(0));
  copy.firstChild.removeAttribute("transform");
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  style.textContent = document.querySelector("style").textContent;
  copy.prepend(style);
  for (const handle of copy.querySelectorAll(".fold.open")) handle.remove();
  for (const shape of copy.querySelectorAll("[tabindex]")) shape.removeAttribute("tabindex");
  return new XMLSerializer().serializeToString(copy);
}

function download(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = make("a", { href: address, download: name, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
  say(`${name} is saved.`);
}
