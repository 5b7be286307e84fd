// Point clouds and molecules with the features of one vertex of the network, turned by hand.
(() => {
  const source = document.getElementById("features-data");
  if (!source) return;
  const data = JSON.parse(source.textContent);
  const byId = (id) => document.getElementById(id);
  const picker = byId("view-example");
  const slider = byId("view-vertex");
  const canvases = { node: byId("view-node"), relation: byId("view-relation") };
  const flat = data.kind !== "points";
  // From dark to bright, alike in steps to the eye, also without colour vision.
  const SCALE = [[70, 52, 156], [58, 82, 160], [36, 138, 141], [94, 190, 98], [245, 226, 73]];
  const turn = { yaw: flat ? 0 : 0.6, pitch: flat ? 0 : 0.35, zoom: 1 };
  let example = null;

  function colour(share) {
    const at = Math.min(Math.max(share, 0), 1) * (SCALE.length - 1);
    const low = Math.min(Math.floor(at), SCALE.length - 2);
    const mix = SCALE[low].map((c, i) => Math.round(c + (SCALE[low + 1][i] - c) * (at - low)));
    return `rgb(${mix.join(",")})`;
  }

  function prepare(chosen) {
    const axes = [0, 1, 2].map((axis) => chosen.positions.map((p) => p[axis] ?? 0));
    const middle = axes.map((values) => (Math.min(...values) + Math.max(...values)) / 2);
    const points = chosen.positions.map((p) => middle.map((m, axis) => (p[axis] ?? 0) - m));
    const reach = Math.max(...points.map((p) => Math.hypot(...p)), 1e-9);
    return { ...chosen, points: points.map((p) => p.map((c) => c / reach)) };
  }

  // What stays in the plane fills the picture, and keeps its shape.
  function fitting(size) {
    const widest = Math.max(...example.points.map((p) => Math.abs(p[0])), 1e-9);
    const highest = Math.max(...example.points.map((p) => Math.abs(p[1])), 1e-9);
    const room = example.points.length < 8 ? 0.3 : 0.5;
    return Math.min((size.width * room - 18) / widest, (size.height * room - 18) / highest);
  }

  function project(size) {
    const [cy, sy] = [Math.cos(turn.yaw), Math.sin(turn.yaw)];
    const [cp, sp] = [Math.cos(turn.pitch), Math.sin(turn.pitch)];
    const scale = flat ? fitting(size) : size.height * 0.44 * turn.zoom;
    return example.points.map(([x, y, z]) => {
      const across = cy * x + sy * z;
      const deep = -sy * x + cy * z;
      const up = cp * y - sp * deep;
      const depth = sp * y + cp * deep;
      return [size.width / 2 + across * scale, size.height / 2 - up * scale, depth];
    });
  }

  function range(values) {
    const known = values.filter((value) => value !== null);
    const low = Math.min(...known);
    const high = Math.max(...known);
    return { low, high, share: (v) => (v === null ? 0 : high > low ? (v - low) / (high - low) : 0.5) };
  }

  const figure = (value) => value.toPrecision(3).replace("-", "−");

  function draw(kind, vertex) {
    const canvas = canvases[kind];
    const ratio = window.devicePixelRatio || 1;
    const size = { width: canvas.clientWidth, height: canvas.clientHeight };
    canvas.width = size.width * ratio;
    canvas.height = size.height * ratio;
    const brush = canvas.getContext("2d");
    brush.scale(ratio, ratio);
    const style = getComputedStyle(document.documentElement);
    const at = project(size);
    const values = vertex[kind];
    const told = byId(`view-${kind}-told`);
    const named = kind === "node" ? "Node features" : "Relation features";
    if (!values.length) {
      told.textContent = `${named}: none`;
      canvas.setAttribute("aria-label", told.textContent);
      return;
    }
    const scale = range(values);
    const span = scale.high > scale.low
      ? `from ${figure(scale.low)} (dark) to ${figure(scale.high)} (bright)`
      : `the same on every ${kind}`;
    told.textContent = `${named} of ${vertex.name}, ${span}`;
    canvas.setAttribute("aria-label", `${told.textContent}, on ${example.title}`);
    const few = example.positions.length <= 80;
    brush.lineCap = "round";
    const lines = example.relations.map(([s, t], index) => ({ s, t, index }));
    lines.sort((a, b) => at[a.s][2] + at[a.t][2] - at[b.s][2] - at[b.t][2]);
    if (kind === "relation") brush.globalAlpha = Math.min(1, Math.max(0.25, 1500 / lines.length));
    for (const { s, t, index } of lines) {
      brush.strokeStyle = kind === "relation" ? colour(scale.share(values[index])) : style.getPropertyValue("--line");
      brush.lineWidth = kind === "relation" ? (few ? 5 : 1) : few ? 2 : 0.4;
      const [across, down] = [at[t][0] - at[s][0], at[t][1] - at[s][1]];
      const order = few ? (example.orders?.[index] ?? 1) : 1;
      const apart = (kind === "relation" ? 7 : 4) / (Math.hypot(across, down) || 1);
      for (let line = 0; line < order; line += 1) {
        const [x, y] = [-down, across].map((side) => side * apart * (line - (order - 1) / 2));
        brush.beginPath();
        brush.moveTo(at[s][0] + x, at[s][1] + y);
        brush.lineTo(at[t][0] + x, at[t][1] + y);
        brush.stroke();
      }
    }
    brush.globalAlpha = 1;
    const radius = few ? 10 : Math.max(1.6, size.height / 8 / Math.sqrt(at.length));
    const order = at.map((_, index) => index).sort((a, b) => at[a][2] - at[b][2]);
    for (const index of order) {
      if (kind === "relation" && !few) continue;
      const [x, y, depth] = at[index];
      brush.fillStyle = kind === "node" ? colour(scale.share(values[index])) : style.getPropertyValue("--card");
      brush.strokeStyle = style.getPropertyValue("--quiet");
      brush.lineWidth = few ? 1 : 0;
      brush.beginPath();
      brush.arc(x, y, radius * (flat ? 1 : 1 + 0.25 * depth), 0, 2 * Math.PI);
      brush.fill();
      if (few) brush.stroke();
      const label = example.labels?.[index];
      if (few && label) {
        const bright = kind === "node" && scale.share(values[index]) > 0.55;
        brush.fillStyle = kind === "relation" ? style.getPropertyValue("--ink") : bright ? "#10141a" : "#ffffff";
        brush.font = "600 11px sans-serif";
        brush.textAlign = "center";
        brush.textBaseline = "middle";
        brush.fillText(label, x, y + 0.5);
      }
    }
  }

  function show() {
    const vertex = example.vertices[Number(slider.value)];
    if (!vertex) return;
    byId("view-name").textContent = vertex.name;
    slider.setAttribute("aria-valuetext", vertex.name);
    draw("node", vertex);
    draw("relation", vertex);
  }

  let asked = 0;
  function soon() {
    cancelAnimationFrame(asked);
    asked = requestAnimationFrame(show);
  }

  function choose(index) {
    example = prepare(data.examples[index]);
    slider.max = Math.max(0, example.vertices.length - 1);
    slider.value = slider.max;
    soon();
  }

  const KEYS = { ArrowLeft: [-0.15, 0], ArrowRight: [0.15, 0], ArrowUp: [0, -0.15], ArrowDown: [0, 0.15] };
  for (const canvas of Object.values(canvases)) {
    canvas.classList.toggle("flat", flat);
    if (flat) continue;
    canvas.style.cursor = "grab";
    canvas.addEventListener("pointerdown", (event) => canvas.setPointerCapture(event.pointerId));
    canvas.addEventListener("pointermove", (event) => {
      if (!canvas.hasPointerCapture(event.pointerId)) return;
      turn.yaw += event.movementX / 120;
      turn.pitch += event.movementY / 120;
      soon();
    });
    canvas.addEventListener("keydown", (event) => {
      const by = KEYS[event.key];
      if (by) { turn.yaw += by[0]; turn.pitch += by[1]; }
      else if (event.key === "+") turn.zoom *= 1.15;
      else if (event.key === "-") turn.zoom /= 1.15;
      else return;
      event.preventDefault();
      soon();
    });
  }
  data.examples.forEach((one, index) => picker.append(new Option(one.title, index)));
  picker.addEventListener("change", () => choose(Number(picker.value)));
  slider.addEventListener("input", soon);
  new ResizeObserver(soon).observe(canvases.node);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", soon);
  byId("views").hidden = false;
  if (data.examples.length) choose(0);
})();
