// Every attention head of one sentence: small tiles, one of them large beside them.
//
// showHeads(root, {written, unit, groups}) fills `root`. A group is {title, rows, columns, heads, writes}: rows and
// columns are lists of words, heads is [layer][head] of all weights, row by row, and `unit` of them is 1. Where a group
// writes, row i of it writes the word written[i].
"use strict";

function showHeads(root, {written, unit, groups}) {
  const make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  };

  // cividis: dark blue is 0, yellow is 1.
  const stops = [[0, 34, 78], [42, 64, 108], [87, 93, 109], [124, 123, 120], [165, 153, 115], [209, 185, 87],
                 [254, 232, 56]];
  const colour = (weight) => {
    const at = Math.max(0, Math.min(1, weight)) * (stops.length - 1), low = Math.min(Math.floor(at), stops.length - 2);
    return stops[low].map((from, i) => Math.round(from + (at - low) * (stops[low + 1][i] - from)));
  };
  const css = (weight) => `rgb(${colour(weight).join(" ")})`;
  const number = (weight) => weight < 0.0005 ? "0.000" : weight.toFixed(3);

  const tiles = make("nav", {"aria-label": "All heads"}), large = make("section", {"aria-live": "polite"});
  root.replaceChildren(tiles, large);

  function tile(group, weights) {
    const canvas = make("canvas", {width: group.columns.length, height: group.rows.length, "aria-hidden": "true"});
    const context = canvas.getContext("2d"), pixels = context.createImageData(canvas.width, canvas.height);
    weights.forEach((weight, i) => pixels.data.set([...colour(weight / unit), 255], 4 * i));
    context.putImageData(pixels, 0, 0);
    return canvas;
  }

  // A word is read by a row; a row of the decoder writes the next one.
  const rowName = (group, row) =>
      group.writes ? `after ${group.rows[row]}, writing ${written[row]}` : group.rows[row];

  function open(group, layer, head, button) {
    tiles.querySelectorAll("[aria-pressed=true]").forEach((each) => each.setAttribute("aria-pressed", "false"));
    button.setAttribute("aria-pressed", "true");
    const weights = group.heads[layer][head], columns = group.columns.length;
    const said = make("p", {class: "said", role: "status"}, "Point at a cell, or move there with the arrow keys: its weight is said here.");
    const say = (row, column) => {
      said.textContent = `${rowName(group, row)}: ${number(weights[row * columns + column] / unit)} of its attention is on ` +
                         `${group.columns[column]}`;
    };
    const top = make("tr", {}, make("td"), ...group.columns.map((word) => make("th", {scope: "col"}, word)));
    if (group.writes) top.append(make("th", {scope: "col"}, "writes"));
    const rows = group.rows.map((word, row) => {
      const cells = group.columns.map((_, column) => {
        const weight = weights[row * columns + column] / unit;
        const cell = make("td", {tabindex: row + column === 0 ? 0 : -1, style: `background:${css(weight)}`},
                          make("span", {class: weight < 0.005 ? "unseen" : weight > 0.5 ? "dark" : "bright"},
                               number(weight)));
        cell.addEventListener("mouseenter", () => say(row, column));
        cell.addEventListener("focus", () => say(row, column));
        cell.dataset.at = `${row},${column}`;
        return cell;
      });
      const line = make("tr", {}, make("th", {scope: "row"}, word), ...cells);
      if (group.writes) line.append(make("td", {class: "writes"}, written[row]));
      return line;
    });
    const table = make("table", {}, top, ...rows);
    table.addEventListener("keydown", (event) => {
      const step = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]}[event.key];
      if (!step || !event.target.dataset.at) return;
      const [row, column] = event.target.dataset.at.split(",").map(Number);
      const next = table.querySelector(`[data-at="${row + step[0]},${column + step[1]}"]`);
      if (!next) return;
      event.preventDefault();
      event.target.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    });
    large.replaceChildren(make("h2", {}, `${group.title}, layer ${layer + 1}, head ${head + 1}`), table, said);
  }

  let first = null;
  for (const group of groups) {
    tiles.append(make("h2", {}, group.title));
    group.heads.forEach((heads, layer) => {
      const line = make("div", {class: "layer"}, make("span", {}, `layer ${layer + 1}`));
      heads.forEach((weights, head) => {
        const button = make("button", {type: "button", "aria-pressed": "false",
                                       "aria-label": `${group.title}, layer ${layer + 1}, head ${head + 1}`},
                            tile(group, weights));
        button.addEventListener("click", () => open(group, layer, head, button));
        line.append(button);
        if (head === 0 && layer === group.heads.length - 1) first = () => open(group, layer, head, button);
      });
      tiles.append(line);
    });
  }
  if (first) first();  // as the program begins: the last attention's last layer
}
