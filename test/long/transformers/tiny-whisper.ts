import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FLOAT, INT64, modelOf, valueInfo } from './onnx.ts';

/** Words come before the special tokens, and times of 0.02 s each after them. */
const words = ['\u0120hello', '\u0120world'];
const special = ['<|endoftext|>', '<|startoftranscript|>', '<|en|>', '<|transcribe|>'];
const noTimes = '<|notimestamps|>';
const times = Array.from({ length: 1_501 }, (_, i) => `<|${(i / 50).toFixed(2)}|>`);
const tokens = [...words, ...special, noTimes, ...times];
const idOf = (token: string): number => tokens.indexOf(token);

/** What follows what: it hears the same in everything. */
const says: readonly (readonly [before: string, after: string])[] = [
  ['<|transcribe|>', '<|0.50|>'],
  ['<|0.50|>', '\u0120hello'],
  ['\u0120hello', '\u0120world'],
  ['\u0120world', '<|2.00|>'],
  ['<|2.00|>', '<|endoftext|>'],
];

/** Writes the smallest Whisper: its decoder looks up what follows the token before. */
export async function writeTinyWhisper(folder: string): Promise<void> {
  await mkdir(join(folder, 'onnx'), { recursive: true });
  await writeFile(join(folder, 'onnx', 'encoder_model.onnx'), encoder());
  await writeFile(join(folder, 'onnx', 'decoder_model_merged.onnx'), decoder());
  const write = (name: string, body: unknown) =>
    writeFile(join(folder, name), JSON.stringify(body));
  const ends = { decoder_start_token_id: 3, eos_token_id: 2, pad_token_id: 2, bos_token_id: 2 };
  await write('config.json', {
    ...ends,
    model_type: 'whisper',
    architectures: ['WhisperForConditionalGeneration'],
    is_encoder_decoder: true,
    d_model: 8,
    encoder_layers: 1,
    decoder_layers: 1,
    encoder_attention_heads: 1,
    decoder_attention_heads: 1,
    num_mel_bins: 80,
    max_source_positions: 1_500,
    max_target_positions: 448,
    vocab_size: tokens.length,
  });
  await write('generation_config.json', {
    ...ends,
    is_multilingual: true,
    lang_to_id: { '<|en|>': idOf('<|en|>') },
    task_to_id: { transcribe: idOf('<|transcribe|>') },
    no_timestamps_token_id: idOf(noTimes),
    max_initial_timestamp_index: 50,
    max_length: 448,
  });
  await write('preprocessor_config.json', {
    feature_extractor_type: 'WhisperFeatureExtractor',
    processor_class: 'WhisperProcessor',
    feature_size: 80,
    sampling_rate: 16_000,
    n_fft: 400,
    hop_length: 160,
    chunk_length: 30,
    n_samples: 480_000,
    nb_max_frames: 3_000,
  });
  await write('tokenizer_config.json', {
    tokenizer_class: 'WhisperTokenizer',
    bos_token: '<|endoftext|>',
    eos_token: '<|endoftext|>',
    unk_token: '<|endoftext|>',
  });
  await write('tokenizer.json', tokenizer());
}

function tokenizer() {
  const added = [...special, noTimes].map((content) => ({
    id: idOf(content),
    content,
    special: true,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
  }));
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: added,
    normalizer: null,
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true },
    post_processor: null,
    decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true },
    model: { type: 'BPE', vocab: Object.fromEntries(tokens.map((t, id) => [t, id])), merges: [] },
  };
}

const encoder = (): Buffer =>
  modelOf({
    nodes: [{ op: 'Identity', inputs: ['input_features'], output: 'last_hidden_state' }],
    inputs: [valueInfo('input_features', FLOAT, ['batch', 80, 'frames'])],
    output: valueInfo('last_hidden_state', FLOAT, ['batch', 80, 'frames']),
  });

function decoder(): Buffer {
  const size = tokens.length;
  const values = new Float32Array(size * size);
  for (const [before, after] of says) values[idOf(before) * size + idOf(after)] = 50;
  return modelOf({
    nodes: [{ op: 'Gather', inputs: ['table', 'input_ids'], output: 'logits' }],
    table: { name: 'table', shape: [size, size], values },
    inputs: [
      valueInfo('input_ids', INT64, ['batch', 'length']),
      valueInfo('encoder_hidden_states', FLOAT, ['batch', 80, 'frames']),
    ],
    output: valueInfo('logits', FLOAT, ['batch', 'length', size]),
  });
}
