import { escapeHtml } from '@mneme/text';
import {
  describeRelationship,
  type ExportFormatter,
  exportTitle,
  sessionSummaryFields,
} from './formatter.ts';

const policy = "default-src 'none'; style-src 'unsafe-inline'";
const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem}' +
  'pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#f4f4f2;padding:1rem}' +
  'dt{font-weight:600}small{color:#666}';

/** A self-contained page without scripts, images or external resources. */
export function createHtmlFormatter(): ExportFormatter {
  let relationships = 0;
  return {
    header(session) {
      const title = escapeHtml(exportTitle(session));
      const facts = sessionSummaryFields(session).map(
        ([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`,
      );
      return [
        '<!doctype html>',
        '<html lang="en"><head><meta charset="utf-8">',
        `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
        `<title>${title}</title><style>${style}</style></head>`,
        `<body><h1 dir="auto">${title}</h1><dl>${facts.join('')}</dl>\n`,
      ].join('\n');
    },
    memory: ({ memory }) =>
      `<article id="${memory.id}"><h2>${escapeHtml(memory.created_at)}</h2>` +
      `<small>${memory.id} ${escapeHtml(memory.tags.join(', '))}</small>` +
      // HTML ignores the first line feed after the tag.
      `<pre dir="auto">\n${escapeHtml(memory.content)}</pre></article>\n`,
    relationshipsHeader: () => '',
    relationship(one) {
      relationships += 1;
      const head = relationships === 1 ? '<h2>Relationships</h2><ul>\n' : '';
      const memoryLink = (id: string): string => `<a href="#${id}">${id}</a>`;
      const description = one.description ? `: ${escapeHtml(one.description)}` : '';
      const memories = `${memoryLink(one.source_id)} → ${memoryLink(one.target_id)}`;
      const text = `${escapeHtml(describeRelationship(one))}${description}`;
      return `${head}<li>${memories}, ${text}</li>\n`;
    },
    footer: () => `${relationships > 0 ? '</ul>\n' : ''}</body></html>\n`,
  };
}
