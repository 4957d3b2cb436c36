import fs from 'node:fs';
import type { Client } from '@mneme/sdk';
import { createSeededRandom, type SeededRandom } from '../acceptance/durability/seeded-random.ts';
import type { ServerProcess } from '../support/server-process.ts';

/** A mix of everything for a long time, at a steady pace; what it costs, early and late. */

const memoriesHeld = 20_000;
const clientsAtOnce = 8;
const capacitySeconds = 15;
const loadShare = 0.7;
const tickMs = 20;
const sampleEveryMs = 10_000;
const mb = 2 ** 20;

/** Mean resident memory and open files, and the 95th percentile of what answers took. */
interface Stretch {
  readonly rssMb: number;
  readonly files: number;
  readonly p95Ms: number;
  readonly answers: number;
}

export interface SoakReport {
  readonly capacityPerSecond: number;
  readonly ratePerSecond: number;
  readonly early: Stretch;
  readonly late: Stretch;
  readonly held: number;
  /** Kinds of answers other than those asked for. */
  readonly faults: readonly string[];
}

const subjects = ['kettle', 'harbour', 'violin', 'orchard', 'ledger', 'glacier', 'lantern', 'mill'];
const verbs = ['stands beside', 'was sold before', 'belongs to', 'was painted after', 'replaces'];

class Mix {
  readonly #client: Client;
  readonly #chance: SeededRandom;
  readonly #ids: string[] = [];
  readonly faults = new Map<string, number>();
  #written = 0;

  constructor(client: Client, seed: number) {
    this.#client = client;
    this.#chance = createSeededRandom(seed);
  }

  get held(): number {
    return this.#ids.length;
  }

  async fill(): Promise<void> {
    while (this.#ids.length < memoriesHeld) await this.#createMany(100);
  }

  /** One request; deletions keep what is held at its number. */
  step(): Promise<void> {
    const dice = this.#chance.fraction();
    if (dice < 0.3) return this.#ids.length < memoriesHeld ? this.#create() : this.#remove();
    if (dice < 0.36) {
      return this.#ids.length < memoriesHeld ? this.#createMany(10) : this.#removeMany(10);
    }
    if (dice < 0.7) return this.#ask('GET', `/search?q=${encodeURIComponent(this.#text())}`);
    if (dice < 0.85) return this.#ask('GET', `/memories/${this.#chance.pick(this.#ids)}`);
    if (dice < 0.93) return this.#change();
    if (dice < 0.97) return this.#ask('POST', '/recall', { query: this.#text() });
    return this.#ask('GET', '/memories?limit=20');
  }

  #text(): string {
    const { pick, integer } = this.#chance;
    return `The ${pick(subjects)} ${pick(verbs)} the ${pick(subjects)} of ${integer(1, 9_999)}`;
  }

  #body(): { content: string; tags: string[] } {
    this.#written += 1;
    return { content: `${this.#text()}, as note ${this.#written} says.`, tags: ['soak'] };
  }

  #take(): string {
    const at = this.#chance.integer(0, this.#ids.length - 1);
    const id = this.#ids[at] ?? '';
    const last = this.#ids.pop() ?? '';
    if (at < this.#ids.length) this.#ids[at] = last;
    return id;
  }

  async #create(): Promise<void> {
    const answer = await this.#send('POST', '/memories', this.#body());
    if (answer) this.#ids.push((answer as { id: string }).id);
  }

  async #createMany(count: number): Promise<void> {
    const memories = Array.from({ length: count }, () => this.#body());
    const answer = await this.#send('POST', '/memories/bulk', { memories });
    const made = (answer as { memories: { id: string }[] } | null)?.memories ?? [];
    this.#ids.push(...made.map(({ id }) => id));
  }

  #remove(): Promise<void> {
    return this.#ask('DELETE', `/memories/${this.#take()}`, undefined, [204, 404]);
  }

  #removeMany(count: number): Promise<void> {
    const ids = Array.from({ length: count }, () => this.#take());
    return this.#ask('POST', '/memories/bulk/delete', { ids, soft: false });
  }

  #change(): Promise<void> {
    const id = this.#chance.pick(this.#ids);
    return this.#ask('PATCH', `/memories/${id}`, this.#body());
  }

  /** What another request has just deleted is 404, which is right. */
  async #ask(method: string, path: string, body?: object, right = [200, 404]): Promise<void> {
    await this.#send(method, path, body, right);
  }

  async #send(
    method: string,
    path: string,
    body?: object,
    right: readonly number[] = [201],
  ): Promise<unknown> {
    const request = { method, path, ...(body ? { body } : {}) };
    const { status, body: answer } = await this.#client
      .request(request as Parameters<Client['request']>[0])
      .catch((error: unknown) => ({ status: String(error), body: null }));
    if (right.includes(Number(status))) return answer;
    const fault = `${method} ${path.split('?', 1)[0]?.split('/', 2).join('/')}: ${status}`;
    this.faults.set(fault, (this.faults.get(fault) ?? 0) + 1);
    return null;
  }
}

/** How many requests a second are answered when each client sends its next one at once. */
async function capacity(mix: Mix): Promise<number> {
  const until = performance.now() + capacitySeconds * 1_000;
  let answers = 0;
  const clients = Array.from({ length: clientsAtOnce }, async () => {
    while (performance.now() < until) {
      await mix.step();
      answers += 1;
    }
  });
  await Promise.all(clients);
  return answers / capacitySeconds;
}

interface Sample {
  readonly rssMb: number;
  readonly files: number;
}

function look(pid: number): Sample {
  const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]);
  return { rssMb: (kilobytes * 1_024) / mb, files: fs.readdirSync(`/proc/${pid}/fd`).length };
}

const mean = (values: readonly number[]): number =>
  Math.round((10 * values.reduce((sum, value) => sum + value, 0)) / Math.max(values.length, 1)) /
  10;

/** What was seen between two points of time. */
class Window {
  readonly #fromMs: number;
  readonly #toMs: number;
  readonly #samples: Sample[] = [];
  readonly #tookMs: number[] = [];

  constructor(fromMs: number, toMs: number) {
    this.#fromMs = fromMs;
    this.#toMs = toMs;
  }

  has(atMs: number): boolean {
    return atMs >= this.#fromMs && atMs < this.#toMs;
  }

  sample(sample: Sample): void {
    this.#samples.push(sample);
  }

  took(ms: number): void {
    this.#tookMs.push(ms);
  }

  stretch(): Stretch {
    const sorted = this.#tookMs.toSorted((a, b) => a - b);
    return {
      rssMb: mean(this.#samples.map(({ rssMb }) => rssMb)),
      files: mean(this.#samples.map(({ files }) => files)),
      p95Ms: mean([sorted[Math.floor(sorted.length * 0.95)] ?? 0]),
      answers: sorted.length,
    };
  }
}

/** The sixth of the time from the second sixth on, and the last one: 5–10 and 25–30 of 30 min. */
export async function soak(
  server: ServerProcess,
  { minutes, seed }: { minutes: number; seed: number },
): Promise<SoakReport> {
  const mix = new Mix(server.client(), seed);
  await mix.fill();
  const capacityPerSecond = await capacity(mix);
  const ratePerSecond = capacityPerSecond * loadShare;
  const wholeMs = minutes * 60_000;
  const early = new Window(wholeMs / 6, wholeMs / 3);
  const late = new Window((wholeMs * 5) / 6, wholeMs);
  const begun = performance.now();
  let sent = 0;
  let sampledMs = 0;
  const running = new Set<Promise<void>>();
  const send = (atMs: number): void => {
    const window = [early, late].find((one) => one.has(atMs));
    const asked = performance.now();
    const one = mix.step().then(() => {
      window?.took(performance.now() - asked);
      running.delete(one);
    });
    running.add(one);
  };
  await new Promise<void>((resolve) => {
    const ticking = setInterval(() => {
      const atMs = performance.now() - begun;
      for (; sent < (atMs / 1_000) * ratePerSecond; sent += 1) send(atMs);
      if (atMs - sampledMs >= sampleEveryMs) {
        sampledMs = atMs;
        [early, late].find((one) => one.has(atMs))?.sample(look(server.pid));
      }
      if (atMs < wholeMs) return;
      clearInterval(ticking);
      resolve();
    }, tickMs);
  });
  await Promise.all(running);
  return {
    capacityPerSecond: Math.round(capacityPerSecond),
    ratePerSecond: Math.round(ratePerSecond),
    early: early.stretch(),
    late: late.stretch(),
    held: mix.held,
    faults: [...mix.faults].map(([fault, count]) => `${count} × ${fault}`),
  };
}
