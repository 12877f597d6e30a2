// For a word that no page has: the words of the index that one may have meant, by the letters between them.
(function () {
  "use strict";

  // How many letters must be put in, left out, changed or swapped with their neighbour; `most` + 1 if it is more.
  function distance(a, b, most) {
    if (Math.abs(a.length - b.length) > most) return most + 1;
    let before = null, above = Array.from({ length: b.length + 1 }, (_, at) => at);
    for (let i = 1; i <= a.length; ++i) {
      const row = [i];
      for (let j = 1; j <= b.length; ++j) {
        row[j] = Math.min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j], before[j - 2] + 1);
      }
      if (Math.min(...row) > most) return most + 1;
      before = above;
      above = row;
    }
    return above[b.length];
  }

  // The nearest terms, the commonest first. A word of three letters has no near ones; while it is typed its start counts.
  function nearest(word, vocabulary, commonness, unfinished) {
    let most = word.length < 4 ? 0 : word.length < 8 ? 1 : 2;
    let found = [];
    for (const term of vocabulary) {
      let far = distance(word, term, most);
      if (unfinished && far > most && term.length > word.length) far = distance(word, term.slice(0, word.length), most);
      if (far > most || most === 0) continue;
      if (far < most) { most = far; found = []; }
      found.push(term);
    }
    return found.sort((a, b) => commonness(b) - commonness(a)).slice(0, 8);
  }

  globalThis.CourseSpelling = { distance, nearest };
})();
