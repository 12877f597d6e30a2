// Search as you type. The index (assets/search-index.js) is loaded when the box is first used; it is a script and no
// data file, since a page opened from a disk may load scripts only. stem() and `word` are those of
// docs/site/site_search.py.
(function () {
  "use strict";
  const input = document.getElementById("search-input");
  const panel = document.getElementById("search-panel");
  const list = document.getElementById("search-results");
  const status = document.getElementById("search-status");
  const root = document.documentElement.dataset.root;
  const word = /[\p{L}\p{N}]+(?:_[\p{L}\p{N}]+)*_*/gu;
  const mostResults = 12, mostOfAPage = 3;  // until all are asked for
  const weights = { home: 0.9, chapters: 1.3, more: 0.9, guides: 1.1, glossary: 1.4, exercises: 0.8, api: 0.6 };
  const more = document.getElementById("search-more");
  let index = null;
  let vocabulary = [];
  let chosen = -1;

  function stem(text) {
    let it = text.toLowerCase();
    if (!/^[a-z]+$/.test(it) || it.length < 4) return it;
    if (it.endsWith("ies") && it.length > 4) it = it.slice(0, -3) + "y";
    else if (it.endsWith("sses")) it = it.slice(0, -2);
    else if (it.endsWith("s") && !/(ss|us|is)$/.test(it)) it = it.slice(0, -1);
    for (const ending of ["ing", "ed"]) {
      const rest = it.slice(0, -ending.length);
      if (it.endsWith(ending) && rest.length >= 3 && /[aeiouy]/.test(rest)) {
        const a = rest[rest.length - 1];
        it = rest.length > 3 && a === rest[rest.length - 2] && !"lsz".includes(a) ? rest.slice(0, -1) : rest;
        break;
      }
    }
    return it.endsWith("e") && it.length > 3 ? it.slice(0, -1) : it;
  }

  function stems(text) {
    return (text.match(word) || []).map(stem);
  }

  function load(then) {
    if (index) { then(); return; }
    const script = document.createElement("script");
    script.src = root + "assets/search-index.js";
    script.onload = function () {
      if (!index) {
        index = window.COURSE_SEARCH;
        vocabulary = Object.keys(index.terms).sort();
        index.places = new Map();
      }
      then();
    };
    script.onerror = function () { status.textContent = "The search's index is missing."; };
    document.head.append(script);
  }

  // Where a word is: section -> positions.
  function placesOf(term) {
    if (!index.places.has(term)) {
      const places = new Map();
      const packed = Object.hasOwn(index.terms, term) ? index.terms[term] : "";
      for (const part of packed ? packed.split(";") : []) {
        const [section, positions] = part.split(":");
        places.set(Number(section), positions.split(",").map(Number));
      }
      index.places.set(term, places);
    }
    return index.places.get(term);
  }

  // The words of the index that a word of the question stands for; the last one may be unfinished. One that is not there
  // is taken for those that are nearest to it.
  function meant(text, isLast) {
    const exact = stem(text);
    const found = [exact];
    if (isLast && text.length > 1) {
      const start = text.toLowerCase();
      let low = 0;
      for (let high = vocabulary.length; low < high;) {
        const middle = (low + high) >> 1;
        if (vocabulary[middle] < start) low = middle + 1; else high = middle;
      }
      for (; low < vocabulary.length && vocabulary[low].startsWith(start) && found.length < 40; ++low) {
        if (vocabulary[low] !== exact) found.push(vocabulary[low]);
      }
    }
    if (found.length > 1 || Object.hasOwn(index.terms, exact)) return found;
    return CourseSpelling.nearest(exact, vocabulary, (term) => placesOf(term).size, isLast);
  }

  function search(question) {
    const words = question.match(word) || [];
    if (!words.length) return { terms: [], results: [], guessed: [] };
    const terms = words.map((text, at) => meant(text, at === words.length - 1));
    const guessed = words.filter((text, at) => terms[at].length && !terms[at].includes(stem(text)));
    const scores = new Map();
    const sections = index.sections.length;
    terms.forEach(function (names, number) {
      const best = new Map();
      names.forEach(function (name, at) {
        const places = placesOf(name);
        const rare = Math.log(1 + sections / (1 + places.size));
        for (const [section, positions] of places) {
          const heading = (index.sections[section][1].match(word) || []).length;
          const inHeading = positions[0] < heading ? 3 : 0;
          const score = rare * (Math.min(3, 1 + Math.log(positions.length)) + inHeading) * (at ? 0.6 : 1);
          best.set(section, Math.max(score, best.get(section) || 0));
        }
      });
      for (const [section, score] of best) {
        const entry = scores.get(section) || { score: 0, words: new Set() };
        entry.score += score;
        entry.words.add(number);
        scores.set(section, entry);
      }
    });
    const all = [...scores].filter(([, entry]) => entry.words.size === terms.length);
    const asked = words.map(stem).join(" ");
    const explained = index.explained[asked];
    const results = (all.length ? all : [...scores]).map(function ([section, entry]) {
      const page = index.pages[index.sections[section][0]], weight = weights[page[2]] || 1;
      const at = terms.length > 1 && entry.words.size === terms.length ? phrase(section, terms) : -1;
      let score = entry.score * weight + 100 * (entry.words.size - terms.length);
      if (page[2] === "glossary") score += ofTerm(index.sections[section][1], asked, terms);
      const title = stems(page[0]);
      if (terms.every((names) => names.some((name) => title.includes(name)))) {
        score += opensPage(section) ? 2000 * weight : 400;
      }
      if (at >= 0) score += 1000;
      if (page[2] === "chapters") score += 60;  // they explain, guides and handouts use
      if (section === explained) score += 4000;  // the glossary sends its readers there
      return { section, score, at };
    });
    results.sort((a, b) => b.score - a.score || a.section - b.section);
    return { terms, results, guessed };
  }

  // The score of a term of the glossary, for a reader who asks for it, or has typed the beginning: it comes first.
  function ofTerm(term, asked, terms) {
    const own = stems(term);
    if (own.join(" ") === asked) return 8000;
    return own.length === terms.length && own.every((name, at) => terms[at].includes(name)) ? 1500 : 0;
  }

  // Whether a section is the first of its page: what is below the title.
  function opensPage(section) {
    return section === 0 || index.sections[section - 1][0] !== index.sections[section][0];
  }

  // The position at which the words of the question follow each other in a section; -1 if nowhere.
  function phrase(section, terms) {
    const at = terms.map(function (names) {
      const positions = new Set();
      for (const name of names) for (const place of placesOf(name).get(section) || []) positions.add(place);
      return positions;
    });
    for (const start of [...at[0]].sort((a, b) => a - b)) {
      if (at.every((positions, offset) => positions.has(start + offset))) return start;
    }
    return -1;
  }

  // The words of a text, each with whether the question asked for it.
  function wordsOf(text, wanted) {
    return [...text.matchAll(word)].map((match) => ({ start: match.index, end: match.index + match[0].length,
      hit: wanted.has(stem(match[0])) || match[0].split("_").some((part) => part && wanted.has(stem(part))) }));
  }

  // Appends text[start … stop) to an element, with what was asked for marked.
  function appendMarked(element, text, found, start, stop) {
    let end = start;
    for (const entry of found) {
      if (!entry.hit || entry.start < start || entry.end > stop) continue;
      const mark = document.createElement("mark");
      mark.textContent = text.slice(entry.start, entry.end);
      element.append(text.slice(end, entry.start), mark);
      end = entry.end;
    }
    element.append(text.slice(end, stop));
  }

  function appendHeading(link, kind, text, wanted) {
    const part = document.createElement("span");
    part.className = kind;
    appendMarked(part, text, wordsOf(text, wanted), 0, text.length);
    link.append(part);
  }

  // A piece of the section's text around the best place, with the words marked.
  function excerpt(element, section, wanted, at) {
    const [, heading, , text] = index.sections[section];
    const before = (heading.match(word) || []).length;
    const found = wordsOf(text, wanted);
    const first = Math.max(0, at >= before ? at - before : found.findIndex((entry) => entry.hit));
    const from = found[Math.max(0, first - 8)], to = found[Math.min(found.length - 1, first + 20)];
    if (!from) return;
    const start = text.lastIndexOf(" ", from.start) + 1;
    if (start > 0) element.append("… ");
    appendMarked(element, text, found, start, to.end);
    if (to.end < text.length) element.append(" …");
  }

  function choose(number) {
    const options = list.querySelectorAll(".search-result");
    if (chosen >= 0 && options[chosen]) options[chosen].setAttribute("aria-selected", "false");
    chosen = options.length ? (number + options.length) % options.length : -1;
    if (chosen < 0) { input.removeAttribute("aria-activedescendant"); return; }
    options[chosen].setAttribute("aria-selected", "true");
    options[chosen].scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", options[chosen].id);
  }

  function show(open) {
    panel.hidden = !open;
    input.setAttribute("aria-expanded", String(open));
    if (!open) input.removeAttribute("aria-activedescendant");
  }

  function update() {
    const question = input.value.trim();
    if (!question) { list.replaceChildren(); show(false); return; }
    load(function () {
      if (input.value.trim() !== question) return;  // typed on meanwhile
      fill(question, false);
    });
  }

  // The best places first: a dozen of them, and of each page a few, or all.
  function fill(question, all) {
    const { terms, results, guessed } = search(question);
    const wanted = new Set(terms.flat());
    const ofPage = new Map();
    const best = results.filter(function ({ section }) {
      const page = index.sections[section][0];
      ofPage.set(page, (ofPage.get(page) || 0) + 1);
      return ofPage.get(page) <= mostOfAPage;
    }).slice(0, mostResults);
    const shown = all ? results : best;
    list.replaceChildren(...shown.map(function ({ section, at }, number) {
      const [page, heading, anchor] = index.sections[section];
      const [title, url] = index.pages[page];
      const item = document.createElement("li");
      item.setAttribute("role", "none");
      const link = document.createElement("a");
      link.id = "search-result-" + number;
      link.className = "search-result";
      link.setAttribute("role", "option");
      link.setAttribute("aria-selected", "false");
      link.href = root + url + (anchor ? "#" + anchor : "");
      link.tabIndex = -1;
      appendHeading(link, "search-title", title, wanted);
      if (heading && heading !== title) appendHeading(link, "search-section", heading, wanted);
      const text = document.createElement("span");
      text.className = "search-excerpt";
      excerpt(text, section, wanted, at);
      link.append(text);
      item.append(link);
      return item;
    }));
    chosen = -1;
    input.removeAttribute("aria-activedescendant");
    const count = results.length, places = count + (count === 1 ? " place" : " places");
    status.textContent = count === 0 ? "Nothing found for “" + question + "”." :
      (guessed.length ? "No page has “" + guessed.join("”, “") + "”. With the nearest words: " : "") +
      (shown.length < count ? shown.length + " of " + places : places);
    more.hidden = shown.length === count;
    more.textContent = "Show all " + places;
    show(true);
  }

  more.addEventListener("click", function () {
    fill(input.value.trim(), true);
    panel.focus();
  });
  input.addEventListener("input", update);
  input.addEventListener("focus", function () { load(function () {}); if (input.value.trim()) update(); });
  input.addEventListener("keydown", function (event) {
    if (event.key === "ArrowDown") { choose(chosen + 1); event.preventDefault(); }
    else if (event.key === "ArrowUp") { choose(chosen < 0 ? -1 : chosen - 1); event.preventDefault(); }
    else if (event.key === "Enter") {
      const link = list.querySelectorAll(".search-result")[Math.max(0, chosen)];
      if (link && !panel.hidden) { show(false); link.click(); }
      event.preventDefault();
    } else if (event.key === "Escape") {
      if (!panel.hidden) show(false); else { input.value = ""; input.blur(); }
      event.preventDefault();
      event.stopPropagation();
    }
  });
  document.addEventListener("keydown", function (event) {
    const typing = event.target.closest("input, textarea, select, [contenteditable]");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      input.focus();
      input.select();
      event.preventDefault();
    }
  });
  document.addEventListener("click", function (event) {
    if (!event.target.closest(".search")) show(false);
  });

  const asked = new URLSearchParams(location.search).get("search");  // page.html?search=leading+dimension
  if (asked) {
    input.value = asked;
    update();
  }
})();
