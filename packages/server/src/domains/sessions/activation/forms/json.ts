import type { Form } from './form.ts';

/** Members of an array: each but the first has a comma before it. */
function listed(): (member: unknown) => string {
  let comma = '';
  return (member) => {
    const text = `${comma}${JSON.stringify(member)}`;
    comma = ',';
    return text;
  };
}

export function jsonForm(): Form {
  const [memory, relationship] = [listed(), listed()];
  return {
    begin: (session) => `{"session":${JSON.stringify(session)},"memories":[`,
    memory: (one) => memory({ ...one.memory, create: one.create }),
    between: () => '],"relationships":[',
    relationship,
    end: () => ']}',
  };
}
