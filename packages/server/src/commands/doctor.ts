import type { Diagnosis } from '@mneme/contract';
import type { Command } from 'commander';
import { diagnoseLocally } from '../diagnosis/diagnose-locally.ts';
import { systemClock } from '../kernel/clock.ts';
import { createIds } from '../kernel/ids.ts';
import type { Terminal } from './terminal.ts';

interface Options {
  readonly json?: boolean;
  readonly quick?: boolean;
  readonly acknowledge?: boolean;
}

/** `mneme-server doctor`: exit code 1 on unacknowledged findings. */
export function registerDoctorCommand(program: Command, terminal: Terminal): void {
  program
    .command('doctor')
    .description('check the settings, files and database while the server is stopped')
    .option('--json', 'print the checks and findings as JSON')
    .option('--quick', 'do not read all pages of the database')
    .option('--acknowledge', 'acknowledge all findings about the stored data')
    .action(async ({ json, quick = false, acknowledge = false }: Options) => {
      const { env, print, showProgress } = terminal;
      const diagnosis = await diagnoseLocally(env, {
        clock: systemClock,
        ids: createIds(systemClock),
        isQuick: quick,
        acknowledge,
        onProgress: (megabytes) => showProgress(`reading the database: ${megabytes} MB`),
      }).finally(() => showProgress(null));
      if (json) print(JSON.stringify(diagnosis));
      else for (const line of describe(diagnosis)) print(line);
      const open = diagnosis.findings.filter(isOpen);
      terminal.setExitCode(open.length === 0 ? 0 : 1);
    });
}

type Finding = Diagnosis['findings'][number];

const isOpen = ({ acknowledged_at: at }: Finding): boolean => at === null;

function describe({ status, checks, findings }: Diagnosis): string[] {
  const rows = Object.entries(checks).map(
    ([name, { ok, detail }]) => [name, `${ok ? 'ok' : 'failing'} ${detail ?? ''}`] as const,
  );
  const width = Math.max(...rows.map(([name]) => name.length), 'status'.length);
  return [
    ...[['status', status] as const, ...rows].map(([name, text]) =>
      `${name.padEnd(width)}  ${text}`.trimEnd(),
    ),
    ...findings.filter(isOpen).flatMap(describeFinding),
  ];
}

const describeFinding = ({ severity, kind, message, action }: Finding): string[] => [
  '',
  `${severity}: ${kind}`,
  `  ${message}`,
  `  What to do: ${action}`,
];
