import { type Command, Option } from 'commander';
import { systemClock } from '../kernel/clock.ts';
import { readConfig } from '../kernel/config.ts';
import { ensureDataFolder } from '../kernel/data-folder.ts';
import {
  bytesOf,
  createHubDeps,
  type InstalledModel,
  type InstallProgress,
  installModel,
  modelsFolder,
  type WeightType,
  weightTypes,
} from '../providers/embedding/index.ts';
import { getMissingLibraryMessage } from '../providers/transformers/library.ts';
import type { Terminal } from './terminal.ts';

interface Options {
  readonly from?: string;
  readonly revision?: string;
  readonly dtype?: WeightType;
  readonly json?: boolean;
}

/** `mneme-server models install NAME`: into the data folder, also while the server runs. */
export function registerModelsCommand(program: Command, terminal: Terminal): void {
  const models = program.command('models').description('embedding models in the data folder');
  models
    .command('install')
    .description('download an embedding model, or copy it from a folder')
    .argument('<name>', 'a known model, or owner/name on the hub')
    .option('--from <folder>', 'copy the model from this folder')
    .option('--revision <revision>', 'a branch, tag or commit on the hub')
    .addOption(new Option('--dtype <type>', 'the type of the weights').choices(weightTypes))
    .option('--json', 'print the installed model as JSON')
    .action((name: string, options: Options) => install(terminal, name, options));
}

async function install(terminal: Terminal, name: string, options: Options): Promise<void> {
  const { env, print, warn, showProgress } = terminal;
  const { config, warnings } = readConfig(env);
  for (const warning of warnings) warn(`mneme: ${warning}`);
  await ensureDataFolder(config.dataDir);
  const { from, revision, dtype } = options;
  const request = {
    name,
    ...(from === undefined ? {} : { from }),
    ...(revision === undefined ? {} : { revision }),
    ...(dtype === undefined ? {} : { dtype }),
    folder: modelsFolder(config.dataDir),
    now: systemClock.now(),
    onProgress: (progress: InstallProgress) => showProgress(describeProgress(progress)),
  };
  const deps = createHubDeps(config.modelHub, env.HF_TOKEN);
  const installed = await installModel(request, deps).finally(() => showProgress(null));
  if (options.json) print(JSON.stringify(installed));
  else {
    const lines = describe(installed, getMissingLibraryMessage('embedding'));
    for (const line of lines) print(line);
  }
}

const toMegabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);

const describeProgress = ({ file, bytes, total }: InstallProgress): string =>
  `${file}: ${toMegabytes(bytes)}${total === null ? '' : ` of ${toMegabytes(total)}`} MB`;

const describe = (model: InstalledModel, missingPackage: string | null): string[] => [
  `Installed ${model.name} (${model.dtype}, ${toMegabytes(bytesOf(model))} MB) from ` +
    `${model.source}${model.revision === null ? '' : ` at ${model.revision}`}.`,
  ...(missingPackage === null ? [] : [`Before it can be used: ${missingPackage}.`]),
  `Compare it with the current model: mneme models test ${model.name}`,
  `Change to it: mneme models use ${model.name}`,
];
