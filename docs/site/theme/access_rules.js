// What an access of a warp takes: sectors of global memory, wavefronts of shared memory. The rules are the emulator's
// (emulator/observers/traffic/sectors.cpp and banks.cpp, which give the reasons); a test holds both against each other.
// An access is a list of 32 entries, the first byte that each lane asks for, or null for a lane that takes no part.
(function () {
  "use strict";
  const LANES = 32, SECTOR = 32, WORD = 4, BANKS = 32;

  // Distinct sectors and distinct bytes; `ideal`: how many sectors would hold these bytes, side by side.
  function globalCost(lanes, bytes) {
    const sectors = new Map();  // number -> its bytes that are wanted, a bit each
    for (const first of lanes) {
      if (first === null) continue;
      for (let at = first; at < first + bytes; ++at) {
        const sector = Math.floor(at / SECTOR);
        sectors.set(sector, (sectors.get(sector) || 0) | (1 << at % SECTOR));
      }
    }
    let used = 0;
    for (let bits of sectors.values()) for (; bits; bits &= bits - 1) ++used;
    return { sectors: sectors.size, bytes: used, ideal: Math.ceil(used / SECTOR) };
  }

  function pairsAgree(lanes, distance) {
    return lanes.every((first, lane) => first === null || lanes[lane ^ distance] === null ||
      first === lanes[lane ^ distance]);
  }

  // Lanes that are served together, in order. Wide accesses go in several groups, of which a load may merge two.
  function groups(lanes, bytes, isStore) {
    let size = bytes <= 4 ? 32 : bytes <= 8 ? 16 : 8;
    if (!isStore && size < 32 && (pairsAgree(lanes, 1) || pairsAgree(lanes, 2))) size *= 2;
    const found = [];
    for (let first = 0; first < LANES; first += size) {
      const group = [];
      for (let lane = first; lane < first + size; ++lane) if (lanes[lane] !== null) group.push(lane);
      if (group.length) found.push(group);
    }
    return found;
  }

  // For each bank the distinct words that these lanes want of it: word -> lanes, in the order of the lanes.
  function wordsByBank(lanes, group, bytes) {
    const banks = Array.from({ length: BANKS }, () => new Map());
    for (const lane of group) {
      const last = Math.floor((lanes[lane] + bytes - 1) / WORD);
      for (let word = Math.floor(lanes[lane] / WORD); word <= last; ++word) {
        const bank = banks[word % BANKS];
        if (!bank.has(word)) bank.set(word, []);
        bank.get(word).push(lane);
      }
    }
    return banks;
  }

  // A group takes as many wavefronts as its busiest bank has words; those beyond one a group are conflicts.
  function sharedCost(lanes, bytes, isStore) {
    const served = groups(lanes, bytes, isStore).map(function (group) {
      const banks = wordsByBank(lanes, group, bytes);
      return { lanes: group, banks, wavefronts: Math.max(...banks.map((bank) => bank.size)) };
    });
    const wavefronts = served.reduce((sum, group) => sum + group.wavefronts, 0);
    return { wavefronts, conflicts: wavefronts - served.length, groups: served };
  }

  globalThis.CourseAccess = { LANES, SECTOR, WORD, BANKS, globalCost, sharedCost };
})();
