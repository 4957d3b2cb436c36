import { chatgptFormat } from './chatgpt.ts';
import { claudeFormat } from './claude.ts';
import { csvFormat } from './csv.ts';
import type { ImportFormat } from './format.ts';
import { jsonlFormat } from './jsonl.ts';
import { markdownFormat } from './markdown.ts';
import { mcpMemoryFormat } from './mcp-memory.ts';
import { mem0Format } from './mem0.ts';

export const importFormats = {
  chatgpt: chatgptFormat,
  claude: claudeFormat,
  'mcp-memory': mcpMemoryFormat,
  mem0: mem0Format,
  markdown: markdownFormat,
  jsonl: jsonlFormat,
  csv: csvFormat,
} as const satisfies Readonly<Record<string, ImportFormat>>;

export type ImportFormatName = keyof typeof importFormats;
