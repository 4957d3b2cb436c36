import type { Command } from 'commander';
import { readConfig } from '../kernel/config.ts';
import { openService } from './service-process.ts';
import type { Terminal } from './terminal.ts';

/**
 * `mneme-server migrate`: applies the migrations of this version, as a start does, and ends. For
 * deployments that migrate before new servers start.
 */
export function registerMigrateCommand(program: Command, terminal: Terminal): void {
  program
    .command('migrate')
    .description('apply the migrations of this version to the database, as a start does, and end')
    .action(async () => {
      const { config, warnings } = readConfig(terminal.env);
      for (const warning of warnings) terminal.warn(`mneme: ${warning}`);
      const overrides = await openService(config, terminal);
      const { createServiceComponents } = await import('../context.ts');
      const components = await createServiceComponents(config, terminal.version, overrides);
      await components[Symbol.asyncDispose]();
      terminal.print('The database has the schema of this version.');
    });
}
