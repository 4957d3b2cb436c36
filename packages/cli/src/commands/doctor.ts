import type { Client } from '@mneme/sdk';
import type { Command } from 'commander';
import { type Context, printResult } from '../context.ts';
import { CliError, isUnreachableError } from '../errors.ts';
import { formatTable, pluralize } from '../format.ts';
import { addCommand } from '../options.ts';

type Diagnosis = Awaited<ReturnType<Client['admin']['getDiagnosis']>>;
type Finding = Diagnosis['findings'][number];

interface Options {
  readonly json?: boolean;
  readonly acknowledge?: boolean;
  readonly quick?: boolean;
}

/**
 * `mneme doctor`: asks the service; where none answers, the server's own program checks the files
 * and the database of this machine. Fails with findings that are not acknowledged.
 */
export function registerDoctorCommand(program: Command, context: Context): void {
  addCommand(program, 'doctor', 'show what is wrong with the service and its data (operator)')
    .option('--acknowledge', 'acknowledge every finding, so that the health is not degraded by it')
    .option('--quick', 'while the service is stopped: do not read every page of the database')
    .action(async (options: Options) => {
      if (await isServiceReachable(context)) return diagnoseThroughService(context, options);
      context.writeStderrLine(
        'mneme: No service answers: checking its settings, files and database.',
      );
      const flags = (['json', 'acknowledge', 'quick'] as const).filter((name) => options[name]);
      return context.runServerProgram(['doctor', ...flags.map((name) => `--${name}`)]);
    });
}

/** Throws what the request threw where nothing on this machine could be checked instead. */
async function isServiceReachable(context: Context): Promise<boolean> {
  try {
    await context.publicClient().request({ method: 'GET', path: '/ready' });
    return true;
  } catch (error) {
    if (isUnreachableError(error) && context.canCheckLocally()) return false;
    throw error;
  }
}

async function diagnoseThroughService(context: Context, options: Options): Promise<void> {
  const { admin } = await context.client();
  const before = await admin.getDiagnosis();
  // Only what is shown is acknowledged.
  const ids = before.findings.filter(isOpen).flatMap(({ id }) => id ?? []);
  const after =
    options.acknowledge && ids.length > 0
      ? await admin.acknowledgeFindings({ body: { ids } })
      : before;
  printResult(context, options, after, () => describe(after));
  const open = after.findings.filter(isOpen);
  if (open.length > 0) {
    const toDo = open.every(({ id }) => id !== null) ? 'to acknowledge' : 'to act on';
    throw new CliError('findings_open', `${pluralize(open.length, 'finding')} ${toDo}.`);
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
