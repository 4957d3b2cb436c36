import { MnemeError } from '@mneme/sdk';
import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { UsageError } from '../errors.ts';
import { toPrintableLines } from '../output/printable.ts';
import { renderRequest } from '../requests/dry-run.ts';
import { parseJson, readReference } from '../requests/values.ts';

interface ApiOptions {
  readonly body?: string;
  readonly dryRun?: boolean;
}

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

/** `mneme api`: any request, for what has no command. */
export function fillApiCommand(command: Command, context: CommandContext): void {
  command
    .argument('<method>', methods.join(', '))
    .argument('<path>', 'the path, such as "/memories?limit=2"; with or without /v1')
    .option('--body <json>', 'the JSON body; - reads stdin, @file a file')
    .option('--dry-run', 'print the request without sending it')
    .action(async (givenMethod: string, givenPath: string, options: ApiOptions) => {
      const method = givenMethod.toUpperCase();
      if (!methods.includes(method)) {
        throw new UsageError(`<method> must be one of ${methods.join(', ')}`);
      }
      const path = givenPath.replace(/^\/?(?:v1\/)?/, '/');
      const text = options.body && (await readReference(options.body, context));
      const body = text === undefined ? undefined : parseJson(text, '--body');
      if (options.dryRun) {
        return context.writePage(renderRequest({ method, path: `/v1${path}`, body }));
      }
      const client = await context.client({ acceptsAnyType: true });
      const response = await client.request({ method, path, body });
      if (response.status >= 300) throw new MnemeError(response);
      await printBody(context, response.body);
    });
}

/** JSON on a terminal is indented; elsewhere it is one line. */
async function printBody(context: CommandContext, body: unknown): Promise<void> {
  if (body === undefined) return;
  if (body instanceof Uint8Array) {
    context.output.write(body);
    return;
  }
  if (typeof body === 'string') return context.writePage(toPrintableLines(body));
  const indent = context.display.width === null ? undefined : 2;
  await context.writePage(JSON.stringify(body, null, indent).split('\n'));
}
