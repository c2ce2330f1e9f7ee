// Tables that sort by a click on a column's name and show the rows that have the words looked for.
const names = new Intl.Collator(undefined, { numeric: true }); // 2 before 10
for (const section of document.querySelectorAll("section.table")) {
  const body = section.querySelector("tbody");
  const rows = Array.from(body.rows);
  const found = section.querySelector(".found");
  section.querySelector("input").addEventListener("input", (event) => {
    const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      shown += row.hidden ? 0 : 1;
    }
    found.textContent = words.length ? `${shown} of ${rows.length} rows` : `${rows.length} rows`;
  });
  Array.from(section.querySelectorAll("th")).forEach((head, column) => {
    head.querySelector("button").addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      section.querySelectorAll("th").forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const value = (row) => row.cells[column].textContent;
      const number = head.classList.contains("number");
      // What is empty stays at the end, whichever way the table is sorted.
      const compare = (a, b) => (number ? Number(a) - Number(b) : names.compare(a, b));
      rows.sort((a, b) => {
        const [x, y] = [value(a), value(b)];
        if (x === "" || y === "") return (x === "") - (y === "");
        return up ? compare(x, y) : compare(y, x);
      });
      body.append(...rows);
    });
  });
}
