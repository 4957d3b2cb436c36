import { sentenceModelFiles } from '../model-files.ts';
import { ModelNotInstalled } from './errors.ts';

/** The file of the weights by their type, as the package for ONNX models names them. */
const weightFiles = {
  q8: 'model_quantized',
  fp32: 'model',
  fp16: 'model_fp16',
  int8: 'model_int8',
  uint8: 'model_uint8',
  q4: 'model_q4',
  q4f16: 'model_q4f16',
  bnb4: 'model_bnb4',
} as const;
export type WeightType = keyof typeof weightFiles;
export const weightTypes = Object.keys(weightFiles) as readonly WeightType[];

const requiredFiles = ['config.json', 'tokenizer.json', 'tokenizer_config.json'] as const;
const optionalFiles = [
  'special_tokens_map.json',
  'vocab.txt',
  'sentencepiece.bpe.model',
  ...sentenceModelFiles,
] as const;

export interface ChosenFiles {
  readonly dtype: WeightType;
  readonly paths: readonly string[];
}

/**
 * The files that the model needs, of those that exist; without a type, 8-bit weights if they exist,
 * otherwise 32-bit.
 */
export function chooseFiles(
  existing: readonly string[],
  source: string,
  wanted: WeightType | undefined,
): ChosenFiles {
  const has = new Set(existing);
  const missing = requiredFiles.filter((name) => !has.has(name));
  if (missing.length > 0) {
    throw new ModelNotInstalled(
      `${source} is not a model with a tokenizer: it has no ${missing[0]}.`,
    );
  }
  const weights = (type: WeightType): string => `onnx/${weightFiles[type]}.onnx`;
  const available = weightTypes.filter((type) => has.has(weights(type)));
  const dtype = wanted ?? available.find((type) => type === 'q8' || type === 'fp32');
  if (dtype === undefined || !available.includes(dtype)) {
    const list = available.length === 0 ? 'no ONNX weights' : `only ${available.join(', ')}`;
    const needed = dtype === undefined ? 'q8 or fp32' : dtype;
    throw new ModelNotInstalled(
      `${source} has no weights of type ${needed} in onnx/: it has ${list}.`,
    );
  }
  const main = weights(dtype);
  // Weights above 2 GB are in further files.
  const external = existing.filter(
    (name) => name.startsWith(main) && /^_data(?:_\d+)?$/.test(name.slice(main.length)),
  );
  const optional = optionalFiles.filter((name) => has.has(name));
  return { dtype, paths: [...requiredFiles, ...optional, main, ...external] };
}
