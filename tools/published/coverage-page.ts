import {
  allRoutes,
  type ErrorCode,
  errorCatalogue,
  errorCodesOf,
  statusesOfError,
} from '@mneme/contract';
import type { ProvokedError } from './coverage-check.ts';
import { type PublishedStatement, type StatementArea, shortTestName } from './statements.ts';

/** A way to an error with what happens, as the table of errors has it. */
export interface ErrorDescription extends ProvokedError {
  readonly where: string;
}

const head = `# What is published, and the tests that hold it

Made by \`npm run coverage\` from the files in [docs/published/](../docs/published). Each row is a
published statement in our words, the routes it is about, and the tests that fail when it is not
held. Files are named below \`test/acceptance\`, titles as they are written (\`%s\` and the like
stand for the cases of a table).
`;

export function renderCoveragePage(
  areas: readonly StatementArea[],
  told: readonly ErrorDescription[],
  after: string,
): string {
  const count = areas.flatMap(({ statements }) => statements).length;
  return [
    head,
    `${count} statements, ${told.length} ways to an error.\n`,
    ...areas.map(renderArea),
    renderErrors(told),
    after,
  ].join('\n');
}

function renderArea({ title, statements }: StatementArea): string {
  const sources = Map.groupBy(statements, ({ source }) => source);
  const tables = [...sources].map(([source, rows]) => `### ${source}\n\n${renderTable(rows)}\n`);
  return [`## ${title}\n`, ...tables].join('\n');
}

const renderTable = (rows: readonly PublishedStatement[]): string =>
  ['| statement | routes | held by |', '| --- | --- | --- |', ...rows.map(renderRow)].join('\n');

function renderRow({ text, routes, tests, reason }: PublishedStatement): string {
  const held = [...Map.groupBy(tests, ({ path }) => path)].map(
    ([path, own]) =>
      `\`${shortTestName(path)}\`: ${own.map(({ title }) => cell(title)).join(' · ')}`,
  );
  const why = reason === null ? [] : [`*${cell(reason)}*`];
  const ids = routes.map((id) => `\`${id}\``).join(' ');
  return `| ${cell(text)} | ${ids} | ${[...held, ...why].join('<br>')} |`;
}

/** Text that neither ends its cell nor becomes markup. */
const cell = (text: string): string =>
  text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('*', '\\*');

function renderErrors(told: readonly ErrorDescription[]): string {
  const codes = (Object.keys(errorCatalogue) as ErrorCode[]).filter((code) => code in counted);
  return [
    '## Every error code\n',
    'Each way is provoked in each form by `errors/errors`: has the %s form.\n',
    '| code | status | routes that can answer it | provoked where |',
    '| --- | --- | --- | --- |',
    ...codes.map((code) => renderErrorRow(code, told)),
    '',
  ].join('\n');
}

const counted = Object.groupBy(
  allRoutes.flatMap((route) => [...errorCodesOf(route)].map((code) => ({ code, id: route.id }))),
  ({ code }) => code,
);

function renderErrorRow(code: ErrorCode, told: readonly ErrorDescription[]): string {
  const ids = (counted[code] ?? []).map(({ id }) => id);
  const routes =
    ids.length > 12
      ? `${ids.length} of ${allRoutes.length}`
      : ids.map((id) => `\`${id}\``).join(' ');
  const ways = told.filter((way) => way.code === code);
  const where = ways.map((way) => `${cell(way.where)}${way.route ? ` (\`${way.route}\`)` : ''}`);
  const statuses = statusesOfError(code).join(', ');
  return `| \`${code}\` | ${statuses} | ${routes} | ${where.join('<br>')} |`;
}
