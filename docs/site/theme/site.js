// The theme switch, the menu on small screens, and the mark in "on this page".
(function () {
  "use strict";
  const root = document.documentElement;

  // ---------------------------------------------------------------- theme
  const toggle = document.getElementById("theme-toggle");
  function showTheme(dark) {
    root.classList.toggle("dark-mode", dark);
    root.classList.toggle("light-mode", !dark);
    toggle.setAttribute("aria-pressed", String(dark));
  }
  function remembered() {
    try {
      return localStorage.getItem("theme");
    } catch (error) {
      return null;
    }
  }
  const system = matchMedia("(prefers-color-scheme: dark)");
  showTheme(root.classList.contains("dark-mode"));
  toggle.addEventListener("click", function () {
    const dark = !root.classList.contains("dark-mode");
    showTheme(dark);
    try {
      localStorage.setItem("theme", dark ? "dark" : "light");
    } catch (error) { /* it holds for this page */ }
  });
  system.addEventListener("change", function () {
    if (!remembered()) showTheme(system.matches);
  });

  // ---------------------------------------------------------------- menu
  const button = document.getElementById("menu-button");
  const nav = document.getElementById("site-nav");
  function showMenu(open) {
    root.classList.toggle("menu-open", open);
    button.setAttribute("aria-expanded", String(open));
    button.setAttribute("aria-label", open ? "Close the contents" : "Contents");
  }
  button.addEventListener("click", function () {
    showMenu(!root.classList.contains("menu-open"));
  });
  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape" && root.classList.contains("menu-open")) {
      showMenu(false);
      button.focus();
    }
  });
  document.addEventListener("click", function (event) {
    const inside = nav.contains(event.target) || button.contains(event.target);
    if (!inside) showMenu(false);
  });
  const here = nav.querySelector("[aria-current]");
  if (here && here.offsetTop > nav.clientHeight * 0.7) nav.scrollTop = here.offsetTop - nav.clientHeight / 2;

  // ---------------------------------------------------------------- on this page
  const toc = document.querySelector(".toc");
  if (toc) {
    if (matchMedia("(max-width: 1419px)").matches) toc.querySelector("details").open = false;
    const links = new Map();
    for (const link of toc.querySelectorAll("a")) {
      const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)));
      if (heading) links.set(heading, link);
    }
    let last = null;
    const mark = function () {
      let current = null;
      for (const heading of links.keys()) {
        if (heading.getBoundingClientRect().top < 140) current = heading;
      }
      if (current === last) return;
      last = current;
      for (const [heading, link] of links) {
        if (heading === current) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      }
    };
    let waiting = false;
    addEventListener("scroll", function () {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(function () { waiting = false; mark(); });
    }, { passive: true });
    mark();
  }
})();
