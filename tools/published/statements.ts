/** One published statement in our words, and what holds it. */
export interface PublishedStatement {
  /** Where it is published: `Part A, Memory object`. */
  readonly source: string;
  readonly text: string;
  readonly routes: readonly string[];
  readonly tests: readonly TestReference[];
  /** Why no test holds it: not built yet, or not to be held. */
  readonly reason: string | null;
}

interface TestReference {
  /** From the root of the repository. */
  readonly path: string;
  readonly title: string;
}

export interface StatementArea {
  readonly title: string;
  readonly statements: readonly PublishedStatement[];
}

/**
 * Reads one file of statements. A line begins with what it is: `# ` the area, `## ` the source,
 * `> ` routes, `- ` a test as `file: title`, `! ` a reason; any other line begins a statement.
 * A file is named below test/acceptance, without its ending, or whole.
 */
export function parseStatementArea(text: string): StatementArea {
  let title = '';
  let source = '';
  const statements: PublishedStatement[] = [];
  const amend = (change: (last: PublishedStatement) => Partial<PublishedStatement>): void => {
    const last = statements.pop();
    if (!last) throw new Error(`nothing is said before it: ${title}`);
    statements.push({ ...last, ...change(last) });
  };
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const [, mark = '', rest = ''] = /^(?:(#|##|>|-|!) )?(.*)$/.exec(line) ?? [];
    if (mark === '#') title = rest;
    else if (mark === '##') source = rest;
    else if (mark === '>') amend(({ routes }) => ({ routes: [...routes, ...rest.split(' ')] }));
    else if (mark === '-') amend(({ tests }) => ({ tests: [...tests, parseTestReference(rest)] }));
    else if (mark === '!') amend(() => ({ reason: rest }));
    else statements.push({ source, text: rest, routes: [], tests: [], reason: null });
  }
  return { title, statements };
}

function parseTestReference(text: string): TestReference {
  const [, file = '', title = ''] = /^(\S+): (.*)$/.exec(text) ?? [];
  const path = file.endsWith('.test.ts') ? file : `test/acceptance/${file}.test.ts`;
  return { path, title };
}

/** The shortest name of a test file, as `reference` takes it. */
export const shortTestName = (path: string): string =>
  path.replace(/^test\/acceptance\/(.*)\.test\.ts$/, '$1');
