import type { Client } from '@mneme/sdk';
import type { Command } from 'commander';
import { type Context, printResult } from '../context.ts';
import { CliError } from '../errors.ts';
import { formatTable } from '../format.ts';
import { addCommand } from '../options.ts';

type Health = Awaited<ReturnType<Client['operations']['health']>>;

/**
 * `mneme health`: needs no key, shows an operator the data folder, and fails when the service says
 * that it cannot work.
 */
export function registerHealthCommand(program: Command, context: Context): void {
  addCommand(program, 'health', 'ask whether the service is well').action(
    async (options: { json?: boolean }) => {
      // The raw exchange, since the body of a 503 is the answer here and no error.
      const { status, body } = await context
        .publicClient()
        .request({ method: 'GET', path: '/health' });
      if (!isHealth(body)) {
        throw new CliError('unexpected_answer', `What answers is not Mneme (status ${status}).`);
      }
      const url = context.url();
      const data_dir = await readDataDir(context);
      const known = { url, ...(data_dir === null ? {} : { data_dir }), ...body };
      printResult(context, options, known, () => describeHealth(known));
      if (status !== 200) throw new CliError('service_unavailable', 'The service is not well.');
    },
  );
}

/** An operator sees the data folder as well; others, and those without a key, do not. */
async function readDataDir(context: Context): Promise<string | null> {
  try {
    const { admin } = await context.client();
    return (await admin.getDiagnosis()).data_dir;
  } catch {
    return null;
  }
}

const isHealth = (body: unknown): body is Health =>
  typeof body === 'object' && body !== null && 'status' in body && 'checks' in body;

const describeHealth = ({
  url,
  data_dir,
  status,
  version,
  uptime,
  checks,
}: Health & { url: string; data_dir?: string | null }): string[] =>
  formatTable([
    ['service', url],
    ...(data_dir ? [['data folder', data_dir]] : []),
    ['status', status],
    ['version', version],
    ['uptime', `${uptime} s`],
    ...Object.entries(checks).map(([name, { ok, detail }]) => [
      name,
      [ok ? 'ok' : 'failing', detail ?? ''].join(' '),
    ]),
  ]);
