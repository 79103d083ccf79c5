// Checks of an HTML page, run in the page itself by TestPagesInBrowser.

const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });

// over returns the colour [r, g, b] of a CSS colour painted over another colour.
function over(below, css) {
  canvas.fillStyle = `rgb(${below.join()})`;
  canvas.fillRect(0, 0, 1, 1);
  canvas.fillStyle = css;
  canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
}

// background returns the colour behind the text of an element.
function background(element) {
  const below = element.parentElement ? background(element.parentElement) : [255, 255, 255];
  return over(below, getComputedStyle(element).backgroundColor);
}

// luminance is the relative luminance of WCAG 2.
function luminance(rgb) {
  const [r, g, b] = rgb.map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

// paleTexts returns the texts whose contrast is below that of WCAG 2 AA, each look once.
function paleTexts() {
  const pale = new Map(), seen = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode()); ) {
    const element = node.parentElement;
    if (!node.data.trim() || element.closest("style")) continue;
    const look = element.parentElement.className + ">" + element.tagName + "." + element.className + "." + element.closest("details")?.className;
    if (seen.has(look)) continue;
    seen.add(look);
    const behind = background(element), front = over(behind, getComputedStyle(element).color);
    const [low, high] = [luminance(behind), luminance(front)].sort((a, b) => a - b);
    const contrast = (high + 0.05) / (low + 0.05);
    if (contrast < 4.5) pale.set(look, `${contrast.toFixed(2)} ${look}: ${node.data.trim().slice(0, 40)}`);
  }
  return [...pale.values()];
}

// follow follows a link as the Enter key does, and reports whether its target is shown then.
async function follow(link) {
  link.click();
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  return document.getElementById(decodeURIComponent(link.hash.slice(1))).checkVisibility({ contentVisibilityAuto: true });
}

// scriptRuns reports whether the page lets a script run that is added to it.
function scriptRuns() {
  const script = document.createElement("script");
  script.textContent = "globalThis.ran = true";
  document.body.append(script);
  script.remove();
  return globalThis.ran === true;
}

async function checkPage() {
  const links = [...document.querySelectorAll("a")];
  for (const details of document.querySelectorAll("details")) details.open = true;
  const dead = links.filter((link) => {
    link.focus();
    return document.activeElement !== link || !link.hash || !document.getElementById(decodeURIComponent(link.hash.slice(1)));
  });
  const closed = [];
  for (const link of links.filter((link) => !dead.includes(link)).slice(0, 5)) {
    for (const details of document.querySelectorAll("details")) details.open = details.contains(link); // the target may be in a closed one
    if (!(await follow(link))) closed.push(link.outerHTML);
  }
  for (const details of document.querySelectorAll("details")) details.open = true;
  const [r, g, b] = background(document.body);
  return {
    pictures: [...document.images].filter((image) => image.classList.contains("drawing") && image.complete && image.naturalWidth === 40).length,
    width: document.scrollingElement.scrollWidth, links: links.length, scripts: document.scripts.length, dark: r + g + b < 384,
    pale: paleTexts(), uneven: [...document.querySelectorAll(".matrix tr")].filter((row, _, [head]) => row.cells.length !== head.cells.length).length,
    dead: dead.map((link) => link.outerHTML), closed, allowed: scriptRuns(),
  };
}
