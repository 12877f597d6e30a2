// What a term means, beside its link, on hovering and on focus. The definitions are a script (assets/glossary-terms.js),
// since a page opened from a disk may load scripts only; it is loaded when the first one is asked for.
(function () {
  "use strict";
  const root = document.documentElement.dataset.root;
  const onGlossary = document.body.classList.contains("page-glossary");
  const links = document.querySelectorAll(
    onGlossary ? '.contents p a[href^="#"], .contents li a[href^="#"]' : '.contents a[href*="glossary.html#"]');
  if (!links.length) return;
  const tip = document.createElement("div");
  tip.id = "term-preview";
  tip.className = "term-preview";
  tip.setAttribute("role", "tooltip");
  tip.hidden = true;
  document.body.append(tip);
  let shownFor = null, waiting = 0, terms = null;

  function load(then) {
    if (terms) { then(); return; }
    const script = document.createElement("script");
    script.src = root + "assets/glossary-terms.js";
    script.onload = function () { terms = window.COURSE_TERMS; then(); };
    document.head.append(script);
  }

  function hide() {
    clearTimeout(waiting);
    if (shownFor) shownFor.removeAttribute("aria-describedby");
    shownFor = null;
    tip.hidden = true;
  }

  function show(link) {
    load(function () {
      const term = terms[decodeURIComponent(link.hash.slice(1))];
      if (!term || !(link.matches(":hover") || link === document.activeElement)) return;
      hide();
      tip.innerHTML = `<strong>${term[0]}</strong> ${term[1]}`;
      tip.hidden = false;
      const at = link.getClientRects()[0], page = document.documentElement.clientWidth;
      const left = Math.max(12, Math.min(at.left, page - tip.offsetWidth - 12));
      const below = at.bottom + tip.offsetHeight + 12 < innerHeight || at.top < tip.offsetHeight + 80;
      tip.style.left = `${left + scrollX}px`;
      tip.style.top = `${(below ? at.bottom + 6 : at.top - tip.offsetHeight - 6) + scrollY}px`;
      shownFor = link;
      link.setAttribute("aria-describedby", tip.id);
    });
  }

  // It stays while the pointer is on it, and goes on Escape.
  function later(what) {
    clearTimeout(waiting);
    waiting = setTimeout(what, 180);
  }
  for (const link of links) {
    link.addEventListener("pointerenter", function (event) {
      if (event.pointerType !== "touch") later(function () { show(link); });
    });
    link.addEventListener("pointerleave", function () { later(hide); });
    link.addEventListener("focus", function () { if (link.matches(":focus-visible")) show(link); });
    link.addEventListener("blur", hide);
  }
  tip.addEventListener("pointerenter", function () { clearTimeout(waiting); });
  tip.addEventListener("pointerleave", function () { later(hide); });
  document.addEventListener("keydown", function (event) { if (event.key === "Escape") hide(); });
})();
