import { expect, test } from 'vitest';
import { buildArguments, type CommandTemplate, parseCommandTemplate } from './command-template.ts';

const parsed = (command: string): CommandTemplate => {
  const template = parseCommandTemplate(command);
  if (typeof template === 'string') throw new Error(template);
  return template;
};
const values = { file: '/a b.wav', language: 'en', prompt: '"; rm -rf /', output: '/out' };

test('a value stays within its argument', () => {
  const template = parsed(
    '/opt/whisper -m "/my models/base.bin" -l {language} --p={prompt} {file}',
  );
  expect(template.program).toBe('/opt/whisper');
  expect(buildArguments(template, values)).toEqual([
    '-m',
    '/my models/base.bin',
    '-l',
    'en',
    '--p="; rm -rf /',
    '/a b.wav',
  ]);
  expect([...template.usedPlaceholders].sort()).toEqual(['file', 'language', 'prompt']);
});

test('placeholders in values are not replaced', () => {
  const template = parsed('run {prompt} {file}');
  expect(buildArguments(template, { ...values, prompt: '{file}' })).toEqual(['{file}', '/a b.wav']);
});

test.each([
  ['', 'is empty'],
  ['run', 'must contain {file}'],
  ['run {file} {model}', 'unknown placeholder {model}'],
  ['run "{file}', 'has a quote that is not closed'],
])('the command `%s` is rejected: %s', (command, told) => {
  expect(parseCommandTemplate(command)).toContain(told);
});
