// Boards: copies of tables and plots everywhere; in a static site also order, filters, columns, and opening of groups,
// for which a server makes pages otherwise.
"use strict";

// --- copies ---------------------------------------------------------------------------------------------------------------
// What stands in a cell, as it should in a paper: the number with half of its interval's width, without marks of places.
function rowsOf(table) {
  const visible = (cell) => !cell.hidden;
  const heads = [...table.tHead.rows[0].cells].filter(visible).map((cell) => (cell.querySelector(".task") ?? cell.querySelector("[data-sort], a, button") ?? cell).textContent.trim());
  const metrics = [...table.tHead.rows[0].cells].filter(visible).map((cell) => cell.querySelector(".metric")?.textContent.trim() ?? "");
  const body = [...table.tBodies[0].rows].filter((row) => !row.hidden).map((row) => [...row.cells].filter(visible).map((cell) => {
    const value = cell.querySelector(".value");
    const name = cell.querySelector(":scope > a");
    const text = (value ?? (cell.tagName === "TH" ? name : null) ?? cell).cloneNode(true);
    for (const mark of text.querySelectorAll(".tied, .fn, .hidden")) mark.remove();
    return {
      text: text.textContent.trim(), interval: cell.querySelector(".interval")?.textContent.trim() ?? "",
      best: cell.classList.contains("best"), tied: Boolean(cell.querySelector(".tied")),
    };
  }));
  return { heads, metrics, body };
}
const FORMATS = {
  csv({ heads, metrics, body }) {
    const quote = (text) => (/^[=+\-@]/.test(text) && isNaN(Number(text)) ? `'${text}` : text).replace(/"/g, '""');
    const line = (texts) => texts.map((text) => `"${quote(text)}"`).join(",");
    const head = heads.flatMap((text, i) => (i ? [`${text}${metrics[i] ? ` (${metrics[i]})` : ""}`, `${text} 95% interval`] : [text]));
    return [line(head), ...body.map((row) => line(row.flatMap((cell, i) => (i ? [cell.text, cell.interval] : [cell.text]))))].join("\n");
  },
  markdown({ heads, metrics, body }) {
    const clean = (text) => text.replace(/\\/g, "\\\\").replace(/\|/g, "\\|");
    const line = (texts) => `| ${texts.join(" | ")} |`;
    const show = (cell) => `${cell.best ? `**${clean(cell.text)}**` : clean(cell.text)}${cell.interval ? ` (${clean(cell.interval)})` : ""}${cell.tied ? " ≈" : ""}`;
    return [
      line(heads.map((text, i) => clean(`${text} ${metrics[i]}`.trim()))), line(heads.map((_, i) => (i ? "---:" : "---"))),
      ...body.map((row) => line(row.map(show))),
    ].join("\n");
  },
  latex({ heads, metrics, body }) {
    const signs = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "↑": "$\\uparrow$", "↓": "$\\downarrow$", "≈": "$\\approx$", "–": "--", "×": "$\\times$", "µ": "\\textmu{}", "−": "$-$" };
    const clean = (text) => text.replace(/[\\~^↑↓≈–×µ−]|[&%$#_{}]/g, (sign) => signs[sign] ?? `\\${sign}`);
    const show = (cell, i) => {
      if (!i) return clean(cell.text);
      const value = cell.best ? `\\textbf{${clean(cell.text)}}` : clean(cell.text);
      return `${value}${cell.tied ? "$^{\\approx}$" : ""}${cell.interval ? ` {\\scriptsize ${clean(cell.interval)}}` : ""}`;
    };
    return [
      "% needs \\usepackage{booktabs}; bold: best by more than chance; \\approx: no difference from the best is shown; small: 95% intervals",
      `\\begin{tabular}{l${"r".repeat(heads.length - 1)}}`, "\\toprule",
      `${heads.map((text) => clean(text)).join(" & ")} \\\\`,
      ...(metrics.some(Boolean) ? [`${metrics.map((text) => clean(text)).join(" & ")} \\\\`] : []),
      "\\midrule", ...body.map((row) => `${row.map(show).join(" & ")} \\\\`), "\\bottomrule", "\\end{tabular}",
    ].join("\n");
  },
};
function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
function tell(button, text) {
  const place = button.parentElement.querySelector("[data-copied]");
  if (place) place.textContent = text;
}
async function copyTable(button) {
  const text = FORMATS[button.dataset.copy](rowsOf(document.getElementById(button.dataset.from)));
  const ending = { latex: "tex", markdown: "md", csv: "csv" }[button.dataset.copy];
  try {
    await navigator.clipboard.writeText(text);
    tell(button, `copied ${text.split("\n").length} lines`);
  } catch { // a page from another machine without https may not write there
    save(new Blob([text], { type: "text/plain" }), `${button.dataset.from}.${ending}`);
    tell(button, "saved as a file");
  }
}
const DRAWN = ["fill", "stroke", "stroke-width", "font-size", "font-family", "font-weight", "text-anchor"];
function standAlone(svg) {
  const copy = svg.cloneNode(true);
  const from = [svg, ...svg.querySelectorAll("*")], to = [copy, ...copy.querySelectorAll("*")];
  from.forEach((item, i) => {
    const style = getComputedStyle(item);
    for (const name of DRAWN) if (style.getPropertyValue(name)) to[i].setAttribute(name, style.getPropertyValue(name));
    to[i].removeAttribute("class");
  });
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of [["width", "100%"], ["height", "100%"], ["fill", getComputedStyle(document.documentElement).backgroundColor]]) ground.setAttribute(name, value);
  copy.prepend(ground);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" });
}
async function asPng(svg) {
  const { width, height } = svg.viewBox.baseVal, scale = 2;
  const picture = new Image();
  const address = URL.createObjectURL(standAlone(svg));
  await new Promise((resolve, reject) => { picture.onload = resolve; picture.onerror = reject; picture.src = address; });
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width * scale, height * scale];
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}
async function copyPicture(button) {
  const figure = button.closest("figure"), svg = [...figure.querySelectorAll("svg.plot")].find((item) => item.checkVisibility());
  const kind = button.dataset.picture;
  if (kind === "svg") return save(standAlone(svg), `${figure.id}.svg`);
  const png = await asPng(svg);
  if (kind === "copy") {
    try {
      await navigator.clipboard.write([new ClipboardItem({ "image/png": png })]);
      return tell(button, "copied");
    } catch { /* saved instead */ }
  }
  save(png, `${figure.id}.png`);
  return tell(button, "saved as a file");
}

// --- boards without a server ------------------------------------------------------------------------------------------------
// The state is in the address, after #, so that it can be passed on: #board?open=…&sort=…&col=…&q=…
const STATE = /^#board\?(.*)$/;
const boardForm = document.querySelector("[data-board-filters]");
const isStatic = Boolean(boardForm) && boardForm.hidden;
const stateOf = () => new URLSearchParams(STATE.exec(location.hash)?.[1] ?? "");
function change(alter) {
  const state = stateOf();
  alter(state);
  const text = state.toString();
  // A file has no history of its own addresses in some browsers, but it may change what stands after #.
  history.replaceState(null, "", text ? `#board?${text}` : location.pathname + location.search);
  applyState();
}
function applyState() {
  const state = stateOf(), opened = new Set(state.getAll("open")), chosen = state.getAll("col");
  for (const table of document.querySelectorAll("table[data-board]")) {
    const heads = [...table.tHead.rows[0].cells];
    const closed = new Set(), hidden = new Set();
    for (const cell of heads) { // parts come after what they are parts of
      const link = cell.querySelector("[data-opens]");
      const name = cell.dataset.col;
      const leftOut = chosen.length && !chosen.includes(name) && name !== "subject" && !/\bd[12]\b/.test(cell.className);
      if (leftOut || hidden.has(name)) closed.add(name);
      if (!link || !("inPlace" in table.dataset)) continue;
      const isOpen = opened.has(name) && !closed.has(name);
      link.setAttribute("aria-expanded", isOpen);
      link.textContent = link.textContent.replace(/[▸▾]/, isOpen ? "▾" : "▸");
      if (!isOpen) for (const part of link.dataset.opens.split("|")) hidden.add(part);
    }
    heads.forEach((cell, i) => {
      const isHidden = closed.has(cell.dataset.col);
      if (cell.hidden !== isHidden) for (const row of table.rows) row.cells[i].hidden = isHidden;
    });
    const sorted = heads.find((cell) => cell.dataset.col === (state.get("sort") || "@overall"));
    if (sorted && state.get("sort")) {
      for (const cell of heads) cell.removeAttribute("aria-sort");
      const rises = "lower" in sorted.dataset || sorted.dataset.col === "subject";
      sorted.setAttribute("aria-sort", rises ? "ascending" : "descending");
      sortRows(table, heads.indexOf(sorted), rises ? 1 : -1);
    }
    const words = (state.get("q") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of table.tBodies[0].rows) {
      const fits = [...boardForm.querySelectorAll("select")].every((field) => {
        const wanted = state.get(field.name), value = row.dataset[field.name];
        return !wanted || !boardForm.dataset.models || (value && ("least" in field.dataset ? value >= wanted : value === wanted));
      });
      row.hidden = !(fits && words.every((word) => row.dataset.find.toLowerCase().includes(word)));
    }
  }
  for (const field of boardForm.elements) {
    if (field.type === "checkbox") field.checked = !chosen.length || chosen.includes(field.value);
    else if (field.name && field !== document.activeElement) field.value = state.get(field.name) ?? (field.type === "hidden" ? field.value : "");
  }
}
if (isStatic) {
  boardForm.hidden = false;
  boardForm.dataset.models = "true";
  boardForm.addEventListener("submit", (event) => event.preventDefault());
  boardForm.addEventListener("input", (event) => change((state) => {
    if (event.target.type === "checkbox") {
      const boxes = [...boardForm.querySelectorAll("[name=col]")], on = boxes.filter((box) => box.checked);
      state.delete("col");
      if (on.length < boxes.length) for (const box of on) state.append("col", box.value);
    } else if (event.target.value) state.set(event.target.name, event.target.value);
    else state.delete(event.target.name);
  }));
  if (STATE.test(location.hash)) applyState();
  addEventListener("hashchange", () => { if (STATE.test(location.hash)) applyState(); });
}
// With a server, all columns chosen is the same as none named.
if (boardForm && !isStatic) boardForm.addEventListener("formdata", (event) => {
  const boxes = boardForm.querySelectorAll("[name=col]");
  if ([...boxes].every((box) => box.checked)) event.formData.delete("col");
});
document.addEventListener("click", (event) => {
  const copy = event.target.closest("[data-copy]"), picture = event.target.closest("[data-picture]");
  if (copy) copyTable(copy);
  if (picture) copyPicture(picture);
  const table = isStatic && event.target.closest("table[data-board]");
  if (!table) return;
  const link = event.target.closest("[data-opens]"), head = event.target.closest("[data-sort]");
  if (link && "inPlace" in table.dataset) {
    event.preventDefault();
    const name = link.closest("th").dataset.col;
    change((state) => {
      const others = state.getAll("open").filter((item) => item !== name), wasOpen = state.getAll("open").includes(name);
      state.delete("open");
      for (const item of wasOpen ? others : [...others, name]) state.append("open", item);
    });
  } else if (head) {
    event.preventDefault();
    change((state) => state.set("sort", head.closest("th").dataset.col));
  }
});
