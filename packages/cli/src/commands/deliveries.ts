import type { Command } from 'commander';
import { type CommandContext, printResult } from '../context.ts';
import { addOutputOptions } from '../options.ts';

/** `mneme pause-deliveries`: webhooks and mail of all accounts. */
export function fillPauseDeliveriesCommand(command: Command, context: CommandContext): void {
  addOutputOptions(command).action(async (options: { json?: boolean }) => {
    const { admin } = await context.client();
    const state = await admin.pauseDeliveries();
    printResult(context, options, state, () => [
      `Deliveries have been paused since ${state.paused_at}.`,
    ]);
  });
}

/** `mneme resume-deliveries`. */
export function fillResumeDeliveriesCommand(command: Command, context: CommandContext): void {
  addOutputOptions(command).action(async (options: { json?: boolean }) => {
    const { admin } = await context.client();
    printResult(context, options, await admin.resumeDeliveries(), () => [
      'Deliveries have been resumed.',
    ]);
  });
}
