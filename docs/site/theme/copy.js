// A button on each block of code that copies it: of a transcript the commands alone, as they are typed.
(function () {
  "use strict";

  const PROMPT = /^(?:\$|\(gdb\)) /;  // the shell's, and the debugger's
  const isTranscript = (text) => text.split("\n").some((line) => PROMPT.test(line));

  // What comes after a prompt, with the lines that go on after a backslash; all of it if there is no prompt.
  function commands(text) {
    if (!isTranscript(text)) return text;
    const kept = [];
    let goesOn = false;
    for (const line of text.split("\n")) {
      const asked = PROMPT.test(line);
      if (asked || goesOn) kept.push(asked ? line.replace(PROMPT, "") : line.replace(/^> /, ""));
      goesOn = (asked || goesOn) && line.endsWith("\\");
    }
    return kept.join("\n") + "\n";
  }

  for (const block of document.querySelectorAll("div.code")) {
    const code = block.querySelector("code");
    const copy = document.createElement("button");
    copy.type = "button";
    copy.className = "copy-button";
    copy.textContent = "Copy";
    copy.setAttribute("aria-label", isTranscript(code.textContent) ? "Copy the commands" : "Copy the code");
    copy.addEventListener("click", function () {
      const done = function (said) {
        copy.textContent = said;
        setTimeout(function () { copy.textContent = "Copy"; }, 1500);
      };
      if (navigator.clipboard) {
        navigator.clipboard.writeText(commands(code.textContent))
          .then(function () { done("Copied"); }, function () { done("Failed"); });
      } else {
        done("Failed");
      }
    });
    block.append(copy);
  }
})();
