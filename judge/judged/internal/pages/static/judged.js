// Everything works without this script, except that pages do not change by themselves.
"use strict";

// Times are shown in the zone of the reader.
function localTimes(root) {
  for (const t of root.querySelectorAll("time[datetime]")) {
    const date = new Date(t.dateTime);
    t.title = t.textContent;
    t.textContent = date.toLocaleString([], { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
  }
}

// An element with data-events shows what the service sends: pieces of HTML, which the service has escaped.
function live(element) {
  const source = new EventSource(element.dataset.events);
  const put = (id) => (event) => {
    const to = document.getElementById(id);
    if (to.innerHTML !== event.data) {
      to.innerHTML = event.data;
      localTimes(to);
    }
  };
  if (element.id === "board") source.addEventListener("board", put("board"));
  else {
    source.addEventListener("progress", put("progress"));
    source.addEventListener("done", () => { source.close(); location.reload(); });
  }
}

// A text area for programs indents with the tab key, and leaves the field with Escape and then the tab key.
function editor(area) {
  let leave = false;
  area.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { leave = true; return; }
    if (event.key === "Tab" && !leave && !event.shiftKey) {
      event.preventDefault();
      area.setRangeText("    ", area.selectionStart, area.selectionEnd, "end");
    } else if (event.key === "Enter") {
      event.preventDefault();
      const line = area.value.slice(0, area.selectionStart).split("\n").pop();
      area.setRangeText("\n" + line.match(/^[ \t]*/)[0], area.selectionStart, area.selectionEnd, "end");
    }
    leave = false;
  });
}

// Samples can be copied.
function copyButton(pre) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(pre.textContent);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
  pre.previousElementSibling.append(button);
}

// What is wider than the window can be scrolled with the keyboard.
function focusable() {
  for (const pre of document.querySelectorAll("pre")) if (pre.scrollWidth > pre.clientWidth) pre.tabIndex = 0;
}

focusable();
addEventListener("resize", focusable);
localTimes(document);
document.querySelectorAll("[data-events]").forEach(live);
document.querySelectorAll("textarea.code").forEach(editor);
if (navigator.clipboard) document.querySelectorAll(".sample .pair h3 + pre").forEach(copyButton);
