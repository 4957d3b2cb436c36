import { describe, expect, it } from 'vitest';
import { parseFactQuestion } from './fact-question.ts';

const firstPredicate = (text: string): [string | null, string] | null => {
  const question = parseFactQuestion(text);
  return question && [question.subject, question.predicates[0] ?? ''];
};

describe('the fact that a question asks for', () => {
  it.each([
    ['Where does Ana live?', 'Ana', 'located_in'],
    ['where does ana ruiz live now', 'ana ruiz', 'located_in'],
    ['Where did Ana use to live?', 'Ana', 'located_in'],
    ['Where is Acme based?', 'Acme', 'located_in'],
    ["Where's Ana these days?", 'Ana', 'located_in'],
    ['Which city does Ana live in?', 'Ana', 'located_in'],
    ['Does Ana still live in Porto?', 'Ana', 'located_in'],
    ["What is Ana's address?", 'Ana', 'located_in'],
    ['Where does Ana currently work?', 'Ana', 'works_at'],
    ['Where did Ana work before?', 'Ana', 'works_at'],
    ['Who does Ana work for?', 'Ana', 'works_at'],
    ['Which company does J. Patel work for?', 'J. Patel', 'works_at'],
    ["Tell me the name of Ana's employer", 'Ana', 'works_at'],
    ['What does Ana do for a living?', 'Ana', 'job_title'],
    ["Who is Ana's new boss?", 'Ana', 'reports_to'],
    ["ana ruiz's manager", 'ana ruiz', 'reports_to'],
    ["What's Ana's date of birth?", 'Ana', 'birthday'],
    ["What is the name of Ana's current team lead?", 'Ana', 'reports_to'],
    ["Where does Ana's boss live?", "Ana's boss", 'located_in'],
    ["Who is Ana's sister's boss?", "Ana's sister", 'reports_to'],
    ["Who is Ana's boss? I forgot", 'Ana', 'reports_to'],
    ["Before we meet, what is Ana's address?", 'Ana', 'located_in'],
    ["In 2023 who was Ana's boss?", 'Ana', 'reports_to'],
    ["What is Ana's husband called?", 'Ana', 'related_to'],
    ['Do you know the current address of Ana?', 'Ana', 'located_in'],
    ['the line manager of Ana', 'Ana', 'reports_to'],
    ['Who was the boss of Ana Ruiz in 2024?', 'Ana Ruiz', 'reports_to'],
    ['Who manages the Atlas team?', 'Atlas team', 'reports_to'],
    ['To whom does Ana report?', 'Ana', 'reports_to'],
    ['Who does Ana work with?', 'Ana', 'collaborates_with'],
    ['Which text editor does Ana use?', 'Ana', 'uses'],
    ['Which languages does Zoë speak?', 'Zoë', 'knows'],
    ['Which team is Ana in?', 'Ana', 'part_of'],
    ["James's wife", 'James', 'related_to'],
    ["James' sister", 'James', 'related_to'],
    ['What is Ana allergic to?', 'Ana', 'allergic_to'],
    ['When was Ana born?', 'Ana', 'birthday'],
  ])('%s', (text, subject, predicate) => {
    expect(firstPredicate(text)).toEqual([subject, predicate]);
  });

  it.each([
    'Where does she live?',
    "What is my sister's address?",
    'What did Ana say about the boss?',
    'the boss is on holiday',
    "What did Ana's boss say about the budget?",
    "What did Ben say to Ana's boss?",
    "Ana's home office is too small",
    'What did Ben say about the boss of Ana?',
    "What is my sister Ana's address?",
    'Where does Ana keep the keys?',
    'where is the key that Ana has lost?',
    'ERR_4711',
    '',
    `Where does ${'Ana '.repeat(100)}live?`,
  ])('is none of a named subject: %s', (text) => {
    expect(parseFactQuestion(text)).toBeNull();
  });

  it('is found quickly in any text', () => {
    const parts = ["a'a.", "a's ", 'of ', 'a of ', 'where is ', 'was a b ', 'is now ', ' ', "' "];
    const started = performance.now();
    for (const part of parts) {
      for (let i = 0; i < 100; i += 1) {
        parseFactQuestion(`where is ${part.repeat(200 / part.length - 4)} ${i}`);
      }
    }
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe('a question of somebody about themselves', () => {
  it.each([
    ['Where do I live?', 'lives_in'],
    ['where do I live now', 'lives_in'],
    ['What am I allergic to?', 'allergic_to'],
    ['When is my birthday?', 'birthday'],
    ['when was I born', 'birthday'],
    ['What is my job?', 'job_title'],
    ['Where do I work?', 'works_at'],
    ["Who's my boss?", 'reports_to'],
    ['What are my plans?', 'plans'],
    ['What did I decide?', 'decided'],
    ["What's my wife's name?", null],
    ['What is the name of my wife?', 'partner_of'],
    ['who is my partner', 'partner_of'],
    ['What do I like?', 'likes'],
    ['Where does the user live?', 'lives_in'],
    ["What is the user's job?", 'job_title'],
    ['what does user prefer', 'prefers'],
    ['What do I do for a living?', 'job_title'],
    ['Which editor do I use?', 'uses'],
    ['What are my hobbies?', 'likes'],
    ['What is my favourite food?', null],
    ['Am I allergic to anything?', 'allergic_to'],
    ['Which car do I drive?', 'owns'],
    ['Do I have any pets?', 'pet'],
    ['Do I have kids?', 'parent_of'],
    ['What are my allergies?', 'allergic_to'],
    ["What is my son's name?", 'parent_of'],
    ['Who am I married to?', 'partner_of'],
    ['Where did I live before?', 'lives_in'],
    ['What is my dog called?', 'pet'],
    ['What am I studying?', 'studies'],
    ['Where does my sister live?', null],
    ['When is the launch?', null],
  ])('%j', (question, predicate) => {
    const parsed = parseFactQuestion(question);
    if (predicate === null) expect(parsed?.subject ?? '').not.toBeNull();
    else {
      expect(parsed?.subject).toBeNull();
      expect(parsed?.predicates).toContain(predicate);
    }
  });
});
