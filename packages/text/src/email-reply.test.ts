import { describe, expect, it } from 'vitest';
import { leastCpuMs } from '../../../test/support/cpu-time.ts';
import { extractEmailReply, removeEmailSignature } from './email-reply.ts';

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
    expect(extractEmailReply(['Yes, do.', '', attribution, ...history].join('\n'))).toBe(
      'Yes, do.',
    );
  });

  it('can be below the quotation', () => {
    const text = ['On Monday Ana wrote:', ...history, '', 'Yes, do.'].join('\r\n');
    expect(extractEmailReply(text)).toBe('Yes, do.');
  });

  it('can be between quoted lines', () => {
    expect(extractEmailReply('> first?\nYes.\n> second?\nNo.')).toBe('Yes.\nNo.');
  });

  it('ends at the unquoted header of the previous message', () => {
    const header = 'From: Ana\nSent: Monday\nTo: Bob\nSubject: tea';
    expect(extractEmailReply(`Yes.\n\n${header}\n\nthe question`)).toBe('Yes.');
    expect(extractEmailReply(`Yes.\n-----Original Message-----\nthe question`)).toBe('Yes.');
    expect(extractEmailReply(`Yes.\n\n${'_'.repeat(32)}\nFrom: Ana\nthe question`)).toBe('Yes.');
  });

  it('includes a line that only begins like an attribution', () => {
    const text = 'On Monday we met.\nFrom: the start it went well.\nAll agreed.';
    expect(extractEmailReply(text)).toBe(text);
  });

  it('is the whole text if all of it is quoted', () => {
    expect(extractEmailReply('> only this')).toBe('> only this');
  });

  it('has no signature, but includes a horizontal rule', () => {
    expect(removeEmailSignature('Words.\n-- \nAna\nExample Ltd')).toBe('Words.');
    expect(removeEmailSignature('Words.\n\nSent from my phone')).toBe('Words.');
    const drawn = `above\n--\n${'below\n'.repeat(20)}end`;
    expect(removeEmailSignature(drawn)).toBe(drawn);
  });

  it('is extracted quickly from a megabyte of any text', () => {
    for (const line of ['On ', '> ', '-- \n', 'a '.repeat(200), 'From: x\n']) {
      const text = line.repeat(Math.ceil(1_000_000 / line.length));
      expect(leastCpuMs(() => extractEmailReply(text), 1)).toBeLessThan(4_000);
    }
  });
});
