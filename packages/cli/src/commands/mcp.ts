import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { CliError } from '../errors.ts';
import { StdioBridge } from '../mcp/bridge.ts';
import { findLocalData, LocalServer } from '../mcp/local-server.ts';
import { isServerInstalled } from '../server-program.ts';
import { findApiKey, isLoopbackUrl } from '../settings.ts';

interface Options {
  readonly space?: string;
  readonly tools?: string;
}

/**
 * `mneme mcp`: an MCP server on stdio, for clients that start programs. It forwards to the service;
 * if none runs on this machine, it starts one that all clients share and that ends after them.
 */
export function fillMcpCommand(command: Command, context: CommandContext): void {
  command
    .option('--space <name or id>', 'only the memories of this space')
    .option('--tools <profile>', 'other tools: openai')
    .action(async (options: Options) => {
      const settings = context.settings();
      const isLocal = isLoopbackUrl(settings) && isServerInstalled();
      const data = isLocal ? findLocalData(settings) : null;
      const server = data === null ? null : new LocalServer(settings.url, data);
      const keyFile = data === null ? settings.keyFile : `${data.dataDir}/admin-key`;
      const bridge = new StdioBridge({
        url: toMcpUrl(settings.url, options),
        apiKey: () => findApiKey({ ...settings, keyFile }),
        restart: server === null ? null : () => server.ensureRunning(),
        writeLine: context.writeLine,
        writeStderrLine: context.writeStderrLine,
      });
      // Clients end programs by SIGTERM, also one that still waits for the server.
      const leave = (): void => void server?.release().finally(() => process.exit(0));
      if (server !== null) process.once('SIGTERM', leave).once('SIGINT', leave);
      try {
        await server?.ensureRunning();
        await bridge.run(context.inputLines());
      } finally {
        await server?.release();
      }
    });
}

function toMcpUrl(service: string, { space, tools }: Options): string {
  if (space === '') throw new CliError('usage', '--space must not be empty.');
  const path = space === undefined ? '/mcp' : `/mcp/${encodeURIComponent(space)}`;
  const query = tools === undefined ? '' : `?profile=${encodeURIComponent(tools)}`;
  return `${service.replace(/\/+$/, '')}${path}${query}`;
}
