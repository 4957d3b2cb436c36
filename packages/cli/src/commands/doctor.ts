import type { Client } from '@mneme/sdk';
import type { Command } from 'commander';
import { type Context, show } from '../context.ts';
import { Fault } from '../faults.ts';
import { plural, table } from '../format.ts';
import { leaf } from '../options.ts';

type Diagnosis = Awaited<ReturnType<Client['admin']['getDiagnosis']>>;
type Finding = Diagnosis['findings'][number];

/** `mneme doctor`: fails when a check fails, or a finding is not acknowledged. */
export function addDoctor(program: Command, context: Context): void {
  leaf(program, 'doctor', 'show what is wrong with the service and its data (operator)')
    .option('--acknowledge', 'acknowledge every finding, so that the health is not degraded by it')
    .action(async (options: { json?: boolean; acknowledge?: boolean }) => {
      const { admin } = await context.client();
      const before = await admin.getDiagnosis();
      // Only what is shown is acknowledged.
      const ids = before.findings.filter(isOpen).map(({ id }) => id);
      const after =
        options.acknowledge && ids.length > 0
          ? await admin.acknowledgeFindings({ body: { ids } })
          : before;
      show(context, options, after, () => describe(after));
      const open = after.findings.filter(isOpen).length;
      if (open > 0) throw new Fault('findings_open', `${plural(open, 'finding')} to acknowledge.`);
      if (after.status !== 'ok') throw new Fault('degraded', `The service is ${after.status}.`);
    });
}

const isOpen = ({ acknowledged_at: at }: Finding): boolean => at === null;

function describe({ status, checks, findings }: Diagnosis): string[] {
  return [
    ...table([
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
  `${finding.found_at} ${finding.kind}${
    isOpen(finding) ? '' : `, acknowledged ${finding.acknowledged_at}`
  }`,
  `  ${finding.message}`,
  ...(isOpen(finding) ? [`  What to do: ${finding.action}`] : []),
];
