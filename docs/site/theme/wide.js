// What is wider than the page scrolls by itself: tables, pictures, code. This says at which edges there is more, for
// wide.css to show it, and takes what does not scroll out of the keyboard's way.
(function () {
  "use strict";
  function note(box) {
    const rest = box.scrollWidth - box.clientWidth;
    box.classList.toggle("scrolls", rest > 1);
    box.classList.toggle("more-left", box.scrollLeft > 1);
    box.classList.toggle("more-right", box.scrollLeft < rest - 1);
    if (rest > 1) box.tabIndex = 0; else box.removeAttribute("tabindex");
    const first = box.querySelector("tr > :first-child");
    if (first) box.classList.toggle("keeps-first", rest > 1 && first.offsetWidth < 0.5 * box.clientWidth);
  }
  const sizes = new ResizeObserver(function (entries) {
    for (const entry of entries) note(entry.target);
  });
  const wide = ".table-box, .picture-box, .code pre, .fragment, .memberdecls, .memproto, .directory";
  for (const box of document.querySelectorAll(wide)) {
    sizes.observe(box);
    box.addEventListener("scroll", function () { note(box); }, { passive: true });
  }

  // ---------------------------------------------------------------- a picture as large as the screen
  let dialog = null;
  function enlarge(picture) {
    if (!dialog) {
      dialog = document.createElement("dialog");
      dialog.className = "enlarged";
      dialog.setAttribute("aria-label", "The picture, enlarged");
      const close = document.createElement("button");
      close.type = "button";
      close.className = "close-button";
      close.textContent = "Close";
      close.addEventListener("click", function () { dialog.close(); });
      const box = document.createElement("div");
      box.className = "enlarged-box";
      box.tabIndex = 0;
      box.setAttribute("role", "group");
      box.setAttribute("aria-label", "Picture");
      box.addEventListener("click", function () { dialog.close(); });
      dialog.append(close, box);
      document.body.append(dialog);
    }
    const images = [...picture.querySelectorAll("img")].map(function (image) {
      const copy = image.cloneNode();
      copy.loading = "eager";
      return copy;
    });
    const box = dialog.querySelector(".enlarged-box");
    box.classList.toggle("on-card", picture.classList.contains("on-card"));
    box.replaceChildren(...images);
    dialog.showModal();
    box.scrollTo(0, 0);
  }
  for (const picture of document.querySelectorAll(".contents .picture")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "enlarge-button";
    button.textContent = "Enlarge";
    button.setAttribute("aria-label", "Enlarge the picture");
    button.addEventListener("click", function () { enlarge(picture); });
    picture.querySelector(".picture-box").addEventListener("click", function () { enlarge(picture); });
    picture.append(button);
  }
})();
