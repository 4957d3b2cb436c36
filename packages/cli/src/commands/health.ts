import type { Client } from '@mneme/sdk';
import type { Command } from 'commander';
import { type Context, show } from '../context.ts';
import { Fault } from '../faults.ts';
import { table } from '../format.ts';
import { leaf } from '../options.ts';

type Health = Awaited<ReturnType<Client['operations']['health']>>;

/** `mneme health`: needs no key; fails when the service says that it cannot work. */
export function addHealth(program: Command, context: Context): void {
  leaf(program, 'health', 'ask whether the service is well').action(
    async (options: { json?: boolean }) => {
      // The raw exchange, since the body of a 503 is the answer here and no error.
      const { status, body } = await context
        .publicClient()
        .request({ method: 'GET', path: '/health' });
      if (!isHealth(body)) {
        throw new Fault('unexpected_answer', `What answers is not Mneme (status ${status}).`);
      }
      const url = context.url();
      show(context, options, { url, ...body }, () => describeHealth(url, body));
      if (status !== 200) throw new Fault('service_unavailable', 'The service is not well.');
    },
  );
}

const isHealth = (body: unknown): body is Health =>
  typeof body === 'object' && body !== null && 'status' in body && 'checks' in body;

const describeHealth = (url: string, { status, version, uptime, checks }: Health): string[] =>
  table([
    ['service', url],
    ['status', status],
    ['version', version],
    ['uptime', `${uptime} s`],
    ...Object.entries(checks).map(([name, { ok, detail }]) => [
      name,
      [ok ? 'ok' : 'failing', detail ?? ''].join(' '),
    ]),
  ]);
