import type { Command } from 'commander';
import { generateKey } from '../kernel/api-key-format.ts';
import { systemClock } from '../kernel/clock.ts';
import { createIds } from '../kernel/ids.ts';
import type { Terminal } from './terminal.ts';

/** `mneme-server generate-key`: `mneme keys generate` runs this command. */
export function registerGenerateKeyCommand(program: Command, { print }: Terminal): void {
  program
    .command('generate-key')
    .description('print a new key for MNEME_ADMIN_KEY; nothing is stored')
    .option('--json', 'print the key as JSON')
    .action(({ json }: { json?: boolean }) => {
      const key = generateKey(createIds(systemClock));
      print(json ? JSON.stringify({ key }) : key);
    });
}
