// Every text that is to be seen, held against the ground under it, as the browser would draw them. Gives those whose
// contrast is below what WCAG asks for at level AA: 4.5, or 3 for large text. With `paper` the ground is white, since
// browsers print no grounds unless told to.
(paper) => {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const brush = canvas.getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const colour = (text) => {
    if (!known.has(text)) {
      brush.clearRect(0, 0, 1, 1);
      brush.fillStyle = "#000";
      brush.fillStyle = text;
      brush.fillRect(0, 0, 1, 1);
      const [red, green, blue, alpha] = brush.getImageData(0, 0, 1, 1).data;
      known.set(text, [red, green, blue, alpha / 255]);
    }
    return known.get(text);
  };
  const over = (top, alpha, under) => [0, 1, 2].map((at) => top[at] * alpha + under[at] * (1 - alpha));
  const luminance = (rgb) => {
    const [red, green, blue] = rgb.map((part) => part / 255)
      .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one, other) => {
    const [lighter, darker] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (lighter + 0.05) / (darker + 0.05);
  };

  // What is under an element's text: all grounds from the root down to it, those of a gradient one by one.
  const grounds = new Map();
  const ground = (element) => {
    if (grounds.has(element)) return grounds.get(element);
    let { layers, opacity } = element.parentElement ? ground(element.parentElement) :
      { layers: [[255, 255, 255]], opacity: 1 };
    const style = getComputedStyle(element);
    opacity *= Number(style.opacity);
    if (!paper) {
      const [red, green, blue, alpha] = colour(style.backgroundColor);
      layers = layers.map((under) => over([red, green, blue], alpha * opacity, under));
      if (style.backgroundImage !== "none") {
        const stops = style.backgroundImage.match(/(?:rgba?|color|oklch|oklab|hsla?)\([^()]*\)|#[0-9a-f]{3,8}/gi) || [];
        for (const under of [...layers]) {
          for (const stop of stops.map(colour)) layers.push(over(stop, stop[3] * opacity, under));
        }
      }
    }
    grounds.set(element, { layers, opacity });
    return { layers, opacity };
  };

  const poor = new Map();
  let texts = 0;
  const judge = (element, style, text, what) => {
    ++texts;
    const { layers, opacity } = ground(element);
    const ink = colour(element instanceof SVGElement ? style.fill : style.color);
    const worst = Math.min(...layers.map((under) => contrast(over(ink, ink[3] * opacity, under), under)));
    const size = parseFloat(style.fontSize);
    const least = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    if (worst >= least) return;
    const names = [...element.classList].map((one) => "." + one).join("") || (element.id && "#" + element.id);
    const name = element.tagName.toLowerCase() + names + what;
    const key = name + worst.toFixed(2);
    if (!poor.has(key)) poor.set(key, { name, contrast: worst.toFixed(2), least, text: text.trim().slice(0, 40) });
  };

  // What shows on hovering only is to be read all the same; so is what is folded.
  const shown = document.createElement("style");
  shown.textContent = ".heading-link, .copy-button { opacity: 1 !important; }";
  document.head.append(shown);
  for (const details of document.querySelectorAll("details")) details.open = true;

  // Coloured words within one element of code that have the same class look the same: one of them is judged.
  const judged = new Map();
  const alike = (element) => {
    if (element.localName !== "span" || element.hasAttribute("style") || !element.closest("pre")) return new Set();
    const parent = element.parentElement;
    if (!judged.has(parent)) judged.set(parent, Object.create(null));
    return judged.get(parent)[element.className] ??= new Set();
  };

  const seen = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || element.closest("script, style, template")) continue;
    const known = alike(element);
    if (known.has("text") || !seen(element)) continue;
    range.selectNodeContents(node);
    if ([...range.getClientRects()].some((box) => box.width > 1 && box.height > 1)) {
      judge(element, getComputedStyle(element), node.data, "");
      known.add("text");
    }
  }
  for (const element of document.body.querySelectorAll("*")) {
    const known = alike(element);
    if (known.has("parts")) continue;
    known.add("parts");
    for (const part of ["::before", "::after"]) {
      const style = getComputedStyle(element, part);
      const words = style.content.replace(/^"|"$/g, "");
      if (!["none", "normal", ""].includes(words) && words.trim() && style.display !== "none" && seen(element)) {
        judge(element, style, words, part);
      }
    }
    if (element.placeholder && !element.value && seen(element)) {
      judge(element, getComputedStyle(element, "::placeholder"), element.placeholder, "::placeholder");
    }
    if (element.matches("input:not([type=range], [type=radio], [type=checkbox])") && element.value && seen(element)) {
      judge(element, getComputedStyle(element), element.value, "");
    }
  }
  shown.remove();
  return { texts, poor: [...poor.values()] };
}
