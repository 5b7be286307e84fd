"use strict";
// The slider through the growth of the network. Without this script all pictures are shown.
(() => {
  const source = document.getElementById("growth-data");
  if (!source) return;
  const data = JSON.parse(source.textContent);
  const byId = (id) => document.getElementById(id);
  const pictures = new Map(
    [...document.querySelectorAll("[data-picture]")].map((one) => [one.dataset.picture, one]),
  );
  const slider = byId("step");
  const play = byId("step-play");
  const title = byId("step-title");
  const alphas = byId("alphas");
  const WITHOUT_GUIDE = new Set(["skip", "zero", ""]);
  const PAUSE = 1400;
  let timer = 0;

  const labels = new Map();
  for (const mark of document.querySelectorAll(".grown g[data-link]")) {
    const text = [...mark.querySelectorAll("text")].at(-1);
    labels.set(mark, { text, drawn: text.textContent });
  }

  const isBare = (link) => link && (link.state === "pruned" || WITHOUT_GUIDE.has(link.operation));

  // A piece of a wire is as its links are: gone with the last of them, firm with the first.
  function stateOf(found) {
    if (found.some((link) => link && link.state !== "pruned")) return "decided";
    return found.every((link) => link && link.state === "pruned") ? "pruned" : "";
  }

  function setState(element, state) {
    if (state) element.dataset.state = state;
    else delete element.dataset.state;
  }

  function mark(picture, links) {
    for (const one of picture.querySelectorAll("[data-trunk],[data-wire]")) {
      const keys = (one.dataset.trunk ?? one.dataset.wire).split(" ");
      setState(one, stateOf(keys.map((key) => links[key])));
    }
    for (const one of picture.querySelectorAll("[data-guide-trunk],[data-guide]")) {
      const keys = (one.dataset.guideTrunk ?? one.dataset.guide).split(" ");
      one.style.display = keys.every((key) => isBare(links[key])) ? "none" : "";
    }
    for (const one of picture.querySelectorAll("[data-link]")) {
      const link = links[one.dataset.link];
      setState(one, link?.state);
      const { text, drawn } = labels.get(one);
      text.textContent = link?.label || drawn;
      const dot = one.querySelector("circle");
      if (dot) dot.style.display = isBare(link) && link.state !== "pruned" ? "none" : "";
    }
  }

  function element(tag, className, text) {
    const made = document.createElement(tag);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  }

  // Percentages with enough digits to tell the candidates apart.
  function percent(share, shares) {
    const apart = Math.max(...shares) - Math.min(...shares);
    return `${(100 * share).toFixed(apart < 0.02 ? 2 : 1)}%`;
  }

  const isNearlyEven = (one) => Math.max(...one.shares) * one.shares.length < 1.1;

  function bars(one) {
    const box = element("section", `bars ${one.space}`);
    box.append(element("h4", "", one.title));
    const list = element("ol");
    data.operations[one.space].forEach((operation, index) => {
      const row = element("li", index === one.chosen ? "took" : "");
      const bar = element("span", "bar");
      bar.style.setProperty("--p", one.shares[index]);
      const name = operation.replace(/^[VE]_/, "");
      row.append(element("span", "", name), bar, element("span", "num", percent(one.shares[index], one.shares)));
      list.append(row);
    });
    box.append(list);
    return box;
  }

  function grid(found) {
    const made = element("div", "bars-grid");
    made.append(...found.map(bars));
    return made;
  }

  function showBars(frame) {
    const open = alphas.querySelector("details")?.open ?? false;
    alphas.replaceChildren();
    const chosen = frame.bars.filter((one) => one.chosen >= 0);
    const rest = frame.bars.filter((one) => one.chosen < 0);
    if (chosen.length) {
      alphas.append(element("h3", "bars-head", "The alphas behind it: each candidate's share"), grid(chosen));
      if (chosen.every(isNearlyEven)) {
        alphas.append(element("p", "of", "Nearly even: the search had hardly told the candidates apart by then."));
      }
    }
    if (rest.length) {
      const more = element("details");
      more.open = open;
      more.append(element("summary", "", `The other ${rest.length} open links at this epoch`), grid(rest));
      alphas.append(more);
    }
  }

  function show(index) {
    const frame = data.frames[index];
    for (const [name, picture] of pictures) picture.hidden = name !== frame.picture;
    mark(pictures.get(frame.picture), frame.links);
    title.replaceChildren(element("b", "", frame.title), frame.text);
    slider.value = index;
    slider.setAttribute("aria-valuetext", frame.title);
    showBars(frame);
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    play.textContent = "Play";
    play.setAttribute("aria-pressed", "false");
  }

  function move(by) {
    const next = Number(slider.value) + by;
    if (next >= 0 && next < data.frames.length) show(next);
    return next + by >= 0 && next + by < data.frames.length;
  }

  slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
  byId("step-back").addEventListener("click", () => { stop(); move(-1); });
  byId("step-on").addEventListener("click", () => { stop(); move(1); });
  play.addEventListener("click", () => {
    if (timer) { stop(); return; }
    if (Number(slider.value) === data.frames.length - 1) show(0);
    play.textContent = "Pause";
    play.setAttribute("aria-pressed", "true");
    timer = setInterval(() => { if (!move(1)) stop(); }, PAUSE);
  });
  byId("steps").hidden = false;
  show(0);
})();
