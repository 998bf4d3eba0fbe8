// The tidy layout: branches of a node side by side, as close as their subtrees allow,
// and the node above their middle. Only what is drawn is laid out; nothing recurses.
//
// A subtree's contour is, for each level below its top, how far it reaches to the left
// and to the right of the top.

// Returns {place, level} for each node: `place` in units of neighbouring nodes.
// `nodes` are in the order parent before branches; `branches(node)` those that are drawn.
export function tidy(nodes, branches) {
  const shift = new Map(); // of a node against its parent
  const contours = new Map();
  for (let at = nodes.length - 1; at >= 0; at--) {
    const node = nodes[at];
    const own = branches(node);
    if (own.length === 0) {
      contours.set(node, { left: [0], right: [0] });
      continue;
    }
    const joined = besideEachOther(own.map((child) => contours.get(child)));
    const middle = (joined.offsets[0] + joined.offsets[own.length - 1]) / 2;
    own.forEach((child, branch) => {
      shift.set(child, joined.offsets[branch] - middle);
      contours.delete(child);
    });
    contours.set(node, {
      left: [0, ...joined.left.map((reach) => reach - middle)],
      right: [0, ...joined.right.map((reach) => reach - middle)],
    });
  }
  const found = new Map([[nodes[0], { place: 0, level: 0 }]]);
  for (const node of nodes) {
    const { place, level } = found.get(node);
    for (const child of branches(node)) {
      found.set(child, { place: place + shift.get(child), level: level + 1 });
    }
  }
  return found;
}

// Where the tops of subtrees stand, and the contour of all of them.
function besideEachOther(contours) {
  const offsets = [0];
  const left = contours[0].left.slice();
  const right = contours[0].right.slice();
  for (const next of contours.slice(1)) {
    let offset = -Infinity;
    const shared = Math.min(right.length, next.left.length);
    for (let level = 0; level < shared; level++) {
      offset = Math.max(offset, right[level] - next.left[level] + 1);
    }
    offsets.push(offset);
    for (let level = 0; level < next.left.length; level++) {
      if (level >= left.length) left.push(next.left[level] + offset);
      right[level] = next.right[level] + offset;
    }
  }
  return { offsets, left, right };
}
