// Only in a static site: pages that are kept in compressed files, and the search. A page from a disk may not fetch files, but
// it may load scripts, so these files are scripts, each with one call of helmShard. Some go on from the stream of another.
"use strict";

const shards = new Map(); // key -> promise of its content
const streams = new Map(); // key -> promise of its compressed bytes, and of the key of what they go on from
const arrived = new Map(); // key -> what waits for its text
const siteRoot = document.querySelector("script[src$='static/site.js']").getAttribute("src").replace("static/site.js", "");

window.helmShard = (key, text, start) => arrived.get(key)?.([text, start]);

function loadShard(key, file) {
  if (!shards.has(key)) shards.set(key, loadStream(key, file).then(inflate));
  return shards.get(key);
}
function loadStream(key, file) {
  if (!streams.has(key)) {
    streams.set(key, new Promise((resolve, reject) => {
      arrived.set(key, resolve);
      const script = document.createElement("script");
      script.src = siteRoot + file;
      script.onerror = () => reject(new Error("this part of the site is not there"));
      document.head.append(script);
    }).then(([text, start]) => ({ bytes: Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)), start })));
  }
  return streams.get(key);
}
async function inflate({ bytes, start }) {
  const before = start ? [(await loadStream(start, `data/${start}.js`)).bytes] : [];
  const stream = new Blob([...before, bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const text = await new Response(stream).text();
  return JSON.parse(text.slice(text.lastIndexOf("\0") + 1)); // what is before the null character is common to many shards
}

// --- pages in shards ----------------------------------------------------------------------------------------------------
const WHERE = /^#([0-9a-f]{12})\/([^!]*)(?:!(.*))?$/;
const main = document.getElementById("main");

function say(title, ...lines) {
  const head = document.createElement("h1");
  head.textContent = title;
  main.replaceChildren(head, ...lines.map((line) => {
    const text = document.createElement("p");
    text.append(...line);
    return text;
  }));
}
function linkTo(href, text) {
  const link = document.createElement("a");
  link.href = href;
  link.textContent = text;
  return link;
}
async function showPage() {
  if (!document.querySelector("[data-view]") && !document.body.dataset.shown) return;
  const found = WHERE.exec(location.hash);
  if (!found) {
    if (!document.body.dataset.shown) say("Nothing is chosen", ["Open a run from a board or from the list of runs."]);
    return;
  }
  const [, key, name, place] = found;
  document.body.dataset.shown = "true";
  let content;
  try {
    content = await loadShard(key, `data/${key.slice(0, 2)}/${key}.js`);
  } catch (error) {
    say("This page cannot be read", [`Its file could not be loaded: ${error.message}.`]);
    return;
  }
  if (location.hash.slice(1, 13) !== key) return; // the reader has gone on
  const page = name.split("?")[0];
  const [title, markup] = content[name] ?? ["", ""];
  if (markup) {
    main.innerHTML = markup;
    document.title = title;
  } else {
    const cut = content.cut ? ` It has the first ${content.cut[0]} of ${content.cut[1]} instances of this run.` : "";
    say("Not in this copy", [`This site is a copy without this page.${cut}`], [linkTo(`#${key}/run`, "To the run")]);
    document.title = "Not in this copy";
  }
  if (content.cut && page === "instances") {
    const note = document.createElement("p");
    note.className = "notice";
    note.textContent = `This copy has the first ${content.cut[0]} of ${content.cut[1]} instances of this run.`;
    main.querySelector("h1").after(note);
  }
  const label = page === "compare" ? "Compare" : "Runs";
  for (const link of document.querySelectorAll(".top nav a:not(.brand)")) {
    if (link.textContent.trim() === label) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  current = -1;
  enhance();
  if (place) unfold(place);
  else scrollTo(0, 0);
  main.focus({ preventScroll: true });
}
addEventListener("hashchange", showPage);
showPage();
// Links within a page in a shard: the hash says which page it is, so they only scroll.
main.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='#']");
  if (!link || WHERE.test(link.getAttribute("href")) || !document.body.dataset.shown) return;
  event.preventDefault();
  unfold(link.getAttribute("href").slice(1));
});

// --- search -------------------------------------------------------------------------------------------------------------
const MOST_FOUND = 20;
let entries = null;

async function loadEntries() {
  if (!entries) {
    entries = (async () => {
      const first = await loadShard("search/0", "search/0.js");
      const others = Array.from({ length: first.shards - 1 }, (_, i) => loadShard(`search/${i + 1}`, `search/${i + 1}.js`));
      const all = [first, ...await Promise.all(others)].flatMap((shard) => shard.entries);
      return all.map(([kind, title, detail, link]) => ({ kind, title, detail, link, text: `${title} ${detail} ${kind}`.toLowerCase() }));
    })();
  }
  return entries;
}
const field = document.querySelector("[data-site-search]");
if (field) {
  const list = document.getElementById("site-search-found");
  const status = document.getElementById("site-search-status");
  field.closest("form").hidden = false;
  field.addEventListener("focus", () => loadEntries().catch(() => {}), { once: true });
  field.closest("form").addEventListener("submit", (event) => {
    event.preventDefault();
    const link = list.querySelector("a");
    if (link) location.href = link.href;
  });
  field.addEventListener("input", async () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const all = await loadEntries();
    const starts = (entry) => (entry.title.toLowerCase().startsWith(words[0]) ? 0 : 1);
    const found = words.length ? all.filter((entry) => words.every((word) => entry.text.includes(word))) : [];
    found.sort((a, b) => starts(a) - starts(b)); // stable: models and scenarios stay before runs
    list.replaceChildren(...found.slice(0, MOST_FOUND).map((entry) => {
      const item = document.createElement("li"), link = linkTo(siteRoot + entry.link, entry.title);
      const about = document.createElement("span");
      about.className = "muted";
      about.textContent = ` ${entry.kind} · ${entry.detail}`;
      item.append(link, about);
      return item;
    }));
    list.parentElement.hidden = !words.length;
    status.textContent = !words.length ? "" : found.length > MOST_FOUND ? `${MOST_FOUND} of ${found.length} found` : `${found.length || "nothing"} found`;
  });
  field.closest("form").addEventListener("keydown", (event) => {
    const links = [...list.querySelectorAll("a")], at = links.indexOf(document.activeElement);
    if (event.key === "Escape") { list.parentElement.hidden = true; field.focus(); }
    if (event.key === "ArrowDown" && links.length) { event.preventDefault(); links[Math.min(at + 1, links.length - 1)].focus(); }
    if (event.key === "ArrowUp" && at >= 0) { event.preventDefault(); (links[at - 1] ?? field).focus(); }
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest(".site-search")) list.parentElement.hidden = true;
    else if (event.target.closest("#site-search-found a")) { list.parentElement.hidden = true; field.value = ""; }
  });
}
