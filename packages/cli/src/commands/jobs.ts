import type { Command } from 'commander';
import { type CommandContext, printResult } from '../context.ts';
import { addCommand, parseIdArgument } from '../options.ts';
import { describeResult } from '../output/describe.ts';
import { waitForJobById } from '../requests/wait.ts';

/** `mneme jobs wait`: fails when the job fails. */
export function fillJobsCommand(jobs: Command, context: CommandContext): void {
  addCommand(jobs, 'wait', 'wait until a job has ended; fails if the job failed')
    .argument('<id>', 'the id of the job', parseIdArgument)
    .action(async (id: string, options: { json?: boolean }) => {
      const job = await waitForJobById(context, id, options.json ?? false);
      printResult(context, options, job, () => describeResult('jobs.get', job, context.display));
    });
}
