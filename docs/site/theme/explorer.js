// The access explorer: an index expression, its numbers on sliders, and live what 32 lanes ask of memory with it.
// A page's mark `explorer: NAME` has become <div class="explorer" data-cases="NAME">; what that holds, today's picture,
// stays for readers without scripts and for paper.
(function () {
  "use strict";
  const ELEMENTS = { char: 1, half: 2, float: 4, double: 8, float2: 8, float4: 16 };
  const MEMORIES = { global: "global memory", "shared load": "shared memory, a load",
    "shared store": "shared memory, a store" };
  const BLOCKS = [1, 2, 4, 8, 16, 32];
  const GIVEN = ["lane", "threadIdx.x", "threadIdx.y", "blockDim.x"];
  let count = 0;

  function make(kind, attributes, ...children) {
    const element = document.createElement(kind);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }
  function choice(label, options, id) {
    const select = make("select", { id });
    for (const [value, text] of options) select.append(make("option", { value }, text));
    return [make("label", { class: "field", for: id }, make("span", {}, label), select), select];
  }
  const plural = (number, thing) => number === 1 ? thing : thing + "s";
  const many = (number, thing) => `${number} ${plural(number, thing)}`;

  // What the lanes ask for: 32 first bytes, for an expression and the values of its names.
  function lanesOf(expression, state) {
    const inner = Object.entries(state.names || {}).map(([name, text]) => [name, CourseIndex.parse(text)]);
    return Array.from({ length: CourseAccess.LANES }, function (_, lane) {
      if (lane >= state.active) return null;
      const of = { ...state.values, lane, "threadIdx.x": lane % state.block, "threadIdx.y": Math.floor(lane / state.block),
        "blockDim.x": state.block };
      for (const [name, parsed] of inner) of[name] = parsed.value(of);
      const index = expression.value(of);
      if (index < 0) throw new Error(`lane ${lane} would read before the array: its index is ${index}`);
      return index * state.bytes;
    });
  }

  function figures(access) {
    if (access.memory === "global") {
      const cost = CourseAccess.globalCost(access.lanes, access.bytes);
      const used = cost.sectors ? Math.round(1000 * cost.bytes / (32 * cost.sectors)) / 10 : 0;
      return { cost, good: cost.sectors === cost.ideal,
        shown: [[1, "request"], [cost.sectors, plural(cost.sectors, "sector")], [cost.ideal, "would do"],
          [`${used} %`, "of the bytes used"]],
        said: `1 request, ${many(cost.sectors, "sector")}, ${cost.ideal} would do; ${used} % of the bytes moved are used.` };
    }
    const cost = CourseAccess.sharedCost(access.lanes, access.bytes, access.memory === "shared store");
    return { cost, good: cost.conflicts === 0,
      shown: [[1, "request"], [cost.wavefronts, plural(cost.wavefronts, "wavefront")],
        [cost.conflicts, plural(cost.conflicts, "conflict")],
        [cost.groups.length, plural(cost.groups.length, "group") + " of lanes"]],
      said: `1 request, ${many(cost.wavefronts, "wavefront")}, ${many(cost.conflicts, "bank conflict")}.` };
  }

  function explorer(place, cases) {
    const id = "explorer-" + ++count;
    const state = { active: 32 };
    let expression = null, lanes = null, followed = -1, width = 0;

    const tabs = make("fieldset", { class: "explorer-cases" }, make("legend", {}, "The access"));
    cases.forEach(function (one, number) {
      const radio = make("input", { type: "radio", name: id + "-case", id: `${id}-case-${number}` });
      radio.addEventListener("change", function () { start(one); });
      tabs.append(make("span", {}, radio, make("label", { for: radio.id }, one.title)));
    });
    const array = make("span", { class: "explorer-array" });
    const input = make("input", { type: "text", id: id + "-index", spellcheck: "false", autocapitalize: "off",
      autocomplete: "off", "aria-describedby": id + "-note",
      "aria-label": "The index, an expression of lane, threadIdx.x, threadIdx.y and names of your own" });
    const line = make("div", { class: "explorer-line" }, array, input, make("span", {}, "]"));
    const where = make("p", { class: "explorer-where" });
    const sliders = make("div", { class: "explorer-sliders" });
    const [elementField, element] = choice("Element", Object.entries(ELEMENTS).map(([name, bytes]) =>
      [name, `${name}, ${many(bytes, "byte")}`]), id + "-element");
    const [memoryField, memory] = choice("Memory", Object.entries(MEMORIES), id + "-memory");
    const [blockField, block] = choice("Block width",
      BLOCKS.map((size) => [size, size === 32 ? "32 or more" : size]), id + "-block");
    const [activeField, active] = choice("Lanes taking part",
      [32, 31, 24, 16, 8, 1].map((size) => [size, size]), id + "-active");
    const numbers = make("dl", { class: "explorer-figures" });
    const verdict = make("p", { class: "visually-hidden", role: "status" });
    const picture = make("div", { class: "explorer-picture" });
    const follow = make("input", { type: "range", min: -1, max: 31, value: -1, id: id + "-follow" });
    const followText = make("output", { for: follow.id, class: "explorer-followed" });
    const note = make("p", { class: "explorer-note", id: id + "-note" });
    place.append(make("div", { class: "explorer-live", role: "group", "aria-label": "Access explorer" },
      make("p", { class: "explorer-title" }, "What does a warp ask of memory?"), tabs, line, where, sliders,
      make("div", { class: "explorer-fields" }, elementField, memoryField, blockField, activeField),
      numbers, verdict, picture,
      make("div", { class: "explorer-follow" }, make("label", { for: follow.id }, "Follow a lane"), follow, followText),
      note));

    function slider(name, value, least, most) {
      const field = make("div", { class: "explorer-slider" });
      const range = make("input", { type: "range", min: least, max: most, value, id: `${id}-${name}` });
      const number = make("input", { type: "number", min: 0, value, "aria-label": `${name}, as a number`,
        inputmode: "numeric" });
      state.values[name] = value;
      const set = function (text, other) {
        if (text === "" || !Number.isInteger(Number(text))) return;
        state.values[name] = Number(text);
        other.value = text;
        update();
      };
      range.addEventListener("input", function () { set(range.value, number); });
      for (const one of [range, number]) one.addEventListener("change", function () { picture.style.minHeight = ""; });
      number.addEventListener("input", function () { set(number.value, range); });
      field.append(make("label", { for: range.id }, name), range, number);
      return field;
    }

    // A slider for each name in the expression that nothing gives, in the order in which they are there.
    function showSliders(known) {
      const old = state.values || {};
      state.values = {};
      const given = (name) => GIVEN.includes(name) || Object.hasOwn(state.names || {}, name);
      sliders.replaceChildren(...expression.names.filter((name) => !given(name))
        .map((name) => Object.hasOwn(known, name) ? slider(name, ...known[name]) : slider(name, old[name] ?? 1, 0, 64)));
    }

    function start(one) {
      Object.assign(state, { memory: one.memory || "global", names: one.names, sliders: one.sliders });
      array.textContent = `${one.array}[`;
      input.value = one.index;
      element.value = one.element || "float";
      memory.value = state.memory;
      block.value = one.block || 32;
      active.value = 32;
      note.textContent = one.note;
      where.textContent = one.names ? "where " + Object.entries(one.names).map((pair) => pair.join(" = ")).join(", ") : "";
      where.hidden = !one.names;
      picture.style.minHeight = "";
      read();
    }

    function read() {
      try {
        const parsed = CourseIndex.parse(input.value);
        const same = expression && parsed.names.join() === expression.names.join() && state.shown === state.sliders;
        expression = parsed;
        if (!same) showSliders(state.sliders);
        state.shown = state.sliders;
      } catch (error) {
        complain(error);
        return;
      }
      update();
    }

    function complain(error) {
      input.setAttribute("aria-invalid", "true");
      place.classList.add("explorer-wrong");
      verdict.textContent = numbers.textContent = "";
      numbers.append(make("div", { class: "explorer-error" }, make("dt", {}, "This index cannot be drawn"),
        make("dd", {}, error.message + ".")));
    }

    function update() {
      Object.assign(state, { bytes: ELEMENTS[element.value], memory: memory.value, block: Number(block.value),
        active: Number(active.value) });
      const text = input.value + " " + Object.values(state.names || {}).join(" ");
      blockField.hidden = !/threadIdx|blockDim/.test(text);
      try {
        lanes = lanesOf(expression, state);
      } catch (error) {
        complain(error);
        return;
      }
      input.removeAttribute("aria-invalid");
      place.classList.remove("explorer-wrong");
      const access = { lanes, bytes: state.bytes, memory: state.memory };
      const { cost, good, shown, said } = figures(access);
      numbers.replaceChildren(...shown.map(([number, thing], at) => make("div", { class: at === 1 ? (good ? "good" : "poor") : "" },
        make("dt", {}, thing), make("dd", {}, String(number)))));
      verdict.textContent = said;
      if (!width) return;
      picture.innerHTML = CourseDrawing(access, cost, width);
      // What is below must not jump while a slider is pulled; once it is let go, there need be no gap.
      picture.style.minHeight = `${Math.max(parseFloat(picture.style.minHeight) || 0, picture.firstChild.clientHeight)}px`;
      picture.firstChild.setAttribute("aria-label", `The 32 lanes and what they ask of ${MEMORIES[state.memory]}: ${said}`);
      mark();
    }

    function mark() {
      for (const one of picture.querySelectorAll(".followed")) one.classList.remove("followed");
      picture.classList.toggle("follows", followed >= 0);
      for (const one of picture.querySelectorAll(".lane-" + followed)) one.classList.add("followed");
      follow.value = followed;
      const first = followed >= 0 ? lanes[followed] : null;
      const unit = state.memory === "global" ? `sector ${Math.floor(first / 32)}` :
        `bank ${Math.floor(first / 4) % 32}${state.bytes > 4 ? " and on" : ""}`;
      followText.textContent = followed < 0 ? "none" : first === null ? `lane ${followed} takes no part` :
        `lane ${followed}: ${array.textContent}${first / state.bytes}], byte ${first}, ${unit}`;
      follow.setAttribute("aria-valuetext", followText.textContent);
    }
    follow.addEventListener("input", function () { followed = Number(follow.value); mark(); });
    for (const kind of ["pointermove", "click"]) {
      picture.addEventListener(kind, function (event) {
        const lane = event.target.dataset.lane;
        if (kind === "click" || lane !== undefined) followed = lane === undefined ? -1 : Number(lane);
        mark();
      });
    }
    picture.addEventListener("pointerleave", function (event) {
      if (event.pointerType === "mouse") { followed = -1; mark(); }
    });

    input.addEventListener("input", read);
    for (const select of [element, memory, block, active]) select.addEventListener("change", update);
    new ResizeObserver(function () {
      const now = Math.floor(picture.clientWidth);
      if (now && now !== width) { width = now; picture.style.minHeight = ""; update(); }
    }).observe(picture);
    tabs.querySelector("input").checked = true;
    start(cases[0]);
    place.classList.add("explorer-started");
  }

  for (const place of document.querySelectorAll(".explorer")) explorer(place, CourseCases[place.dataset.cases]);
})();
