import { type ResponseBody, routes } from '@mneme/contract';
import { readArguments, required, text, time, toInputSchema } from '../arguments.ts';
import { spaceArgument, toSpaceFields } from '../space-argument.ts';
import { type McpTool, readAnnotations, textResult } from '../tool.ts';

type Entity = ResponseBody<typeof routes.knowledge.entities>['entities'][number];
type Fact = ResponseBody<typeof routes.knowledge.facts>['facts'][number];

const candidatesMax = 50;
const factsMax = 50;
const statementCharactersMax = 300;

const fields = {
  name: required(text('Of a person, organization, place, product or topic')),
  as_of: time('Facts that held at this time; default now'),
  known_at: time('As it was known at this time'),
};
const sendable = { ...fields, space: spaceArgument };

export const about: McpTool = {
  name: 'about',
  scope: 'knowledge:read',
  description: 'The facts about one named entity, now or at an earlier time.',
  annotations: readAnnotations,
  inputSchema: toInputSchema(fields),
  acceptsSpace: true,
  async run({ ctx, callRoute }, sent) {
    const args = readArguments('about', sendable, { name: 'Ana' }, sent);
    const { entities } = await callRoute(routes.knowledge.entities, {
      query: { q: args.name, limit: candidatesMax, ...toSpaceFields(args.space) },
    });
    const [entity, ...others] = byMatch(entities, args.name);
    if (!entity) return textResult(`Nothing is known about ${args.name}. Try recall.`);
    const asOf = args.as_of ?? args.known_at ?? ctx.clock.now();
    const { facts, total } = await callRoute(routes.knowledge.facts, {
      params: { id: entity.id },
      query: {
        as_of: asOf.toISOString(),
        known_at: args.known_at?.toISOString(),
        limit: factsMax,
      },
    });
    const lines = [
      `${entity.name} (${entity.type}), ${asOf.toISOString().slice(0, 10)}:`,
      ...facts.map(describeFact),
      ...(facts.length === 0 ? ['No facts.'] : []),
      ...(total > facts.length ? [`${total - facts.length} more`] : []),
      ...listOthers(others),
    ];
    return textResult(lines.join('\n'));
  },
};

/** The exact name first, then names that begin with it. */
function byMatch(entities: readonly Entity[], name: string): Entity[] {
  const wanted = name.trim().toLowerCase();
  const distance = (entity: Entity): number => {
    const found = entity.name.toLowerCase();
    if (found === wanted) return 0;
    return found.startsWith(wanted) ? 1 : 2;
  };
  return entities.toSorted((a, b) => distance(a) - distance(b));
}

const dayOf = (time: string): string => time.slice(0, 10);

function describeFact({ statement, valid_from, valid_to, source_memory_ids: ids }: Fact): string {
  const text =
    statement.length <= statementCharactersMax
      ? statement
      : `${statement.slice(0, statementCharactersMax)}…`;
  const period = [
    ...(valid_from === null ? [] : [`since ${dayOf(valid_from)}`]),
    ...(valid_to === null ? [] : [`until ${dayOf(valid_to)}`]),
  ].join(' ');
  const source = ids[0] === undefined ? [] : [`[${ids[0]}]`];
  return ['-', text, ...(period === '' ? [] : [`(${period})`]), ...source].join(' ');
}

const listOthers = (others: readonly Entity[]): string[] =>
  others.length === 0
    ? []
    : [
        `Similar names: ${others
          .slice(0, 5)
          .map(({ name, type }) => `${name} (${type})`)
          .join(', ')}`,
      ];
