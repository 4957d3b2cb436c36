import type { Client } from '@mneme/sdk';
import type { Command } from 'commander';
import { type CommandContext, printResult } from '../context.ts';
import { CliError } from '../errors.ts';
import { formatTable } from '../format.ts';
import { addOutputOptions } from '../options.ts';

type Health = Awaited<ReturnType<Client['operations']['health']>>;

/**
 * `mneme health`: requires no key, shows operators the data folder, and fails when the service
 * reports that it is unavailable.
 */
export function fillHealthCommand(command: Command, context: CommandContext): void {
  addOutputOptions(command).action(async (options: { json?: boolean }) => {
    // A raw request, because the body of a 503 is the result here and not an error.
    const { status, body } = await context
      .publicClient()
      .request({ method: 'GET', path: '/health' });
    if (!isHealth(body)) {
      throw new CliError(
        'unexpected_answer',
        `The server is not Mneme (status ${status}). Check MNEME_URL.`,
      );
    }
    const url = context.url();
    const data_dir = await readDataDir(context);
    const health = { url, ...(data_dir === null ? {} : { data_dir }), ...body };
    printResult(context, options, health, () => describeHealth(health));
    if (status !== 200) throw new CliError('service_unavailable', 'The service is unavailable.');
  });
}

/** The data folder; null without an operator's key. */
async function readDataDir(context: CommandContext): Promise<string | null> {
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
