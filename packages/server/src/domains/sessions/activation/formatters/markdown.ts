import {
  describeRelationship,
  type ExportFormatter,
  exportTitle,
  sessionSummaryFields,
} from './formatter.ts';

/** Uses a longer fence than any run of back-ticks, so that the content cannot end it. */
function fenced(content: string): string {
  let longest = 2;
  for (const [run] of content.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${content}\n${fence}`;
}

/** Escapes text as one line without Markdown markup. */
const inline = (text: string): string =>
  text.replaceAll(/[\r\n]+/g, ' ').replaceAll(/[\\`*_{}[\]<>#|~&]/g, '\\$&');

export function createMarkdownFormatter(): ExportFormatter {
  let memories = 0;
  let relationships = 0;
  return {
    header(session) {
      const facts = sessionSummaryFields(session).map(([name, value]) => `- ${name}: ${value}\n`);
      return `# ${inline(exportTitle(session))}\n\n${facts.join('')}`;
    },
    memory({ memory }) {
      memories += 1;
      const tags = memory.tags.length > 0 ? `- Tags: ${memory.tags.map(inline).join(', ')}\n` : '';
      const head = `\n## ${memories}. ${memory.created_at}\n\n- Id: ${memory.id}\n${tags}`;
      return `${head}\n${fenced(memory.content)}\n`;
    },
    relationshipsHeader: () => '',
    relationship(one) {
      relationships += 1;
      const head = relationships === 1 ? '\n## Relationships\n\n' : '';
      const description = one.description ? `: ${inline(one.description)}` : '';
      const relationship = `${inline(describeRelationship(one))}${description}`;
      return `${head}- ${one.source_id} → ${one.target_id}, ${relationship}\n`;
    },
    footer: () => '',
  };
}
