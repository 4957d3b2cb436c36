import type { Client } from '@mneme/sdk';
import type { Command } from 'commander';
import { type CommandContext, printResult } from '../context.ts';
import { CliError, isUnreachableError } from '../errors.ts';
import { formatTable, pluralize } from '../format.ts';
import { addOutputOptions } from '../options.ts';

type Diagnosis = Awaited<ReturnType<Client['admin']['getDiagnosis']>>;
type Finding = Diagnosis['findings'][number];

interface Options {
  readonly json?: boolean;
  readonly acknowledge?: boolean;
  readonly quick?: boolean;
}

/**
 * `mneme doctor`: reads the diagnosis of the service. If the service is unreachable, the server
 * program checks the files and the database of this machine. Fails on unacknowledged findings.
 */
export function fillDoctorCommand(command: Command, context: CommandContext): void {
  addOutputOptions(command)
    .option('--acknowledge', 'acknowledge all findings, so that they no longer degrade the health')
    .option('--quick', 'while the service is stopped: do not read all pages of the database')
    .action(async (options: Options) => {
      if (await isServiceReachable(context)) return diagnoseThroughService(context, options);
      context.writeStderrLine(
        'mneme: The service does not respond: checking its settings, files and database.',
      );
      const flags = (['json', 'acknowledge', 'quick'] as const).filter((name) => options[name]);
      return context.runServerProgram(['doctor', ...flags.map((name) => `--${name}`)]);
    });
}

/** Rethrows the error of the request if this machine has nothing to check. */
async function isServiceReachable(context: CommandContext): Promise<boolean> {
  try {
    await context.publicClient().request({ method: 'GET', path: '/ready' });
    return true;
  } catch (error) {
    if (isUnreachableError(error) && context.canCheckLocally()) return false;
    throw error;
  }
}

async function diagnoseThroughService(context: CommandContext, options: Options): Promise<void> {
  const { admin } = await context.client();
  const before = await admin.getDiagnosis();
  // Acknowledge only findings that are printed.
  const ids = before.findings.filter(isOpen).flatMap(({ id }) => id ?? []);
  const after =
    options.acknowledge && ids.length > 0
      ? await admin.acknowledgeFindings({ body: { ids } })
      : before;
  printResult(context, options, after, () => describe(after));
  const open = after.findings.filter(isOpen);
  if (open.length > 0) {
    const nextStep = open.every(({ id }) => id !== null) ? 'to acknowledge' : 'to act on';
    throw new CliError('findings_open', `${pluralize(open.length, 'finding')} ${nextStep}.`);
  }
  if (after.status !== 'ok') throw new CliError('degraded', `The service is ${after.status}.`);
}

const isOpen = ({ acknowledged_at: at }: Finding): boolean => at === null;

function describe({ status, checks, findings }: Diagnosis): string[] {
  return [
    ...formatTable([
      ['status', status],
      ...Object.entries(checks).map(([name, { ok, detail }]) => [
        name,
        [ok ? 'ok' : 'failing', detail ?? ''].join(' '),
      ]),
    ]),
    ...findings.flatMap(describeFinding),
  ];
}

const describeFinding = (finding: Finding): string[] => [
  '',
  `${finding.found_at} ${finding.severity}: ${finding.kind}${
    isOpen(finding) ? '' : `, acknowledged ${finding.acknowledged_at}`
  }`,
  `  ${finding.message}`,
  ...(isOpen(finding) ? [`  What to do: ${finding.action}`] : []),
];
