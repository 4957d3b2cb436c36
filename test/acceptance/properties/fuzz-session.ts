import { allRoutes, type Route } from '@mneme/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCount, testSeed } from '../../support/run-count.ts';
import { engines, oneEngine } from '../../support/service.ts';
import { findContractViolations } from './contract-violations.ts';
import { type FuzzRequest, FuzzTarget } from './fuzz-target.ts';

/** A comparison of states costs as much as many requests: one serves this many refusals. */
const refusalsPerComparison = 50;
/** After an accepted write the state is read again once this many refusals follow each other. */
const refusalsBeforeBaseline = 10;

const numRuns = runCount(3, 100);

/** Reads that store what they compute. */
const computing = new Set(['memories.quality']);

interface SentRequest {
  readonly route: Route;
  readonly request: FuzzRequest;
}

const isWrite = ({ method }: Route): boolean => method !== 'GET';

/**
 * Sends requests, checks each response by the contract, and that refused writes change nothing.
 * A refused write is compared between two states without an accepted write between them; the few
 * that have no such states are sent again by `finish`.
 */
export class FuzzSession {
  readonly #target: FuzzTarget;
  /** The state before the first of `#refused`; null if a write was accepted since. */
  #baseline: string | null = null;
  #refused: SentRequest[] = [];
  #uncompared: SentRequest[] = [];
  #refusedInARow = 0;

  constructor(target: FuzzTarget) {
    this.#target = target;
  }

  /** Returns the status and what is wrong with this response or with refusals before it. */
  async send(
    route: Route,
    request: FuzzRequest,
  ): Promise<{ status: number; violations: string[] }> {
    const { status, violations } = await this.#send(route, request);
    if (this.#refused.length >= refusalsPerComparison) violations.push(...(await this.#compare()));
    return { status, violations };
  }

  /** Compares the state with that before the refused writes; returns what they have changed. */
  async finish(): Promise<string[]> {
    const violations = await this.#compare();
    while (this.#uncompared.length > 0) {
      const again = this.#uncompared.splice(0);
      this.#baseline ??= await this.#target.state();
      for (const { route, request } of again) {
        // An accepted write puts the refused ones before it back.
        if (this.#baseline === null) this.#uncompared.push({ route, request });
        else violations.push(...(await this.#send(route, request)).violations);
      }
      violations.push(...(await this.#compare()));
    }
    return violations;
  }

  async #send(
    route: Route,
    request: FuzzRequest,
  ): Promise<{ status: number; violations: string[] }> {
    const response = await this.#target.send(route, request);
    const isAccepted = response.status < 400;
    if (isWrite(route) && !isAccepted) await this.#addRefused({ route, request });
    else if (isWrite(route) || computing.has(route.id)) this.#forgetBaseline();
    return { status: response.status, violations: findContractViolations(route, response) };
  }

  async #addRefused(sent: SentRequest): Promise<void> {
    this.#refusedInARow += 1;
    (this.#baseline === null ? this.#uncompared : this.#refused).push(sent);
    if (this.#baseline === null && this.#refusedInARow >= refusalsBeforeBaseline) {
      this.#baseline = await this.#target.state();
    }
  }

  #forgetBaseline(): void {
    this.#uncompared.push(...this.#refused.splice(0));
    this.#baseline = null;
    this.#refusedInARow = 0;
  }

  async #compare(): Promise<string[]> {
    const refused = this.#refused.splice(0);
    if (refused.length === 0 || this.#baseline === null) return [];
    const before = this.#baseline;
    this.#baseline = await this.#target.state();
    if (before === this.#baseline) return [];
    const names = refused.map(
      ({ route, request }) => `${route.method} ${request.path}${request.query}`,
    );
    return [`${differenceOf(before, this.#baseline)}; refused: ${names.join(', ')}`];
  }
}

export interface Fuzz {
  readonly engine: (typeof engines)[number];
  readonly target: FuzzTarget;
  readonly session: FuzzSession;
}

/** Which answer a request gets hardly depends on the engine: the long run tries both. */
export function describeFuzz(define: (fuzz: Fuzz) => void): void {
  describe.each(runCount<typeof engines>(oneEngine, engines))(
    'whatever is sent on %s',
    (engine) => {
      const fuzz = { engine } as { -readonly [name in keyof Fuzz]: Fuzz[name] };
      beforeAll(async () => {
        fuzz.target = await FuzzTarget.start(engine);
        fuzz.session = new FuzzSession(fuzz.target);
      });
      afterAll(() => fuzz.target.service.stop());
      define(fuzz);
      it('changes nothing where it is refused', async () => {
        expect(await fuzz.session.finish()).toEqual([]);
      });
    },
  );
}

/** Sends a few of the requests; returns the statuses of their responses. */
export async function assertResponses(
  session: FuzzSession,
  route: Route,
  requests: fc.Arbitrary<FuzzRequest>,
): Promise<number[]> {
  const statuses: number[] = [];
  await fc.assert(
    fc.asyncProperty(requests, async (request) => {
      const { status, violations } = await session.send(route, request);
      statuses.push(status);
      expect(violations).toEqual([]);
    }),
    { seed: testSeed + allRoutes.indexOf(route), numRuns, endOnFailure: true },
  );
  return statuses;
}

/** Where two states differ first, each with what surrounds the place. */
function differenceOf(before: string, after: string): string {
  let at = 0;
  while (before[at] === after[at]) at += 1;
  const [was, is] = [before, after].map((state) => state.slice(Math.max(0, at - 200), at + 200));
  return `a refused write changed something: ${was} became ${is}`;
}
