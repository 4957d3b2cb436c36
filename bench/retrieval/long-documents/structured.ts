/** Generated logs, tables, lists and code, with questions to some of their passages. */
import type { DocumentParts } from './document-parts.ts';

type Random = () => number;
type Question = DocumentParts['questions'][number];

const pickFrom = <T>(random: Random, from: readonly T[]): T =>
  from[Math.floor(random() * from.length)] as T;
const numberFrom = (random: Random, min: number, max: number): number =>
  min + Math.floor(random() * (max - min));

/** Without repetition. */
function combinations(random: Random, left: readonly string[], right: readonly string[]): string[] {
  return left
    .flatMap((a) => right.map((b) => ({ text: `${a} ${b}`, order: random() })))
    .toSorted((a, b) => a.order - b.order)
    .map(({ text }) => text);
}

const routine = [
  'INFO http: GET /orders 200 in 12 ms',
  'INFO http: POST /orders 201 in 48 ms',
  'DEBUG cache: hit ratio 0.93 over the last minute',
  'INFO queue: 14 messages consumed, none left',
  'DEBUG pool: 6 of 20 connections in use',
  'INFO metrics: pushed 212 series',
];

/** What happened in lines of a log, and how somebody asks who or what it was. */
const incidents: readonly (readonly [line: string, question: string])[] = [
  [
    'ERROR storage: write failed on {x}: ENOSPC, volume /data at 100 %',
    'which machine had no disk space left',
  ],
  [
    'WARN auth: 47 failed logins for {x}, account locked for an hour',
    'whose password did somebody try to guess',
  ],
  [
    'ERROR tls: certificate of {x} expired, handshake refused',
    'which host had a security credential past its date',
  ],
  [
    'WARN power: {x} on battery, mains lost, 11 minutes left',
    'what kept running through the electricity outage',
  ],
  [
    'ERROR cron: export {x} exceeded 3600 s and was killed',
    'which scheduled task ran too long and was stopped',
  ],
  [
    'WARN deploy: release {x} rolled back, health check answered 503',
    'which version was withdrawn after its installation',
  ],
  [
    'ERROR memory: process {x} killed by the kernel, resident 7.8 GB',
    'which program was ended for using too much RAM',
  ],
  [
    'WARN sensor: {x} reports 4 degrees above the limit for 10 minutes',
    'which probe measured that it was too hot',
  ],
];

export function logDocument(place: string, random: Random): DocumentParts {
  const lines: string[] = [`Log of the servers at ${place}`, ''];
  const questions: Question[] = [];
  const due = new Map(
    incidents.map((incident, i) => [20 + i * 32 + numberFrom(random, 0, 20), incident]),
  );
  let seconds = numberFrom(random, 0, 3_600);
  for (let i = 0; i < 300; i += 1) {
    const incident = due.get(i);
    seconds += incident ? 240 : numberFrom(random, 1, 9);
    const clock = new Date(Date.UTC(2026, 2, 3) + seconds * 1_000).toISOString().slice(0, 19);
    if (incident) {
      const name = `${place.slice(0, 3).toLowerCase()}-${numberFrom(random, 1_000, 9_999)}`;
      lines.push(`${clock} ${incident[0].replace('{x}', name)}`);
      questions.push({ text: `At ${place}, ${incident[1]}?`, answer: name, kind: 'log' });
    } else lines.push(`${clock} ${pickFrom(random, routine)}`);
  }
  return { content: lines.join('\n'), questions };
}

const materials = ['brass', 'steel', 'nylon', 'rubber', 'copper', 'ceramic', 'oak', 'zinc'];
const parts = `hinge washer bracket gasket spindle bushing clamp hook nozzle pulley ferrule gudgeon
  latch grommet rivet sprocket`.split(/\s+/);
const suppliers = ['Anders & Sohn', 'Quill Ltd', 'Petrol Mare', 'Zwart', 'Lumen Works'];
const uses = ['for the gate', 'for the pump', 'for windows', 'for the crane', 'for the mill'];

export function tableDocument(place: string, random: Random): DocumentParts {
  const names = combinations(random, materials, parts).slice(0, 120);
  const rows = names.map((name, i) => ({
    name,
    cells: [
      `${place.slice(0, 2)}${200 + i}`,
      name,
      `${pickFrom(random, 'ABCDEFGH'.split(''))}${numberFrom(random, 1, 40)}`,
      pickFrom(random, suppliers),
      `${numberFrom(random, 1, 90)}.${numberFrom(random, 10, 99)}`,
      pickFrom(random, uses),
    ],
  }));
  const questions = rows
    .filter((_, i) => i % 15 === 7)
    .map(
      ({ name, cells }): Question => ({
        text: `What does the ${name} cost in the store of ${place}, and who sells it?`,
        answer: cells[0] ?? '',
        kind: 'table',
      }),
    );
  const content = [
    `# Store of ${place}`,
    '',
    'Prices without tax, of this year.',
    '',
    '| number | part | shelf | supplier | price | use |',
    '| --- | --- | --- | --- | ---: | --- |',
    ...rows.map(({ cells }) => `| ${cells.join(' | ')} |`),
  ].join('\n');
  return { content, questions };
}

const objects = `lantern kettle tent rope compass map stove whistle tarpaulin bandage torch axe
  canteen hammock`.split(/\s+/);
const qualities = ['spare', 'small', 'red', 'old', 'folding', 'heavy', 'borrowed', 'waterproof'];
const duties = [
  'check it for cracks and note the result on card',
  'wipe it with vinegar, never with soap, as it says on card',
  'hand it over only against a signature on card',
  'pack it last, so that it is at the top, see card',
];

export function listDocument(place: string, random: Random): DocumentParts {
  const names = combinations(random, qualities, objects).slice(0, 100);
  const lines: string[] = [`Packing list for the camp at ${place}`];
  const questions: Question[] = [];
  for (const [i, name] of names.entries()) {
    if (i % 20 === 0) lines.push('', `Tour ${i / 20 + 1} takes the following:`, '');
    const card = `${place.slice(0, 2).toUpperCase()}/${500 + i}`;
    lines.push(`- ${name}: ${pickFrom(random, duties)} ${card};`);
    lines.push(`  ${pickFrom(random, ['two', 'three', 'four'])} people know how to use it.`);
    if (i % 14 === 5) {
      const text = `What has to be done with the ${name} for the camp at ${place}?`;
      questions.push({ text, answer: card, kind: 'list' });
    }
  }
  return { content: lines.join('\n'), questions };
}

const verbs = ['parse', 'validate', 'round', 'merge', 'schedule', 'encrypt', 'sort', 'archive'];
const nouns = ['Invoice', 'Tariff', 'Route', 'Ticket', 'Voucher', 'Roster', 'Crate', 'Berth'];

export function codeDocument(place: string, random: Random): DocumentParts {
  const names = combinations(random, verbs, nouns).slice(0, 56);
  const questions: Question[] = [];
  const functions = names.map((name, i) => {
    const [verb = '', noun = ''] = name.split(' ');
    const id = `${verb}${noun}${place}`;
    if (i % 8 === 3) {
      const text = `Which function of ${place} can ${verb} a ${noun.toLowerCase()}?`;
      questions.push({ text, answer: id, kind: 'code' });
    }
    return [
      `export function ${id}(input: ${noun}, limit = ${numberFrom(random, 10, 900)}): ${noun} {`,
      `  if (input.lines.length > limit) throw new RangeError('too many lines');`,
      '  const kept = input.lines.filter((line) => line.amount !== 0);',
      '',
      `  return { ...input, lines: kept, checkedBy: '${verb}' };`,
      '}',
    ].join('\n');
  });
  const head = [
    `// Module of ${place}: generated types and their functions.`,
    "import type { Crate } from './types.ts';",
  ].join('\n');
  return { content: [head, ...functions].join('\n\n'), questions };
}
