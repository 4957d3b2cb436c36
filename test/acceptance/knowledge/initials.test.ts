import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines } from '../../support/service.ts';
import {
  openScriptedAccount,
  type ScriptedExtraction,
  startScriptedExtraction,
} from './scripted-extraction.ts';

describe.each(engines)('a name with initials on %s', (engine) => {
  let stage: ScriptedExtraction;
  beforeAll(async () => {
    stage = await startScriptedExtraction(engine);
  });
  afterAll(() => stage.service.stop());

  it('means the one person whom it fits, whichever was told first', async () => {
    const { remember, names } = await openScriptedAccount(stage);
    await remember('person:Jaya_Patel');
    await remember('person:J._Patel; person:B._Ito');
    await remember('person:Ben_Ito');
    expect(await names()).toEqual(['B. Ito', 'Jaya Patel']);
  });

  it('means the same in one bulk create as one after the other', async () => {
    const { client, names } = await openScriptedAccount(stage);
    const contents = ['person:Jaya_Patel', 'person:J._Patel', 'person:B._Ito', 'person:Ben_Ito'];
    await client.memories.bulkCreate({
      body: { memories: contents.map((content) => ({ content })) },
    });
    await stage.extractAll();
    expect(await names()).toEqual(['B. Ito', 'Jaya Patel']);
  });

  it('means nobody known where it fits two, however many share the last name', async () => {
    const { client, names } = await openScriptedAccount(stage);
    const first = (i: number): string => {
      const letters = [...String(i).padStart(4, '0')].map((digit) => 'bcdfghklmn'[Number(digit)]);
      return `Q${letters.join('a')}`;
    };
    const people = Array.from({ length: 1_000 }, (_, i) => `person:${first(i)}_Patel`);
    const crowd = { content: people.join('; ') };
    const memories = [{ content: 'person:Jaya_Patel' }, crowd, { content: 'person:John_Patel' }];
    await client.memories.bulkCreate({ body: { memories } });
    await stage.extractAll();
    await client.memories.create({ body: { content: 'person:J._Patel' } });
    await stage.extractAll();
    expect(await names({ q: 'J. Patel' })).toEqual(['J. Patel']);
  });

  it('makes no two people one whose whole names differ', async () => {
    const { remember, names } = await openScriptedAccount(stage);
    await remember('person:J._Patel');
    await remember('person:Jaya_Patel');
    await remember('person:John_Patel');
    expect(await names()).toEqual(['J. Patel', 'John Patel']);
  });
});
