import type { Command } from 'commander';
import { type Context, printResult } from '../context.ts';
import { addCommand } from '../options.ts';

/** `mneme pause-deliveries`, `mneme resume-deliveries`: webhook calls and mail of all accounts. */
export function registerDeliveriesCommands(program: Command, context: Context): void {
  addCommand(
    program,
    'pause-deliveries',
    'queue webhook calls and mail without sending (operator)',
  ).action(async (options: { json?: boolean }) => {
    const { admin } = await context.client();
    const state = await admin.pauseDeliveries();
    printResult(context, options, state, () => [`Deliveries are paused since ${state.paused_at}.`]);
  });
  addCommand(
    program,
    'resume-deliveries',
    'send webhook calls and mail again, after a restore (operator)',
  ).action(async (options: { json?: boolean }) => {
    const { admin } = await context.client();
    printResult(context, options, await admin.resumeDeliveries(), () => [
      'Deliveries are resumed.',
    ]);
  });
}
