/** Between the parts of a string constant: white space with a line end, and comments. */
const continuation = String.raw`(?:[ \t\f\v]|--[^\n\r]*)*[\n\r](?:[ \t\f\v\n\r]|--[^\n\r]*[\n\r])*`;
const escaped = String.raw`'(?:[^'\\]|\\[^]|'')*'`;

/**
 * One token of PostgreSQL's lexer, as far as semicolons are concerned: comment, string with and
 * without backslashes, quoted name, text in dollars, word, anything else.
 */
const tokens = new RegExp(
  [
    String.raw`--[^\n\r]*`,
    `[eE]${escaped}(?:${continuation}${escaped})*`,
    `'[^']*'`,
    '"[^"]*"',
    String.raw`(?<tag>\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$)[^]*?\k<tag>`,
    String.raw`[\w\u0080-\uffff][\w$\u0080-\uffff]*`,
    '[^]',
  ].join('|'),
  'y',
);

/**
 * The statements of a script, without the semicolons between them. Semicolons in quotes, comments
 * and parentheses separate nothing. Functions with `begin atomic` are not supported.
 */
export function splitStatements(script: string): string[] {
  const statements: string[] = [];
  let start = 0;
  let depth = 0;
  let isEmpty = true;
  const end = (at: number): void => {
    if (!isEmpty) statements.push(script.slice(start, at).trim());
    start = at + 1;
    isEmpty = true;
  };
  for (let at = 0; at < script.length; ) {
    const token = tokenAt(script, at);
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (token === ';' && depth <= 0) end(at);
    else if (!/^(?:\s|--|\/\*)/.test(token)) isEmpty = false;
    at += token.length;
  }
  end(script.length);
  return statements;
}

function tokenAt(script: string, at: number): string {
  if (script.startsWith('/*', at)) return blockCommentAt(script, at);
  tokens.lastIndex = at;
  return tokens.exec(script)?.[0] ?? script.slice(at);
}

/** Block comments nest. */
function blockCommentAt(script: string, at: number): string {
  const marks = /\/\*|\*\//g;
  marks.lastIndex = at;
  for (let depth = 0; ; ) {
    const mark = marks.exec(script);
    if (mark === null) return script.slice(at);
    depth += mark[0] === '/*' ? 1 : -1;
    if (depth === 0) return script.slice(at, marks.lastIndex);
  }
}
