import {
  allRoutes,
  type ErrorCode,
  errorCatalogue,
  errorCodesOf,
  fieldErrorCodes,
  statusesOfError,
} from '@mneme/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import type { RawHttpResponse } from '../../support/raw-http.ts';
import { oneEngine } from '../../support/service.ts';
import type { ErrorCase } from './error-case.ts';
import { errorCases, unreachableCodes } from './error-cases.ts';
import {
  expectedResponse,
  formatHeaders,
  formatsForCase,
  type RequestedFormat,
  statusOf,
  statusText,
  toFlatFormat,
} from './error-formats.ts';
import {
  type FaultInjectionService,
  startFaultInjectionService,
} from './fault-injection-service.ts';

const made = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const safe = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};
const titled = errorCases.map(
  (row) => [`${statusOf(row)} ${row.code} where ${row.where}`, row] as const,
);
const idOf = (row: ErrorCase, asked: RequestedFormat): string =>
  `row-${errorCases.indexOf(row)}-${asked}`;

interface Line {
  readonly reqId?: string;
  readonly code?: string;
  readonly err?: { readonly stack?: string };
}

describe.each(oneEngine)('an error on %s', (engine) => {
  let stage: FaultInjectionService;
  beforeAll(async () => {
    stage = await startFaultInjectionService(engine);
  });
  afterAll(() => stage.stop());

  describe.each(titled)('%s', (_title, row) => {
    const answers = new Map<RequestedFormat, RawHttpResponse>();
    const forms = formatsForCase(errorCases.indexOf(row));
    const lines: Line[] = [];

    beforeAll(async () => {
      const provoked = await row.provoke(stage);
      try {
        const send = async (asked: RequestedFormat): Promise<void> => {
          const headers = { 'x-request-id': idOf(row, asked), ...formatHeaders[asked] };
          answers.set(asked, await provoked.send(headers));
        };
        await Promise.all(forms.map(send));
        const logged = provoked.logLines ?? (() => stage.service.logLines);
        const read = async () => logged().map((line) => JSON.parse(line) as Line);
        const isTold = (found: Line[]) =>
          forms.every((asked) => {
            const id = answers.get(asked)?.headers.get('x-request-id');
            return found.some(({ reqId }) => reqId === id);
          });
        lines.push(...(await eventually(read, isTold)));
      } finally {
        await provoked.restore?.();
      }
    });

    it.each(forms)('has the %s form', (asked) => {
      const { status, headers, text } = answers.get(asked) as RawHttpResponse;
      const id = row.isHeadUnread ? expect.stringMatching(made) : idOf(row, asked);
      const { contentType, ...rest } = expectedResponse(row, asked, id);
      expect({ status, body: JSON.parse(text) }).toEqual(rest);
      expect(headers.get('content-type')).toBe(contentType);
    });

    it('has the headers of every error, and those of its kind', () => {
      for (const [asked, { headers }] of answers) {
        const id = row.isHeadUnread ? expect.stringMatching(made) : idOf(row, asked);
        const all = { ...safe, 'x-request-id': id, ...row.headers };
        expect(Object.fromEntries(headers)).toMatchObject(all);
        expect(headers.has('www-authenticate')).toBe(statusOf(row) === 401);
        expect(headers.has('allow')).toBe(statusOf(row) === 405);
        expect(headers.has('retry-after')).toBe(statusOf(row) === 429);
        if (statusOf(row) === 429) expectLimits(answers.get('default') as RawHttpResponse, headers);
      }
    });

    it('tells nothing of the inside, which the log does', () => {
      for (const [asked, { text }] of answers) {
        expect(text).not.toMatch(/\.[jt]s\b|\bat \/|node_modules|insert into|select |dbhost-7/);
        if (row.internalMessage === undefined) continue;
        const told = lines.filter(({ reqId }) => reqId === idOf(row, asked));
        const [fault] = told.filter(({ err }) => err?.stack?.includes(row.internalMessage ?? ''));
        expect(fault).toMatchObject({ code: row.code });
        expect(fault?.err?.stack).toMatch(/\n +at /);
      }
    });
  });
});

/** The five fields stand beside the code and in the details; the headers say the same. */
function expectLimits(nested: RawHttpResponse, headers: Headers): void {
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
  const provoked = new Set<string>(errorCases.flatMap((row) => [row.code, toFlatFormat(row).code]));
  const declared = new Set(allRoutes.flatMap((route) => [...errorCodesOf(route)]));

  it.each(catalogue)('provokes %s, or names the area that will bring it', (code) => {
    expect([provoked.has(code), code in unreachableCodes]).toEqual([
      !(code in unreachableCodes),
      code in unreachableCodes,
    ]);
  });

  it('awaits nothing that a route can answer already', () => {
    expect([...declared].filter((code) => code in unreachableCodes)).toEqual([]);
  });

  it('provokes every status that a code is published with', () => {
    const seen = new Set(errorCases.map((row) => `${statusOf(row)} ${row.code}`));
    const told = catalogue.flatMap((code) =>
      statusesOfError(code).map((status) => ({ code, status })),
    );
    const flatOnly = ['unauthorized', 'bad_request'];
    const missing = told.filter(
      ({ code, status }) =>
        !(code in unreachableCodes) && !flatOnly.includes(code) && !seen.has(`${status} ${code}`),
    );
    expect(missing).toEqual([]);
  });

  it('provokes every code of a faulty field', () => {
    const faults = errorCases.flatMap(({ details }) =>
      Object.values((details?.fields ?? {}) as Record<string, { code: string }>),
    );
    expect(new Set(faults.map(({ code }) => code))).toEqual(new Set(fieldErrorCodes));
  });

  it.each(titled.filter(([, { route }]) => route !== null))(
    'has the contract on its side: %s',
    (_title, { route, code }) => {
      const found = allRoutes.find(({ id }) => id === route);
      expect(found && [...errorCodesOf(found)]).toContain(code);
    },
  );

  it('has a name for every status', () => {
    for (const row of errorCases) expect(statusText(statusOf(row))).toMatch(/\w/);
  });
});
