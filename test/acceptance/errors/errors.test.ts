import {
  allRoutes,
  type ErrorCode,
  errorCatalogue,
  errorsOf,
  fieldCodes,
  statusesOf,
} from '@mneme/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { oneEngine } from '../../support/service.ts';
import type { WireAnswer } from '../../support/wire.ts';
import { type Asked, askedBy, expected, formsOf, inFlatForm, nameOf, statusOf } from './forms.ts';
import type { Row } from './row.ts';
import { openStage, type Stage } from './stage.ts';
import { awaited, table } from './table.ts';

const made = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const safe = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};
const titled = table.map(
  (row) => [`${statusOf(row)} ${row.code} where ${row.where}`, row] as const,
);
const idOf = (row: Row, asked: Asked): string => `row-${table.indexOf(row)}-${asked}`;

interface Line {
  readonly reqId?: string;
  readonly code?: string;
  readonly err?: { readonly stack?: string };
}

describe.each(oneEngine)('an error on %s', (engine) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(engine);
  });
  afterAll(() => stage.stop());

  describe.each(titled)('%s', (_title, row) => {
    const answers = new Map<Asked, WireAnswer>();
    const forms = formsOf(table.indexOf(row));
    const lines: Line[] = [];

    beforeAll(async () => {
      const provoked = await row.provoke(stage);
      try {
        const send = async (asked: Asked): Promise<void> => {
          const headers = { 'x-request-id': idOf(row, asked), ...askedBy[asked] };
          answers.set(asked, await provoked.send(headers));
        };
        await Promise.all(forms.map(send));
        const logged = provoked.logged ?? (() => stage.service.logged);
        const read = async () => logged().map((line) => JSON.parse(line) as Line);
        const isTold = (found: Line[]) =>
          forms.every((asked) => {
            const id = answers.get(asked)?.headers.get('x-request-id');
            return found.some(({ reqId }) => reqId === id);
          });
        lines.push(...(await eventually(read, isTold)));
      } finally {
        await provoked.done?.();
      }
    });

    it.each(forms)('has the %s form', (asked) => {
      const { status, headers, text } = answers.get(asked) as WireAnswer;
      const id = row.unread ? expect.stringMatching(made) : idOf(row, asked);
      const { contentType, ...rest } = expected(row, asked, id);
      expect({ status, body: JSON.parse(text) }).toEqual(rest);
      expect(headers.get('content-type')).toBe(contentType);
    });

    it('has the headers of every error, and those of its kind', () => {
      for (const [asked, { headers }] of answers) {
        const id = row.unread ? expect.stringMatching(made) : idOf(row, asked);
        const all = { ...safe, 'x-request-id': id, ...row.headers };
        expect(Object.fromEntries(headers)).toMatchObject(all);
        expect(headers.has('www-authenticate')).toBe(statusOf(row) === 401);
        expect(headers.has('allow')).toBe(statusOf(row) === 405);
        expect(headers.has('retry-after')).toBe(statusOf(row) === 429);
        if (statusOf(row) === 429) expectLimits(answers.get('default') as WireAnswer, headers);
      }
    });

    it('tells nothing of the inside, which the log does', () => {
      for (const [asked, { text }] of answers) {
        expect(text).not.toMatch(/\.[jt]s\b|\bat \/|node_modules|insert into|select |dbhost-7/);
        if (row.inside === undefined) continue;
        const told = lines.filter(({ reqId }) => reqId === idOf(row, asked));
        const [fault] = told.filter(({ err }) => err?.stack?.includes(row.inside ?? ''));
        expect(fault).toMatchObject({ code: row.code });
        expect(fault?.err?.stack).toMatch(/\n +at /);
      }
    });
  });
});

/** The five fields stand beside the code and in the details; the headers say the same. */
function expectLimits(nested: WireAnswer, headers: Headers): void {
  const { error } = JSON.parse(nested.text) as { error: Record<string, unknown> };
  const { limit, remaining, reset, retry_after: wait, window } = error;
  expect(headers.get('x-ratelimit-limit')).toBe(`${limit}`);
  expect(headers.get('x-ratelimit-remaining')).toBe(`${remaining}`);
  expect(headers.get('x-ratelimit-reset')).toBe(`${reset}`);
  expect(headers.get('x-ratelimit-policy')).toBe(`${limit};w=${window}`);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Math.abs(Number(headers.get('retry-after')) - Number(wait))).toBeLessThan(5);
}

describe('the table of errors', () => {
  const catalogue = Object.keys(errorCatalogue) as ErrorCode[];
  const provoked = new Set<string>(table.flatMap((row) => [row.code, inFlatForm(row).code]));
  const declared = new Set(allRoutes.flatMap((route) => [...errorsOf(route)]));

  it.each(catalogue)('provokes %s, or names the area that will bring it', (code) => {
    expect([provoked.has(code), code in awaited]).toEqual([!(code in awaited), code in awaited]);
  });

  it('awaits nothing that a route can answer already', () => {
    expect([...declared].filter((code) => code in awaited)).toEqual([]);
  });

  it('provokes every status that a code is published with', () => {
    const seen = new Set(table.map((row) => `${statusOf(row)} ${row.code}`));
    const told = catalogue.flatMap((code) => statusesOf(code).map((status) => ({ code, status })));
    const flatOnly = ['unauthorized', 'bad_request'];
    const missing = told.filter(
      ({ code, status }) =>
        !(code in awaited) && !flatOnly.includes(code) && !seen.has(`${status} ${code}`),
    );
    expect(missing).toEqual([]);
  });

  it('provokes every code of a faulty field', () => {
    const faults = table.flatMap(({ details }) =>
      Object.values((details?.fields ?? {}) as Record<string, { code: string }>),
    );
    expect(new Set(faults.map(({ code }) => code))).toEqual(new Set(fieldCodes));
  });

  it.each(titled.filter(([, { route }]) => route !== null))(
    'has the contract on its side: %s',
    (_title, { route, code }) => {
      const found = allRoutes.find(({ id }) => id === route);
      expect(found && [...errorsOf(found)]).toContain(code);
    },
  );

  it('has a name for every status', () => {
    for (const row of table) expect(nameOf(statusOf(row))).toMatch(/\w/);
  });
});
