// Where a table is narrow its cells stand below each other: each then says of which column it is.
for (const table of document.querySelectorAll("#result_list, .tabular table")) {
  for (const head of table.querySelectorAll("thead th[class*=column-]")) {
    const name = /column-(\S+)/.exec(head.className)[1];
    const label = (head.querySelector(".text") ?? head).textContent.trim();
    for (const cell of table.querySelectorAll(`td.field-${CSS.escape(name)}`)) cell.dataset.label = label;
  }
}
