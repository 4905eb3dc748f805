() => {
  // What axe would complain about most: names of controls and images, one h1, order of headings, landmarks, labels of tables and
  // regions, contrast of text, ids that are there twice, content wider than the window.
  const wrong = [];
  const alts = (e) => [...e.querySelectorAll("img")].map((item) => item.alt).join(" ");
  const name = (e) => (e.getAttribute("aria-label") || e.textContent.trim() || alts(e) || e.getAttribute("title") || "").trim();
  const shown = (e) => { const r = e.getBoundingClientRect(); return r.width > 0 && r.height > 0; };
  if (!document.documentElement.lang) wrong.push("no language");
  if (!document.title.trim()) wrong.push("no title");
  if (document.querySelectorAll("h1").length !== 1) wrong.push("h1: " + document.querySelectorAll("h1").length);
  if (document.querySelectorAll("main").length !== 1) wrong.push("main");
  let level = 1;
  for (const h of document.querySelectorAll("main h1, main h2, main h3, main h4")) {
    const own = Number(h.tagName[1]);
    if (own > level + 2) wrong.push("heading jumps: " + h.textContent.slice(0, 30));
    level = own;
  }
  for (const e of document.querySelectorAll("img")) if (!e.hasAttribute("alt")) wrong.push("no alt: " + e.outerHTML.slice(0, 80));
  for (const e of document.querySelectorAll("a[href], button")) if (shown(e) && !name(e)) wrong.push("no name: " + e.outerHTML.slice(0, 80));
  for (const e of document.querySelectorAll("input:not([type=hidden]), select")) {
    if (!e.getAttribute("aria-label") && !(e.labels && e.labels.length)) wrong.push("no label: " + e.outerHTML.slice(0, 80));
  }
  for (const e of document.querySelectorAll("svg")) {
    if (e.getAttribute("aria-hidden") !== "true" && !(e.getAttribute("role") === "img" && e.getAttribute("aria-label"))) wrong.push("svg");
  }
  for (const e of document.querySelectorAll("[role=region], nav")) if (!e.getAttribute("aria-label")) wrong.push("region without name");
  for (const e of document.querySelectorAll("thead th")) if (!e.textContent.trim()) wrong.push("empty head");
  for (const e of document.querySelectorAll(".scroll")) {
    if (e.scrollWidth > e.clientWidth + 1 && e.tabIndex < 0) wrong.push("cannot be scrolled by keys");
  }
  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  if (new Set(ids).size !== ids.length) wrong.push("ids twice");
  const parse = (c) => {
    const m = c.match(/[\d.]+/g).map(Number), scale = c.startsWith("color(") ? 255 : 1;
    return [m[0] * scale, m[1] * scale, m[2] * scale, m[3] ?? 1];
  };
  const light = (c) => {
    const f = c.slice(0, 3).map((v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * f[0] + 0.7152 * f[1] + 0.0722 * f[2];
  };
  const behind = (e) => {
    for (; e; e = e.parentElement) {
      const c = parse(getComputedStyle(e).backgroundColor);
      if (c[3] > 0) return c;
    }
    return [255, 255, 255, 1];
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let n = walker.nextNode(); n; n = walker.nextNode()) {
    const e = n.parentElement;
    if (!n.textContent.trim() || !shown(e) || e.closest("svg, script, noscript, dialog, option, .hidden, .skip")) continue;
    const a = light(parse(getComputedStyle(e).color)), b = light(behind(e));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) wrong.push(`contrast ${ratio.toFixed(2)}: ${n.textContent.trim().slice(0, 30)}`);
  }
  const extra = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (extra > 0) wrong.push("wider than the window by " + extra);
  return wrong;
}
