import type { EmbeddingModelList } from '@mneme/contract';
import { AppError } from '../../../kernel/errors.ts';
import {
  bytesOf,
  findKnownModel,
  type InstalledModel,
  type KnownModel,
  knownModels,
  listInstalledModels,
  modelsFolder,
  removeInstalledModel,
} from '../../../providers/embedding/index.ts';
import type { Ctx } from '../../ctx.ts';
import { listModelsInUse } from '../../search-index/index.ts';
import { configuredModel, effectiveModel, readModelChoice } from './choice.ts';

type Entry = EmbeddingModelList['models'][number];

const withoutFacts = {
  dimensions: null,
  tokens_max: null,
  licence: null,
  languages: null,
  download_megabytes: null,
  installed_bytes: null,
};

const shippedModels: readonly Omit<Entry, 'is_current'>[] = [
  {
    ...withoutFacts,
    name: 'encoder',
    provider: 'encoder',
    state: 'shipped',
    dimensions: 256,
    languages: 'English',
  },
  {
    ...withoutFacts,
    name: 'static',
    provider: 'static',
    state: 'shipped',
    dimensions: 192,
    languages: 'English',
  },
];

const toKnownEntry = (model: KnownModel): Omit<Entry, 'is_current'> => ({
  name: model.name,
  provider: model.provider,
  state: 'available',
  dimensions: model.dimensions,
  tokens_max: model.tokensMax,
  licence: model.licence,
  languages: model.languages,
  download_megabytes: model.provider === 'transformers' ? model.downloadMegabytes : null,
  installed_bytes: null,
});

const toInstalledEntry = (model: InstalledModel): Omit<Entry, 'is_current'> => {
  const known = findKnownModel(model.name);
  return {
    ...(known ? toKnownEntry(known) : { ...withoutFacts, name: model.name }),
    provider: 'transformers',
    state: 'installed',
    dimensions: model.dimensions,
    tokens_max: model.tokensMax,
    installed_bytes: bytesOf(model),
  };
};

/** The shipped models, then the installed ones, then the known ones that are not installed. */
export async function listModels(ctx: Ctx): Promise<EmbeddingModelList> {
  const { engine, config, embedding } = ctx;
  const choice = await readModelChoice(engine.db);
  const installed = await listInstalledModels(modelsFolder(config.dataDir));
  const names = new Set(installed.map(({ name }) => name));
  const entries = [
    ...shippedModels,
    ...installed.map(toInstalledEntry),
    ...knownModels.filter(({ name }) => !names.has(name)).map(toKnownEntry),
  ];
  const current = choice?.current ?? configuredModel;
  const inUse = nameOfModel(ctx, current.name);
  const { model, dimensions } = embedding.open.current;
  const change = choice?.change ?? null;
  return {
    current: { name: current.name, model, dimensions },
    change: change && { name: change.target.name, model: change.model, job_id: change.jobId },
    models: entries.map((entry) => ({ ...entry, is_current: entry.name === inUse })),
  };
}

/** The name in the list of a chosen model, or of the configured one. */
function nameOfModel({ config }: Ctx, name: string): string {
  const { embedding } = config;
  if (name !== configuredModel.name) return findKnownModel(name)?.name ?? name;
  if (!('model' in embedding)) return embedding.provider;
  return findKnownModel(embedding.model)?.name ?? embedding.model;
}

/** Removes an installed model. Throws 404 not_found, or 409 conflict while it is in use. */
export async function removeModel(
  ctx: Ctx,
  given: string,
): Promise<{ name: string; bytes: number }> {
  const name = findKnownModel(given)?.name ?? given;
  const choice = await readModelChoice(ctx.engine.db);
  const used = [choice && effectiveModel(choice), choice?.current, configuredModel];
  const isChosen = used.some((one) => one && nameOfModel(ctx, one.name) === name);
  const prefix = `transformers:${name}@`;
  const isInVectors = (await listModelsInUse(ctx)).some((model) => model.startsWith(prefix));
  if (isChosen || isInVectors) {
    throw new AppError('conflict', {
      message: `The model ${name} is in use: change to another one first.`,
    });
  }
  const bytes = await removeInstalledModel(modelsFolder(ctx.config.dataDir), name);
  if (bytes === null) throw new AppError('not_found');
  return { name, bytes };
}
