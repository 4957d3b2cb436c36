import { describe, expect, it } from 'vitest';
import { leastCpuMs } from '../../../../test/support/cpu-time.ts';
import { replyIn, unsigned } from './reply.ts';

const history = ['> the question', '> in two lines'];

describe('the reply in a mail', () => {
  it.each([
    ['On Mon, 5 Jan 2026 at 09:30, Ana <ana@example.com> wrote:'],
    ['Am 05.01.2026 um 09:30 schrieb Ana <ana@example.com>:'],
    ['Le lun. 5 janv. 2026 à 09:30, Ana <ana@example.com> a écrit :'],
    ['El lun, 5 ene 2026 a las 9:30, Ana (<ana@example.com>) escribió:'],
    ['Il giorno lun 5 gen 2026 alle ore 09:30 Ana ha scritto:'],
    ['On Mon, 5 Jan 2026 at 09:30, Ana Maria von Irgendwo\n<ana@example.com> wrote:'],
  ])('stands above the quotation that %j brings in', (attribution) => {
    expect(replyIn(['Yes, do.', '', attribution, ...history].join('\n'))).toBe('Yes, do.');
  });

  it('stands below the quotation as well', () => {
    const text = ['On Monday Ana wrote:', ...history, '', 'Yes, do.'].join('\r\n');
    expect(replyIn(text)).toBe('Yes, do.');
  });

  it('stands between quoted lines, all of it', () => {
    expect(replyIn('> first?\nYes.\n> second?\nNo.')).toBe('Yes.\nNo.');
  });

  it('ends where a program puts the former header without marks', () => {
    const header = 'From: Ana\nSent: Monday\nTo: Bob\nSubject: tea';
    expect(replyIn(`Yes.\n\n${header}\n\nthe question`)).toBe('Yes.');
    expect(replyIn(`Yes.\n-----Original Message-----\nthe question`)).toBe('Yes.');
    expect(replyIn(`Yes.\n\n${'_'.repeat(32)}\nFrom: Ana\nthe question`)).toBe('Yes.');
  });

  it('keeps a line that merely begins like an attribution', () => {
    const text = 'On Monday we met.\nFrom: the start it went well.\nAll agreed.';
    expect(replyIn(text)).toBe(text);
  });

  it('is the whole text where all of it is quoted', () => {
    expect(replyIn('> only this')).toBe('> only this');
  });

  it('has no signature, but keeps a rule that somebody drew', () => {
    expect(unsigned('Words.\n-- \nAna\nExample Ltd')).toBe('Words.');
    expect(unsigned('Words.\n\nSent from my phone')).toBe('Words.');
    const drawn = `above\n--\n${'below\n'.repeat(20)}end`;
    expect(unsigned(drawn)).toBe(drawn);
  });

  it('is found in a moment in a megabyte of anything', () => {
    for (const line of ['On ', '> ', '-- \n', 'a '.repeat(200), 'From: x\n']) {
      const text = line.repeat(Math.ceil(1_000_000 / line.length));
      expect(leastCpuMs(() => replyIn(text), 1)).toBeLessThan(4_000);
    }
  });
});
