// What a reader has read, answered and solved. It is kept in this browser and nowhere else, shown in the contents, and
// can be erased there. Without memory (a private window may have none) it holds for the page.
(function () {
  "use strict";
  const KEY = "course-progress";
  const here = location.pathname.split("/").pop() || "index.html";
  const links = [...document.querySelectorAll("#site-nav a")];
  const nameOf = (link) => link.getAttribute("href").split("/").pop();
  const names = links.map(nameOf);
  const kindOf = (name) => /^chapter-/.test(name) ? "chapter" : /^exercise-/.test(name) ? "exercise" : "page";
  let memory = "{}";

  function load() {
    try {
      memory = localStorage.getItem(KEY) || "{}";
    } catch (error) { /* what was said on this page */ }
    try {
      return { done: {}, questions: {}, ...JSON.parse(memory) };
    } catch (error) {
      return { done: {}, questions: {} };
    }
  }
  function save(state) {
    memory = JSON.stringify(state);
    try {
      localStorage.setItem(KEY, memory);
    } catch (error) { /* it holds for this page */ }
    show();
  }

  // `done` holds 1 for a page that is done and 0 for one that somebody has taken back; `questions` likewise.
  globalThis.CourseProgress = {
    here,
    get: (kind, name) => load()[kind][name],
    set(kind, name, value) {
      const state = load();
      state[kind][name] = value;
      save(state);
    },
  };

  // ---------------------------------------------------------------- at the end of a page
  const end = document.querySelector(".neighbours");
  let box = null;
  if (end && here !== "index.html") {
    const exercise = kindOf(here) === "exercise";
    box = document.createElement("input");
    box.type = "checkbox";
    const label = document.createElement("label");
    label.className = "done-box";
    label.append(box, exercise ? "I have solved this exercise" : "I have read this page");
    document.querySelector("article").append(label);
    box.addEventListener("change", function () { CourseProgress.set("done", here, box.checked ? 1 : 0); });
    // A reader at its end has read it; whether an exercise is solved only its author knows.
    if (!exercise) {
      const seen = new IntersectionObserver(function (entries) {
        if (!entries.some((entry) => entry.isIntersecting) || scrollY === 0) return;
        seen.disconnect();
        if (CourseProgress.get("done", here) === undefined) CourseProgress.set("done", here, 1);
      });
      seen.observe(label);
    }
  }

  // ---------------------------------------------------------------- in the contents
  const panel = document.getElementById("progress");
  const questions = Number(panel.dataset.questions);
  const bar = document.createElement("div");
  bar.className = "progress-bar";
  bar.append(document.createElement("span"));
  const text = document.createElement("p");
  const erase = document.createElement("button");
  erase.type = "button";
  erase.textContent = "Erase";
  erase.setAttribute("aria-label", "Erase my progress");
  erase.addEventListener("click", function () {
    if (!confirm("Erase what this browser remembers of your reading, answers and exercises?")) return;
    try {
      localStorage.removeItem(KEY);
    } catch (error) { /* there was no memory */ }
    memory = "{}";
    dispatchEvent(new Event("progress-erased"));
    show();
  });
  panel.append(bar, text, erase);

  function show() {
    const state = load();
    const parts = [];
    let all = 0, reached = 0;
    const count = function (done, of, thing) {
      all += of;
      reached += done;
      if (of) parts.push(`${done} of ${of} ${thing}`);
    };
    for (const [kind, thing] of [["chapter", "chapters"], ["exercise", "exercises"]]) {
      const of = names.filter((name) => kindOf(name) === kind);
      count(of.filter((name) => state.done[name]).length, of.length, thing);
    }
    count(Math.min(questions, Object.values(state.questions).filter(Boolean).length), questions, "questions");
    const others = Object.keys(state.done).filter((name) => kindOf(name) === "page" && state.done[name]).length;
    panel.hidden = reached + others === 0;
    text.textContent = parts.join(", ") + (others ? `, ${others} other page${others === 1 ? "" : "s"}` : "");
    bar.firstChild.style.width = `${Math.round(100 * reached / all)}%`;
    links.forEach(function (link, at) {
      const done = Boolean(state.done[names[at]]);
      link.classList.toggle("done", done);
      if (done) link.title = kindOf(names[at]) === "exercise" ? "solved" : "read"; else link.removeAttribute("title");
    });
    if (box) box.checked = Boolean(state.done[here]);
  }
  addEventListener("storage", function (event) { if (event.key === KEY) show(); });  // another tab
  show();
})();
