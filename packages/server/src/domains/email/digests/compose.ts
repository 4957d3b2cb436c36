import { escapeHtml } from '@mneme/text';
import type { MemoryExcerpt } from '../../memories/index.ts';

export interface DigestContent {
  readonly name: string;
  readonly from: Date;
  readonly to: Date;
  /** The time zone of its dates. */
  readonly timezone: string;
  /** Null: the digest does not include them. */
  readonly highlights: readonly MemoryExcerpt[] | null;
  readonly newest: readonly MemoryExcerpt[] | null;
  /** Number of memories of the period, shown or not. */
  readonly total: number;
  readonly unsubscribeUrl: string;
}

const excerptCharactersMax = 280;

/** One line, truncated. */
function excerpt({ content }: MemoryExcerpt): string {
  const line = [...content.replaceAll(/\s+/gu, ' ').trim()];
  if (line.length <= excerptCharactersMax) return line.join('');
  return `${line.slice(0, excerptCharactersMax - 1).join('')}…`;
}

const tagsOf = ({ tags }: MemoryExcerpt): string => tags.map((tag) => `#${tag}`).join(' ');

function createDayFormatter(zone: string): (at: Date) => string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: zone });
  return (at) => format.format(at);
}

interface Section {
  readonly title: string;
  readonly memories: readonly MemoryExcerpt[];
}

const buildSections = ({ highlights, newest }: DigestContent): Section[] =>
  [
    { title: 'Highlights', memories: highlights ?? [] },
    { title: 'New memories', memories: newest ?? [] },
  ].filter(({ memories }) => memories.length > 0);

function formatSummary({ total, newest }: DigestContent): string {
  if (total === 0) return 'There are no new memories.';
  const count = total === 1 ? '1 new memory' : `${total} new memories`;
  const more = newest === null ? 0 : total - newest.length;
  return more > 0 ? `${count}, ${more} of them not shown.` : `${count}.`;
}

export function digestSubject({ name, total }: DigestContent): string {
  return `${name}: ${total === 0 ? 'nothing new' : `${total} new`}`;
}

export function digestText(content: DigestContent): string {
  const day = createDayFormatter(content.timezone);
  const lines = [
    content.name,
    `${day(content.from)} to ${day(content.to)}`,
    '',
    formatSummary(content),
  ];
  for (const { title, memories } of buildSections(content)) {
    lines.push('', title, '');
    for (const memory of memories) {
      lines.push(`- ${excerpt(memory)}`);
      lines.push(`  ${[day(memory.created_at), tagsOf(memory)].filter(Boolean).join(' ')}`);
    }
  }
  return `${[...lines, '', '-- ', `Unsubscribe: ${content.unsubscribeUrl}`].join('\n')}\n`;
}

const cell = 'padding:6px 0;border-bottom:1px solid #e4e4e0;font:15px/1.4 sans-serif';
const note = 'color:#666;font:13px/1.4 sans-serif';

/** A table without scripts, images and style sheets: mail programs render it consistently. */
export function digestHtml(content: DigestContent): string {
  const day = createDayFormatter(content.timezone);
  const row = (memory: MemoryExcerpt): string => {
    const details = [day(memory.created_at), tagsOf(memory)].filter(Boolean).join(' ');
    return (
      `<tr><td style="${cell}">${escapeHtml(excerpt(memory))}<br>` +
      `<span style="${note}">${escapeHtml(details)}</span></td></tr>`
    );
  };
  const sections = buildSections(content).map(
    ({ title, memories }) =>
      `<tr><td style="padding:18px 0 4px;font:bold 16px sans-serif">${title}</td></tr>\n` +
      memories.map(row).join('\n'),
  );
  const period = `${day(content.from)} to ${day(content.to)}`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(content.name)}</title></head>
<body><table role="presentation" width="100%" style="max-width:640px;margin:0 auto">
<tr><td style="font:bold 20px sans-serif">${escapeHtml(content.name)}</td></tr>
<tr><td style="${note}">${escapeHtml(period)}</td></tr>
<tr><td style="${cell}">${escapeHtml(formatSummary(content))}</td></tr>
${sections.join('\n')}
<tr><td style="padding-top:18px;${note}">
<a href="${escapeHtml(content.unsubscribeUrl)}">Unsubscribe</a></td></tr>
</table></body></html>
`;
}
