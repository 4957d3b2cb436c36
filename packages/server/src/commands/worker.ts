import type { Command } from 'commander';
import { ConfigError, readConfig } from '../kernel/config.ts';
import { releaseIdleMemory } from '../kernel/idle-memory.ts';
import { openService, stopOnSignals } from './service-process.ts';
import type { Terminal } from './terminal.ts';

/** `mneme-server worker`: runs jobs and other background work without the API, until a signal. */
export function registerWorkerCommand(program: Command, terminal: Terminal): void {
  program
    .command('worker')
    .description('run jobs, webhook calls and mail apart from the API (PostgreSQL)')
    .action(async () => {
      const { config, warnings } = readConfig(terminal.env);
      for (const warning of warnings) terminal.warn(`mneme: ${warning}`);
      if (config.databaseUrl === null) {
        throw new ConfigError([
          'MNEME_DATABASE_URL is required for a worker: the embedded database belongs to one ' +
            'process, the server, which runs the jobs itself',
        ]);
      }
      const overrides = await openService(config, terminal);
      const { serveWorker } = await import('../serve.ts');
      const running = await serveWorker(config, terminal.version, overrides);
      stopOnSignals(running, terminal);
      releaseIdleMemory(running.context.app.clock);
      terminal.warn(`Mneme ${terminal.version} runs jobs for the servers of its database`);
      if (running.metricsPort === null) return;
      terminal.warn(`Metrics are served without a key on port ${running.metricsPort}`);
    });
}
