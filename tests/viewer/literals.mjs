// The strings and templates of a module, each with where it stands. For tests of the sources; it knows only as much of JavaScript
// as the viewer's modules use.

const AFTER_A_VALUE = /[\w$)\]}]$/;
const BEFORE_A_REGEX = /\b(return|case|typeof|in|of|do|else)$/;

/**
 * A literal. text: as it is written, `…` for each `${}` of a template; call: the function in whose arguments it stands, without an
 * object or list between them; argument: which one, from 0; property: the name of the property whose value it is or is part of;
 * of, ofArgument: for a property, the function and the argument to which its object belongs; before: the code before it, `""` for
 * each literal; after: the code after it.
 * @typedef {{text: string, line: number, call: string, argument: number, property: string, of: string, ofArgument: number, before: string, after: string}} Literal
 */

/** @param {string} source @returns {Literal[]} */
export function literalsOf(source) {
  const found = [];
  /** What is open: brackets, and templates whose `${` is open. */
  const open = [];
  const frame = () => open.at(-1) ?? { bracket: '', call: '', argument: 0, property: '' };
  let code = '';
  let at = 0;
  const isNext = (text) => source.startsWith(text, at);

  function add(text, start) {
    const around = open.filter(({ bracket, call }) => bracket !== '${' && (bracket !== '(' || call));
    const { bracket = '', call = '', argument = 0, property = '' } = around.at(-1) ?? {};
    const parent = around.at(-2);
    found.push({
      text, line: source.slice(0, start).split('\n').length, before: code.slice(-60).trimEnd(), after: source.slice(at, at + 10).trimStart(),
      call: bracket === '(' ? call : '', argument, property: bracket === '{' ? property : '',
      of: bracket === '{' && parent?.bracket === '(' ? parent.call : '', ofArgument: parent?.argument ?? 0,
    });
    code += '""';
  }

  function quoted(quote) {
    const start = at;
    for (at += 1; source[at] !== quote; at += 1) if (source[at] === '\\') at += 1;
    at += 1;
    add(source.slice(start + 1, at - 1), start);
  }

  /** From the beginning of a template or the end of a `${}` to the next one, or to the end of the template. */
  function template({ start, text }) {
    for (let said = text; ; at += 1) {
      if (isNext('${')) {
        at += 2;
        open.push({ bracket: '${', start, text: `${said}…`, call: '', argument: 0, property: '', code });
        code += '(';
        return;
      }
      if (source[at] === '`') {
        at += 1;
        add(said, start);
        return;
      }
      if (source[at] === '\\') {
        said += source[at];
        at += 1;
      }
      said += source[at];
    }
  }

  while (at < source.length) {
    const char = source[at];
    if (isNext('//')) at = source.indexOf('\n', at);
    else if (isNext('/*')) at = source.indexOf('*/', at) + 2;
    else if (char === "'" || char === '"') quoted(char);
    else if (char === '`') {
      at += 1;
      template({ start: at - 1, text: '' });
    } else if (char === '/' && (!AFTER_A_VALUE.test(code.trimEnd()) || BEFORE_A_REGEX.test(code.trimEnd()))) {
      for (let isClass = false; at += 1, source[at] !== '/' || isClass;) {
        if (source[at] === '\\') at += 1;
        else if (source[at] === '[') isClass = true;
        else if (source[at] === ']') isClass = false;
      }
      at += 1;
      code += '0';
    } else if (char === '}' && frame().bracket === '${') {
      at += 1;
      const { start, text, code: before } = open.pop();
      code = before;
      template({ start, text });
    } else {
      if ('([{'.includes(char)) open.push({ bracket: char, call: /([\w$.]*)$/.exec(code)?.[1] ?? '', argument: 0, property: '' });
      else if (')]}'.includes(char)) open.pop();
      else if (char === ',' && open.length) Object.assign(frame(), { argument: frame().argument + 1, property: '' });
      else if (char === ':' && frame().bracket === '{' && !frame().property) frame().property = /([\w$-]+|"")$/.exec(code)?.[1] === '""' ? found.at(-1).text : /([\w$]+)$/.exec(code)?.[1] ?? '';
      code += char;
      at += 1;
      if (code.length > 4000) code = code.slice(-400);
    }
  }
  return found;
}
