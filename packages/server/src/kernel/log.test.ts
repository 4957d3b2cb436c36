import { describe, expect, it } from 'vitest';
import { createLog, type Log } from './log.ts';

const start = 'mnk_0123456789Ab';
const secret = `${'Zz9'.repeat(14)}x`;
const key = `${start}_${secret}_0aB1cD`;
const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl-_';

/** The output of a use of the log. */
function written(use: (log: Log) => void): string {
  let text = '';
  use(createLog('trace', { write: (line) => (text += line) }));
  return text;
}

describe('the log', () => {
  it.each<[string, (log: Log, text: string) => void]>([
    ['a message', (log, text) => log.info(`refused ${text} twice: ${text}`)],
    ['a field', (log, text) => log.warn({ url: `/v1/memories/${text}` }, 'request')],
    ['the name of a field', (log, text) => log.warn({ [text]: 1 }, 'request')],
    ['a field deep within', (log, text) => log.debug({ a: { b: [{ c: text }] } }, 'x')],
    ['an error', (log, text) => log.error({ err: new Error(`no such ${text}`) }, 'failed')],
    ['a cause', (log, text) => log.error({ err: new Error('x', { cause: new Error(text) }) })],
    ['a child’s bindings', (log, text) => log.child({ reqId: text }).trace('x')],
  ])('shows no key and no token in %s', (_where, use) => {
    for (const [text, hidden] of [
      [key, secret],
      [token, 'c2lnbmF0dXJl'],
    ] as const) {
      const line = written((log) => use(log, text));
      expect(line).not.toContain(hidden);
      expect(line).not.toBe('');
      expect(() => JSON.parse(line)).not.toThrow();
    }
  });

  it('shows the public prefix of a key, so that it can be found and revoked', () => {
    expect(written((log) => log.info(key))).toContain(`"msg":"${start}_[hidden]"`);
  });

  it.each([
    ['cut', key.slice(0, 40)],
    ['with more behind it', `${key}${key}`],
    ['as a URL has it', key.replaceAll('_', '%5f')],
  ])('shows no key that is %s', (_how, text) => {
    expect(written((log) => log.info({ url: `/v1/x/${text}?` }, 'x'))).not.toContain('Zz9');
  });

  it('shows no value of a field with credentials', () => {
    const line = written((log) => {
      log.info({ authorization: 'Basic abc', embedding: { apiKey: 'sk-1', authorization: 'x y' } });
    });
    expect(JSON.parse(line)).toMatchObject({
      authorization: '[hidden]',
      embedding: { apiKey: '[hidden]', authorization: '[hidden]' },
    });
  });

  it('does not change ids, words and numbers', () => {
    const id = '01a1fd3b-7f89-7000-9685-f7ea03eed9d8';
    const fields = { id, count: 5, prefix: start, words: 'eye.and.ear eyJ.' };
    const line = written((log) => log.info(fields, 'words'));
    expect(JSON.parse(line)).toMatchObject({ ...fields, msg: 'words' });
  });
});
