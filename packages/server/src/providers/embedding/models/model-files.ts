import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { EmbeddingFailed } from '../embedding.ts';
import type { Pooling, Prefixes } from './known-model.ts';

/** What a model's own files say about it; fields that they lack are absent. */
export interface ModelFiles {
  readonly pooling?: Pooling;
  readonly prefixes?: Partial<Prefixes>;
  readonly tokensMax?: number;
  readonly dimensions?: number;
}

/** The files of Sentence Transformers that are read, besides those of the model itself. */
export const sentenceModelFiles = [
  'modules.json',
  'sentence_bert_config.json',
  'config_sentence_transformers.json',
  '1_Pooling/config.json',
] as const;

/**
 * Reads pooling, prefixes and sizes of a model from the files of Sentence Transformers in its
 * folder.
 * @throws EmbeddingFailed if it has a layer or a pooling that is not supported
 */
export async function readModelFiles(folder: string): Promise<ModelFiles> {
  const read = (name: string) => readJsonObject(path.join(folder, name));
  const [modules, sentences, prompts, pooling, config] = await Promise.all([
    readJson(path.join(folder, 'modules.json')),
    read('sentence_bert_config.json'),
    read('config_sentence_transformers.json'),
    read('1_Pooling/config.json'),
    read('config.json'),
  ]);
  requireSupportedModules(folder, modules);
  return omitUndefined({
    pooling: toPooling(folder, pooling),
    prefixes: toPrefixes(prompts),
    tokensMax: toCount(sentences.max_seq_length),
    dimensions: toCount(config.hidden_size),
  });
}

/** Vectors always get unit length, so `Normalize` changes nothing. */
const supportedModules = ['Transformer', 'Pooling', 'Normalize'];

function requireSupportedModules(folder: string, modules: unknown): void {
  if (!Array.isArray(modules)) return;
  for (const { type } of modules as { type?: unknown }[]) {
    const name = String(type).split('.').at(-1) ?? '';
    if (supportedModules.includes(name)) continue;
    throw new EmbeddingFailed(`the model in ${folder} has a layer that is not supported: ${name}`);
  }
}

const poolingFields: Readonly<Record<string, Pooling>> = {
  pooling_mode_mean_tokens: 'mean',
  pooling_mode_cls_token: 'cls',
  pooling_mode_lasttoken: 'last',
};

function toPooling(folder: string, config: Record<string, unknown>): Pooling | undefined {
  const modes = Object.keys(config).filter(
    (name) => name.startsWith('pooling_mode_') && config[name] === true,
  );
  const [mode] = modes;
  if (mode === undefined) return undefined;
  const pooling = poolingFields[mode];
  if (pooling !== undefined && modes.length === 1) return pooling;
  throw new EmbeddingFailed(
    `the model in ${folder} has a pooling that is not supported: ${modes.join(', ')}`,
  );
}

const documentPromptNames = ['document', 'passage'] as const;

function toPrefixes({ prompts }: Record<string, unknown>): Partial<Prefixes> | undefined {
  if (typeof prompts !== 'object' || prompts === null) return undefined;
  const named = prompts as Record<string, unknown>;
  const documentName = documentPromptNames.find((name) => typeof named[name] === 'string');
  const document = documentName && named[documentName];
  return omitUndefined({
    query: typeof named.query === 'string' ? named.query : undefined,
    document: typeof document === 'string' ? document : undefined,
  });
}

const toCount = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : undefined;

async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  });
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new EmbeddingFailed(`${file} is not JSON`, { cause });
  }
}

async function readJsonObject(file: string): Promise<Record<string, unknown>> {
  const value = await readJson(file);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

const omitUndefined = <T extends object>(
  fields: {
    [K in keyof T]: T[K] | undefined;
  },
): { [K in keyof T]?: T[K] } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: T[K];
  };
