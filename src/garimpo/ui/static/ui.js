// What the dashboard does in the browser: show live parts anew when the crawl has news, sort tables, and listen to keys.

const main = document.querySelector("main");

function swap(fresh) {
  for (const part of document.querySelectorAll("[data-live]")) {
    const other = fresh.getElementById(part.id);
    if (!other || part.contains(document.activeElement) && document.activeElement !== document.body) continue;
    const open = new Set([...part.querySelectorAll("details[open][id]")].map((one) => one.id));
    if (other.innerHTML === part.innerHTML) continue;
    part.replaceChildren(...other.childNodes);
    for (const one of part.querySelectorAll("details[id]")) one.open = one.open || open.has(one.id);
    part.querySelectorAll("table").forEach(makeSortable);
  }
  document.documentElement.dataset.updates = Number(document.documentElement.dataset.updates || 0) + 1;
}

let fetching = false;
async function update() {
  if (fetching || document.hidden) return;
  fetching = true;
  try {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } });
    if (answer.ok) swap(new DOMParser().parseFromString(await answer.text(), "text/html"));
  } finally {
    fetching = false;
  }
}

if (main && main.dataset.view) {
  const events = new EventSource("/events");
  const state = document.getElementById("state");
  events.onmessage = () => { state.classList.remove("stale"); update(); };
  events.onerror = () => state.classList.add("stale");
  document.addEventListener("visibilitychange", update);
}

function valueOf(row, column) {
  const text = row.cells[column] ? row.cells[column].textContent.trim() : "";
  const number = Number(text.replace(/,/g, "").replace(/[ %].*$/, ""));
  return text !== "" && !Number.isNaN(number) ? number : text === "–" ? -Infinity : text;
}

function sortBy(table, head) {
  const column = head.cellIndex, up = head.dataset.sort !== "up";
  for (const other of table.tHead.rows[0].cells) { other.dataset.sort = ""; other.removeAttribute("aria-sort"); }
  head.dataset.sort = up ? "up" : "down";
  head.setAttribute("aria-sort", up ? "ascending" : "descending");
  const rows = [...table.tBodies[0].rows].map((row) => [valueOf(row, column), row]);
  rows.sort(([a], [b]) => (typeof a === typeof b ? (a < b ? -1 : a > b ? 1 : 0) : typeof a === "number" ? 1 : -1) * (up ? 1 : -1));
  table.tBodies[0].append(...rows.map(([, row]) => row));
}

function makeSortable(table) {
  if (!table.tHead || table.tBodies[0].rows.length < 2) return;
  for (const head of table.tHead.rows[0].cells) {
    if (!head.textContent) continue;
    head.dataset.sort = "";
    head.tabIndex = 0;
    head.addEventListener("click", () => sortBy(table, head));
    head.addEventListener("keydown", (event) => { if (event.key === "Enter") sortBy(table, head); });
  }
}
document.querySelectorAll("main table").forEach(makeSortable);

document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/") { event.preventDefault(); document.getElementById("ask").focus(); return; }
  const entry = /^[1-9]$/.test(event.key) && document.querySelectorAll("nav a")[Number(event.key) - 1];
  if (entry) entry.click();
});
