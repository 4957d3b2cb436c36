import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readModelFiles } from './model-files.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'mneme-model-files-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(files: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  }
}

const layer = (name: string) => ({ type: `sentence_transformers.models.${name}` });

test('pooling, prompts and lengths are read from the files of the model', async () => {
  await write({
    'config.json': { hidden_size: 768 },
    'modules.json': [layer('Transformer'), layer('Pooling'), layer('Normalize')],
    '1_Pooling/config.json': { pooling_mode_cls_token: true, pooling_mode_mean_tokens: false },
    'config_sentence_transformers.json': { prompts: { query: 'ask: ', passage: 'text: ' } },
    'sentence_bert_config.json': { max_seq_length: 256, do_lower_case: false },
  });
  expect(await readModelFiles(folder)).toEqual({
    pooling: 'cls',
    prefixes: { query: 'ask: ', document: 'text: ' },
    tokensMax: 256,
    dimensions: 768,
  });
});

test('a folder without these files says nothing', async () => {
  expect(await readModelFiles(folder)).toEqual({});
});

test.each([
  ['a layer after the pooling', { 'modules.json': [layer('Dense')] }, 'not supported: Dense'],
  [
    'two poolings at once',
    { '1_Pooling/config.json': { pooling_mode_cls_token: true, pooling_mode_mean_tokens: true } },
    'pooling that is not supported: pooling_mode_cls_token, pooling_mode_mean_tokens',
  ],
  [
    'an unknown pooling',
    { '1_Pooling/config.json': { pooling_mode_max_tokens: true } },
    'pooling that is not supported: pooling_mode_max_tokens',
  ],
  ['a damaged file', { 'config.json': '{' }, 'config.json is not JSON'],
])('%s is rejected, not ignored', async (_what, files, message) => {
  await write(files);
  await expect(readModelFiles(folder)).rejects.toThrow(message);
});
