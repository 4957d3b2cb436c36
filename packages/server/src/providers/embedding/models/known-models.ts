import { endpointModels } from './endpoint-models.ts';
import type { KnownModel } from './known-model.ts';
import { localModels } from './local-models.ts';

/** All models whose facts are part of this version. */
export const knownModels: readonly KnownModel[] = [...localModels, ...endpointModels];

const byName = new Map(
  knownModels.flatMap((model) =>
    [model.name, ...model.aliases].map((name) => [name.toLowerCase(), model] as const),
  ),
);

/** The known model with this name or alias, in any case. */
export const findKnownModel = (name: string): KnownModel | undefined =>
  byName.get(name.toLowerCase());
