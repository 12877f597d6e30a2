// Index expressions as a kernel writes them, `threadIdx.y * 33 + j`: whole numbers, names, + - * / % << >> & ^ | and
// parentheses, with C++'s precedence. Nothing of the page's own is reached from them.
(function () {
  "use strict";
  const TOKEN = /\s*(?:(\d[\d']*)|([A-Za-z_]\w*(?:\.[xyz])?)|(<<|>>|[-+*/%&^|()]))/y;
  const LEVELS = [["|"], ["^"], ["&"], ["<<", ">>"], ["+", "-"], ["*", "/", "%"]];
  const LARGEST = 2 ** 40;

  function within(value) {
    if (Math.abs(value) > LARGEST) throw new Error("the index is larger than any memory");
    return value;
  }
  const big = (operation) => (a, b) => Number(operation(BigInt(a), BigInt(b)));  // bits beyond the 32nd
  const divided = (operation) => function (a, b) {
    if (b === 0) throw new Error("a division by 0");
    return operation(a, b);
  };
  const OPERATIONS = {
    "|": big((a, b) => a | b), "^": big((a, b) => a ^ b), "&": big((a, b) => a & b),
    "<<": (a, b) => a * 2 ** within(b), ">>": (a, b) => Math.floor(a / 2 ** within(b)),
    "+": (a, b) => a + b, "-": (a, b) => a - b, "*": (a, b) => a * b,
    "/": divided((a, b) => Math.trunc(a / b)), "%": divided((a, b) => a % b),
  };

  function tokens(text) {
    const found = [];
    TOKEN.lastIndex = 0;
    while (text.slice(TOKEN.lastIndex).trim()) {
      const at = TOKEN.lastIndex;
      const match = TOKEN.exec(text);
      if (!match) throw new Error(`“${text.slice(at).trim()[0]}” is not understood`);
      found.push(match[1] ? { number: Number(match[1].replaceAll("'", "")) } :
        match[2] ? { name: match[2] } : { sign: match[3] });
    }
    return found;
  }

  // Gives { names, value(of) }: the names in the expression, and its value for an object that has them.
  function parse(text) {
    const list = tokens(text);
    const names = new Set();
    let at = 0;
    const sign = () => list[at] && list[at].sign;
    function operand() {
      const token = list[at++];
      if (!token) throw new Error("the expression ends too early");
      if (token.number !== undefined) return () => token.number;
      if (token.name) {
        names.add(token.name);
        return (of) => of[token.name];
      }
      if (token.sign === "-") {
        const inner = operand();
        return (of) => -inner(of);
      }
      if (token.sign !== "(") throw new Error(`“${token.sign}” where a number or a name should be`);
      const inner = level(0);
      if (sign() !== ")") throw new Error("a “)” is missing");
      ++at;
      return inner;
    }
    function level(depth) {
      if (depth === LEVELS.length) return operand();
      let left = level(depth + 1);
      while (LEVELS[depth].includes(sign())) {
        const operation = OPERATIONS[list[at++].sign], before = left, right = level(depth + 1);
        left = (of) => within(operation(before(of), right(of)));
      }
      return left;
    }
    const value = level(0);
    if (at < list.length) throw new Error(`“${list[at].sign || list[at].name || list[at].number}” is one too many`);
    return { names: [...names], value };
  }

  globalThis.CourseIndex = { parse };
})();
