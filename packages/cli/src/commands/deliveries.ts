import type { Command } from 'commander';
import { type Context, show } from '../context.ts';
import { leaf } from '../options.ts';

/** `mneme pause-deliveries`, `mneme resume-deliveries`: webhook calls and mail of all accounts. */
export function addDeliveries(program: Command, context: Context): void {
  leaf(
    program,
    'pause-deliveries',
    'queue webhook calls and mail without sending (operator)',
  ).action(async (options: { json?: boolean }) => {
    const { admin } = await context.client();
    const state = await admin.pauseDeliveries();
    show(context, options, state, () => [`Deliveries are paused since ${state.paused_at}.`]);
  });
  leaf(
    program,
    'resume-deliveries',
    'send webhook calls and mail again, after a restore (operator)',
  ).action(async (options: { json?: boolean }) => {
    const { admin } = await context.client();
    show(context, options, await admin.resumeDeliveries(), () => ['Deliveries are resumed.']);
  });
}
