/** Writes docs/settings.md from the settings of the server; --check reports whether it is stale. */
import { readFileSync } from 'node:fs';
import type { Setting } from '../packages/server/src/kernel/setting.ts';
import { settings } from '../packages/server/src/kernel/settings.ts';
import { writeOrCheck } from './generated-document.ts';

const template = new URL('./settings.template.md', import.meta.url);

interface Section {
  readonly title: string;
  /** What the settings of the section have in common; shown above the table. */
  readonly intro?: string;
  /** Of the names without MNEME_. The first section that matches has the setting. */
  readonly names: RegExp;
}

const sections: readonly Section[] = [
  {
    title: 'Server',
    names: new RegExp(
      '^(?:HOST|PORT|JOBS|METRICS_|DATA_DIR|PUBLIC_|ALLOWED_|CONSOLE|CORS_|TRUSTED_|REQ|SHUTDOWN|' +
        'LOG|ACTIV)',
    ),
  },
  { title: 'Keys and secrets', names: /^(?:ADMIN_KEY|SECRET_KEY|ALLOW_OTHER_SECRET_KEY|TOKEN)/ },
  {
    title: 'OAuth',
    intro: 'See [connect Claude.ai and ChatGPT](mcp.md#connect-claudeai-and-chatgpt).',
    names: /^OAUTH_/,
  },
  { title: 'Database', names: /^(?:DATABASE_|ALLOW_OTHER_ENGINE|DISK_)/ },
  {
    title: 'Search index',
    intro: 'See [capacity](operate/capacity.md) and [several processes](operate/scale.md).',
    names: /^(?:INDEX_|SEARCH_|PEER_)/,
  },
  {
    title: 'Backups',
    intro: 'See [back up](operate/back-up.md). A bucket needs `npm install @aws-sdk/client-s3`.',
    names: /^(?:BACKUP_|ERASURES_)/,
  },
  {
    title: 'Embedding model',
    intro:
      'See [change the embedding model](operate/configure.md#change-the-embedding-model).\n' +
      'The provider `transformers` needs\n`npm install @huggingface/transformers`, which the ' +
      'default installation omits because of its size.',
    names: /^(?:EMBEDDING|MODEL)_/,
  },
  {
    title: 'Language model',
    intro:
      'Optional. Without these settings the built-in extractor reads memories offline. See also\n' +
      '[rewrite the query](search.md#rewrite-the-query).',
    names: /^LLM_/,
  },
  {
    title: 'Reranker',
    intro:
      'Optional. See [reorder results with a reranker](search.md#reorder-results-with-a-reranker).',
    names: /^RERANK_/,
  },
  { title: 'Webhooks', intro: 'See [webhooks](webhooks.md).', names: /^WEBHOOK_/ },
  { title: 'E-mail', intro: 'See [e-mail](email.md).', names: /^(?:SMTP_|EMAIL_|DKIM_|CONTACT_)/ },
  {
    title: 'Files',
    intro:
      'Audio and video need FFmpeg: on the `PATH` (Debian: `apt install ffmpeg`), or from\n' +
      '`npm install @ffmpeg-installer/ffmpeg @ffprobe-installer/ffprobe`. See [media](media.md).',
    names: /^(?:MAX_UPLOAD|MAX_IMPORT|FFMPEG|FFPROBE)/,
  },
  {
    title: 'Bucket',
    intro: 'Store files in S3-compatible storage. It needs `npm install @aws-sdk/client-s3`.',
    names: /^S3_/,
  },
  {
    title: 'Transcription',
    intro: 'See [choose a transcription provider](media.md#choose-a-transcription-provider).',
    names: /^TRANSCRIPTION_/,
  },
  {
    title: 'OpenTelemetry',
    intro:
      'Standard variables, which other programs read, too: see ' +
      '[monitor](operate/monitoring.md#opentelemetry).\nHeaders, timeout, compression and ' +
      'certificate can also be set for one signal, such as\n' +
      '`OTEL_EXPORTER_OTLP_TRACES_HEADERS`, and `OTEL_SPAN_*` limits spans. An invalid value is\n' +
      'named in a warning at the start, and the default is used instead.',
    names: /^OTEL_/,
  },
  { title: 'Vision', intro: 'See [describe videos](media.md#describe-videos).', names: /^VISION_/ },
];

const all = Object.entries(settings) as [string, Setting][];

const findSection = (name: string): Section | undefined =>
  sections.find(({ names }) => names.test(name.replace('MNEME_', '')));

const renderRow = ([name, { defaultValue, description }]: readonly [string, Setting]): string =>
  `| \`${name}\` | ${defaultValue ? `\`${defaultValue}\` ` : ''}| ${description} |`;

const renderSection = (section: Section): string =>
  [
    `## ${section.title}`,
    ...(section.intro ? [section.intro] : []),
    [
      '| variable | default | meaning |',
      '| --- | --- | --- |',
      ...all.filter(([name]) => findSection(name) === section).map(renderRow),
    ].join('\n'),
  ].join('\n\n');

const secretNames = all.filter(([, { secret }]) => secret).map(([name]) => `\`${name}\``);

const placeholders: Readonly<Record<string, string>> = {
  secrets: secretNames.join(',\n'),
  sections: sections.map(renderSection).join('\n\n'),
};

/** The page as it is committed. Throws for a setting that belongs to no section. */
export function settingsText(): string {
  const unplaced = all.map(([name]) => name).filter((name) => findSection(name) === undefined);
  if (unplaced.length > 0) throw new Error(`no section for ${unplaced.join(', ')}`);
  return readFileSync(template, 'utf8').replace(
    /<(\w+)>/g,
    (gap, name: string) => placeholders[name] ?? gap,
  );
}

if (import.meta.main) {
  const [path, command] = ['docs/settings.md', 'npm run settings'];
  process.exitCode = writeOrCheck({ path, command, text: settingsText() }, process.argv);
}
