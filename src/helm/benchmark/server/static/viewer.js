// Everything here is a convenience: pages work without it.
"use strict";

const root = document.documentElement;
root.classList.add("js");

// --- light and dark ---------------------------------------------------------------------------------------------------
function storedTheme() {
  try { return localStorage.getItem("helm-theme"); } catch { return null; }
}
function setTheme(name) {
  root.dataset.theme = name;
  try { localStorage.setItem("helm-theme", name); } catch { /* a page from a disk may have no storage */ }
}
if (storedTheme()) root.dataset.theme = storedTheme();
const themeButton = document.querySelector("[data-theme-button]");
if (themeButton) {
  themeButton.hidden = false;
  themeButton.addEventListener("click", () => {
    const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    setTheme(isDark ? "light" : "dark");
  });
}

// --- what a page's content needs: again after a part of it was replaced -----------------------------------------------------
function enhance() {
  for (const form of document.querySelectorAll("form[data-submit-on-change]")) {
    form.addEventListener("change", () => form.requestSubmit());
  }
  for (const form of document.querySelectorAll("form[method=get]")) {
    // Addresses without the fields that say nothing are easier to pass on.
    form.addEventListener("formdata", (event) => {
      for (const [name, value] of [...event.formData.entries()]) if (value === "") event.formData.delete(name);
    });
  }
  for (const element of document.querySelectorAll("[data-needs-script]")) element.hidden = false;
  for (const input of document.querySelectorAll("[data-filter-rows]")) filterRows(input);
  for (const table of document.querySelectorAll("table[data-sortable]")) makeSortable(table);
  for (const picture of document.querySelectorAll(".frame img")) if (picture.complete) picture.classList.add("loaded");
  unfold();
}
// Pictures have a white ground, for what is transparent in them, but only once they are there.
document.addEventListener("load", (event) => event.target.classList?.add("loaded"), true);
document.addEventListener("click", (event) => {
  if (!event.target.matches("[data-open-all]")) return;
  const folds = [...document.querySelectorAll(".turns details")];
  const open = folds.some((item) => !item.open);
  for (const item of folds) item.open = open;
});
// A link to an event inside a fold opens the fold.
function unfold(id = location.hash.slice(1)) {
  const target = id && document.getElementById(id);
  if (!target) return;
  for (let item = target; item; item = item.parentElement) if (item.tagName === "DETAILS") item.open = true;
  target.scrollIntoView();
}
addEventListener("hashchange", () => unfold());
function filterRows(input) {
  const rows = [...document.querySelectorAll(`#${input.dataset.filterRows} tbody tr`)];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const around = input.closest(".filters");
  const unlike = around?.querySelector("[data-unlike]"), told = around?.querySelector("[data-num-shown]");
  const scoreOf = (row, number) => row.cells[row.cells.length - unlike.options.length + number]?.textContent.trim() ?? "";
  const differ = (one, other) => one !== other && /\d/.test(one) && /\d/.test(other);
  function show() {
    const words = input.value.toLowerCase().split(/\s+/), other = Number(unlike?.value ?? 0);
    rows.forEach((row, i) => {
      row.hidden = !words.every((word) => texts[i].includes(word)) || (other > 0 && !differ(scoreOf(row, 0), scoreOf(row, other)));
    });
    if (told) told.textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length} shown`;
  }
  input.addEventListener("input", show);
  unlike?.addEventListener("change", show);
}

// Tables whose rows are all here are sorted here.
function sortRows(table, column, direction) {
  const key = (row) => {
    const found = row.cells[column];
    return found ? found.dataset.value ?? found.textContent.trim() : "";
  };
  const rows = [...table.tBodies[0].rows].sort((a, b) => {
    const [x, y] = [key(a), key(b)], [i, j] = [parseFloat(x.replace(/,/g, "")), parseFloat(y.replace(/,/g, ""))];
    if (isNaN(i) && isNaN(j)) return direction * -x.localeCompare(y);
    if (isNaN(i) || isNaN(j)) return isNaN(i) ? 1 : -1; // what has no value comes last
    return direction * (i - j);
  });
  table.tBodies[0].append(...rows);
}
function makeSortable(table) {
  [...table.tHead.rows[0].cells].forEach((cell, column) => {
    if (cell.querySelector("button.sort")) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.textContent = cell.textContent;
    cell.replaceChildren(button);
    button.addEventListener("click", () => {
      const direction = cell.getAttribute("aria-sort") === "descending" ? 1 : -1;
      for (const other of cell.parentNode.cells) other.removeAttribute("aria-sort");
      cell.setAttribute("aria-sort", direction === 1 ? "ascending" : "descending");
      sortRows(table, column, direction);
    });
  });
}
enhance();

// --- keys ---------------------------------------------------------------------------------------------------------------
const rows = () => [...document.querySelectorAll("tr[data-row], li[data-turn]")].filter((row) => !row.hidden && row.checkVisibility());
let current = -1;
function moveTo(index) {
  const all = rows();
  if (!all.length) return false;
  if (all[current]) all[current].classList.remove("current");
  current = Math.max(0, Math.min(all.length - 1, index));
  all[current].classList.add("current");
  all[current].scrollIntoView({ block: "nearest" });
  if (cells().length) return focusCell(0);
  const link = all[current].querySelector("[data-open]");
  if (link) link.focus({ preventScroll: true });
  return true;
}
// In a gallery, a row has pictures beside each other.
let column = 0;
const cells = () => [...(rows()[current]?.querySelectorAll("[data-cell]") ?? [])];
function focusCell(step) {
  const all = cells();
  column = Math.max(0, Math.min(all.length - 1, column + step));
  const target = [...all[column].querySelectorAll("[data-open], summary")].find((item) => item.checkVisibility());
  if (target) target.focus({ preventScroll: true });
  all[column].scrollIntoView({ block: "nearest", inline: "nearest" });
  return true;
}
function follow(selector) {
  const link = document.querySelector(selector);
  if (link) location.href = link.href;
}
let pendingG = false;
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (/^(input|select|textarea)$/i.test(event.target.tagName) && event.target.type !== "checkbox") {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (pendingG) {
    pendingG = false;
    const place = { l: "", r: "runs", t: "tools", c: "compilers" }[event.key];
    const links = [...document.querySelectorAll(".top nav a:not(.brand)")];
    const labels = { l: "Leaderboard", r: "Runs", t: "AD tools", c: "Compilers" };
    const link = place !== undefined && links.find((item) => item.textContent === labels[event.key]);
    if (link) location.href = link.href;
    return;
  }
  switch (event.key) {
    case "/": {
      const field = document.querySelector("[data-search]");
      if (field) { event.preventDefault(); field.focus(); field.select(); }
      break;
    }
    case "j": if (!moveTo(current + 1)) follow("a[rel=next]"); break;
    case "k": if (!moveTo(current - 1)) follow("a[rel=prev]"); break;
    case "h": case "ArrowLeft": if (cells().length) { event.preventDefault(); focusCell(-1); } break;
    case "l": case "ArrowRight": if (cells().length) { event.preventDefault(); focusCell(1); } break;
    case "o": {
      const turn = cells()[column] ?? rows()[current];
      const folds = turn ? [...turn.querySelectorAll("details")] : [];
      const open = folds.some((item) => !item.open);
      for (const item of folds) item.open = open;
      break;
    }
    case "e": {
      const all = rows(), next = all.findIndex((row, i) => i > current && "error" in row.dataset);
      if (next >= 0) moveTo(next);
      break;
    }
    case "w": follow("a[data-next-failed]"); break;
    case "n": follow("a[rel=next]"); break;
    case "p": follow("a[rel=prev]"); break;
    case "u": follow("a[rel=up]"); break;
    case "g": pendingG = true; setTimeout(() => { pendingG = false; }, 1500); break;
    case "?": document.getElementById("keys").showModal(); break;
  }
});

// --- pages that change ----------------------------------------------------------------------------------------------------
// The page is fetched again and its main part replaced, so that the place and the focus stay.
async function refresh() {
  const seconds = Number(document.body.dataset.refresh);
  if (!seconds) return;
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  const field = document.activeElement;
  const isTyping = field && /^(input|select|textarea)$/i.test(field.tagName);
  if (!document.hidden && !isTyping) {
    try {
      const answer = await fetch(location.href, { credentials: "omit" });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const open = [...document.querySelectorAll("main details")].map((item) => item.open);
      document.querySelector("main").replaceChildren(...page.querySelector("main").childNodes);
      document.querySelectorAll("main details").forEach((item, i) => { item.open = Boolean(open[i]); });
      document.querySelectorAll("body > .notice").forEach((item) => item.remove());
      document.querySelector("main").before(...page.querySelectorAll("body > .notice"));
      if (page.body.dataset.refresh) document.body.dataset.refresh = page.body.dataset.refresh;
      else delete document.body.dataset.refresh;
      current = -1;
      enhance();
    } catch { /* the server is gone; it may come back */ }
  }
  refresh();
}
refresh();
