// Before anything is drawn: the theme that the reader chose, or else the system's. Private windows may have no memory.
(function () {
  "use strict";
  let chosen = null;
  try {
    chosen = localStorage.getItem("theme");
  } catch (error) { /* without memory the system's theme holds */ }
  const dark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.classList.add(dark ? "dark-mode" : "light-mode", "has-script");
})();
