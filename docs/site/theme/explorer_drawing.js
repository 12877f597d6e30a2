// Draws an access: the lines of memory with their sectors, or the banks with what each has to deliver. Gives the markup
// of an SVG that is `width` pixels wide. What belongs to a lane has the class lane-N and the lane's colour.
(function () {
  "use strict";
  const { LANES, SECTOR, WORD, BANKS } = CourseAccess;
  const LINE = 128;
  const marginOf = (width) => width < 500 ? 58 : 74;  // for what is at the left of a row
  const spaced = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");

  function box(x, y, width, height, kind, more) {
    return `<rect x="${x.toFixed(2)}" y="${y.toFixed(2)}" width="${Math.max(width, 0.2).toFixed(2)}" ` +
      `height="${height.toFixed(2)}" class="${kind}"${more || ""}/>`;
  }
  function text(x, y, words, anchor) {
    return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor || "start"}">${words}</text>`;
  }
  // A word in the colours of all lanes that want it, side by side.
  function word(x, y, width, height, lanes) {
    const part = width / lanes.length;
    return lanes.map((lane, k) => box(x + k * part, y, part, height, `lane lane-${lane}`,
      `${lanes.length > 1 ? "" : ' rx="2"'} style="--lane:${lane}" data-lane="${lane}"`)).join("");
  }

  // The warp: a field for each lane, those that take no part empty.
  function warp(lanes, left, width) {
    const pitch = (width - left) / LANES;
    let out = text(left - 8, 15, "lanes", "end");
    for (let lane = 0; lane < LANES; ++lane) {
      const kind = lanes[lane] === null ? "idle" : `lane lane-${lane}`;
      out += box(left + lane * pitch + 0.5, 2, pitch - 1, 18, kind, ` rx="3" style="--lane:${lane}" data-lane="${lane}"`);
      if (lane % (pitch >= 20 ? 1 : 4) === 0) out += text(left + (lane + 0.5) * pitch, 34, lane, "middle");
    }
    return out;
  }

  // Lines of 128 bytes: the sectors that are moved, and in them what the lanes asked for.
  function sectors(lanes, bytes, width) {
    const touched = new Set(), places = new Map();  // a place: the first byte -> the lanes that want it
    lanes.forEach(function (first, lane) {
      if (first === null) return;
      for (let at = Math.floor(first / SECTOR); at * SECTOR < first + bytes; ++at) touched.add(at);
      if (!places.has(first)) places.set(first, []);
      places.get(first).push(lane);
    });
    const lines = [...new Set([...touched].map((sector) => Math.floor(sector * SECTOR / LINE)))].sort((a, b) => a - b);
    const columns = width >= 700 && lines.length > 8 ? 2 : 1;
    const gap = columns > 1 ? 28 : 0, room = (width - gap) / columns, left = marginOf(width);
    const scale = (room - left) / LINE, rows = Math.ceil(lines.length / columns), step = 20, top = 54;
    const spot = new Map(lines.map((line, k) => [line, [Math.floor(k / rows) * (room + gap), top + (k % rows) * step]]));
    let out = warp(lanes, left, width) + text(left - 8, 46, "byte", "end");
    for (const [line, [x, y]] of spot) {
      out += text(x + left - 8, y + 12, spaced(line * LINE), "end");
      for (let k = 0; k < LINE / SECTOR; ++k) {
        const moved = touched.has(line * LINE / SECTOR + k);
        out += box(x + left + k * SECTOR * scale + 1, y, SECTOR * scale - 2, 15, moved ? "moved" : "unmoved", ' rx="2.5"');
      }
    }
    for (const [first, sharing] of places) {
      for (let at = first; at < first + bytes;) {  // an element may be in two lines
        const line = Math.floor(at / LINE), end = Math.min(first + bytes, (line + 1) * LINE);
        const [x, y] = spot.get(line);
        out += word(x + left + (at - line * LINE) * scale + 0.8, y + 2.5, (end - at) * scale - 1.6, 10, sharing);
        at = end;
      }
    }
    return [out, top + rows * step];
  }

  // Banks: a row is a wavefront, in which each bank delivers one word at most.
  function banks(cost, lanes, width) {
    const left = marginOf(width), pitch = (width - left) / BANKS;
    let out = warp(lanes, left, width), y = 50;
    for (const group of cost.groups) {
      const step = Math.min(18, Math.max(6, 260 / group.wavefronts));
      if (cost.groups.length > 1) {
        out += text(left, y + 8, `lanes ${group.lanes[0]} to ${group.lanes[group.lanes.length - 1]}`);
        y += 16;
      }
      for (let row = 0; row < group.wavefronts; ++row) {
        if (step >= 12 || row % 4 === 0) out += text(left - 8, y + row * step + step / 2 + 4, `turn ${row + 1}`, "end");
      }
      group.banks.forEach(function (bank, number) {
        const x = left + number * pitch;
        const words = [...bank.values()];
        for (let row = 0; row < group.wavefronts; ++row) {
          const sharing = words[row];
          out += sharing ? word(x + 0.7, y + row * step, pitch - 1.4, step - 1.6, sharing) :
            box(x + 1.2, y + row * step + 0.5, pitch - 2.4, step - 2.6, "unmoved", ' rx="2"');
        }
      });
      y += group.wavefronts * step + 8;
    }
    out += text(left - 8, y + 8, "banks", "end");
    for (let bank = 0; bank < BANKS; bank += pitch >= 20 ? 1 : 4) {
      out += text(left + (bank + 0.5) * pitch, y + 8, bank, "middle");
    }
    return [out, y + 14];
  }

  globalThis.CourseDrawing = function (access, cost, width) {
    const [inside, height] = access.memory === "global" ? sectors(access.lanes, access.bytes, width) :
      banks(cost, access.lanes, width);
    return `<svg role="img" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${inside}</svg>`;
  };
})();
