import type { ExportFormatter } from './formatter.ts';

/** Joins members of an array: each but the first has a comma before it. */
function createMemberJoiner(): (member: unknown) => string {
  let comma = '';
  return (member) => {
    const text = `${comma}${JSON.stringify(member)}`;
    comma = ',';
    return text;
  };
}

export function createJsonFormatter(): ExportFormatter {
  const [memory, relationship] = [createMemberJoiner(), createMemberJoiner()];
  return {
    header: (session) => `{"session":${JSON.stringify(session)},"memories":[`,
    memory: (exported) => memory({ ...exported.memory, create: exported.createBody }),
    relationshipsHeader: () => '],"relationships":[',
    relationship,
    footer: () => ']}',
  };
}
