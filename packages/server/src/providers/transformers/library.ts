import { stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { isPackageInstalled, missingPackageMessage } from '../packages/index.ts';

/** Not imported by a literal name: the package is optional and the compiler must not resolve it. */
const PACKAGE: string = '@huggingface/transformers';

/** The used part of the package. */
export interface TransformersLibrary {
  env: {
    cacheDir: string | null;
    localModelPath: string;
    allowLocalModels: boolean;
    allowRemoteModels: boolean;
  };
  pipeline(task: string, model: string, options: { dtype?: string }): Promise<unknown>;
}

export type LoadTransformers = () => Promise<TransformersLibrary>;

export interface OnnxSettings {
  /** A folder, or the name of a model on the hub. */
  readonly model: string;
  readonly dtype?: string;
  /** Download folder for models of the hub. */
  readonly cacheDir: string;
  /** Path of the package; default: resolved from the server. */
  readonly library?: string;
  /** Environment of its process; default: empty. */
  readonly env?: Readonly<Record<string, string>>;
}

const missingLibraryMessage = (of: string): string =>
  missingPackageMessage(`the ${of} provider "transformers"`, PACKAGE);

/** The message about the missing package; null if it is installed. */
export const getMissingLibraryMessage = (of: string): string | null =>
  isPackageInstalled(PACKAGE) ? null : missingLibraryMessage(of);

/** Error class of the provider: the message is for the log. */
type PipelineErrorClass = new (message: string, options: ErrorOptions) => Error;

/** The provider, for messages: "embedding". */
interface Purpose {
  readonly provider: string;
  readonly task: 'feature-extraction' | 'automatic-speech-recognition';
  readonly ErrorClass: PipelineErrorClass;
}

/**
 * Loads an ONNX model into this process. A folder is read from disk without network access; a model
 * of the hub is downloaded once. `Run` is the package's pipeline for the task.
 * @throws the purpose's error if the package is missing or the model cannot be loaded
 */
export async function loadPipeline<Run>(
  { provider, task, ErrorClass }: Purpose,
  settings: OnnxSettings,
  load: LoadTransformers = () => import(settings.library ?? PACKAGE),
): Promise<{ run: Run; name: string }> {
  const library = await load().catch((cause: unknown) => {
    throw new ErrorClass(missingLibraryMessage(provider), { cause });
  });
  const isFolder = await stat(settings.model).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  const { env } = library;
  env.cacheDir = settings.cacheDir;
  env.allowRemoteModels = !isFolder;
  env.allowLocalModels = isFolder;
  if (isFolder) env.localModelPath = dirname(resolve(settings.model));
  const name = isFolder ? basename(resolve(settings.model)) : settings.model;
  try {
    const { dtype } = settings;
    const run = await library.pipeline(task, name, dtype === undefined ? {} : { dtype });
    return { run: run as Run, name };
  } catch (cause) {
    throw new ErrorClass(`${provider} model ${settings.model} cannot be loaded`, { cause });
  }
}
