import type { Command } from 'commander';
import { type CommandContext, printResult } from '../context.ts';
import { addCommand } from '../options.ts';

/** `mneme pause-deliveries` and `mneme resume-deliveries`: webhooks and mail of all accounts. */
export function registerDeliveriesCommands(program: Command, context: CommandContext): void {
  addCommand(
    program,
    'pause-deliveries',
    'queue webhook calls and mail of all accounts without sending them (operator)',
  ).action(async (options: { json?: boolean }) => {
    const { admin } = await context.client();
    const state = await admin.pauseDeliveries();
    printResult(context, options, state, () => [
      `Deliveries have been paused since ${state.paused_at}.`,
    ]);
  });
  addCommand(
    program,
    'resume-deliveries',
    'send queued webhook calls and mail again, for example after a restore (operator)',
  ).action(async (options: { json?: boolean }) => {
    const { admin } = await context.client();
    printResult(context, options, await admin.resumeDeliveries(), () => [
      'Deliveries have been resumed.',
    ]);
  });
}
