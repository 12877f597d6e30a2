// Questions whose answer is a number: one types it, and is told at once. The answer behind "Answer" stays, with its reason.
(function () {
  "use strict";

  // A number as people type it: 1,024 or 1 024, 12.5 %, 2^28, 1/4, 3e6; a unit after it is not looked at. NaN if none.
  function numberOf(text) {
    const plain = text.trim().replace(/(\d)[,\s\u202f'](?=\d{3}(?!\d))/g, "$1").replace(/[−–]/g, "-")
      .replace(/×\s*10\s*\^/, "e");
    const match = /^([-+]?\d*\.?\d+(?:e[-+]?\d+)?)(?:\s*(\^|\*\*|\/)\s*([-+]?\d*\.?\d+))?(?=$|[\s%×x]|[a-z])/i.exec(plain);
    if (!match) return NaN;
    const [first, second] = [Number(match[1]), Number(match[3])];
    return !match[2] ? first : match[2] === "/" ? first / second : first ** second;
  }

  // What a rounded number may be off is said by the question; without that it is to be exact.
  const isRight = (text, answer, within) => Math.abs(numberOf(text) - answer) <= within + 1e-9 * Math.abs(answer);

  for (const question of document.querySelectorAll(".question")) {
    const name = question.dataset.name;
    const answer = question.querySelector("details");
    const known = () => CourseProgress.get("questions", name);
    if (answer) {
      answer.addEventListener("toggle", function () {
        if (answer.open && !known()) CourseProgress.set("questions", name, "seen");
      });
    }
    if (!question.dataset.answer) continue;
    const number = Number(question.dataset.answer), within = Number(question.dataset.within || 0);
    const unit = question.dataset.unit || "";
    const form = document.createElement("form");
    form.className = "question-form";
    const input = document.createElement("input");
    input.type = "text";
    input.autocomplete = "off";
    input.setAttribute("aria-label", unit ? `Your answer, in ${unit}` : "Your answer, a number");
    input.placeholder = "a number";
    const check = document.createElement("button");
    check.type = "submit";
    check.textContent = "Check";
    const said = document.createElement("span");
    said.className = "question-said";
    said.setAttribute("role", "status");
    form.append(input, unit, check, said);
    if (answer) answer.before(form); else question.append(form);

    function tell(right, words) {
      question.classList.toggle("question-right", right === true);
      question.classList.toggle("question-wrong", right === false);
      said.textContent = words;
    }
    form.addEventListener("submit", function (event) {
      event.preventDefault();
      if (isRight(input.value, number, within)) {
        tell(true, "Right.");
        CourseProgress.set("questions", name, input.value.trim());
        if (answer) answer.open = true;
      } else if (Number.isNaN(numberOf(input.value))) {
        tell(null, "Type a number.");
      } else {
        tell(false, "Not quite. Think again, or look at the answer.");
      }
    });
    if (known() && known() !== "seen") {
      input.value = known();
      tell(true, "Right.");
    }
    addEventListener("progress-erased", function () {
      input.value = "";
      tell(null, "");
    });
  }
})();
