import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FLOAT, INT64, modelOf, valueInfo } from './onnx.ts';

/** A model's vocabulary with the vector of each token; the first four are BERT's special ones. */
export type TokenVectors = readonly (readonly [token: string, vector: readonly number[]])[];

/**
 * Writes the smallest sentence model: a BERT by name, whose only layer looks tokens up in a
 * table, so that the expected mean can be worked out by hand.
 */
export async function writeTinyModel(folder: string, tokens: TokenVectors): Promise<void> {
  await mkdir(join(folder, 'onnx'), { recursive: true });
  await writeFile(join(folder, 'onnx', 'model.onnx'), onnx(tokens));
  const write = (name: string, body: unknown) =>
    writeFile(join(folder, name), JSON.stringify(body));
  const dimensions = tokens[0]?.[1].length;
  await write('config.json', { model_type: 'bert', hidden_size: dimensions });
  await write('tokenizer_config.json', {
    tokenizer_class: 'BertTokenizer',
    model_max_length: 16,
    pad_token: '[PAD]',
    cls_token: '[CLS]',
    sep_token: '[SEP]',
    unk_token: '[UNK]',
  });
  await write('tokenizer.json', tokenizer(tokens));
}

function tokenizer(tokens: TokenVectors) {
  const vocab = Object.fromEntries(tokens.map(([token], id) => [token, id]));
  const special = tokens.slice(0, 4).map(([content], id) => ({
    id,
    content,
    special: true,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
  }));
  const piece = (id: string) => ({ SpecialToken: { id, type_id: 0 } });
  const ids = (token: string) => ({ id: token, ids: [vocab[token]], tokens: [token] });
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: special,
    normalizer: { type: 'BertNormalizer', clean_text: true, lowercase: true },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [piece('[CLS]'), { Sequence: { id: 'A', type_id: 0 } }, piece('[SEP]')],
      pair: [],
      special_tokens: { '[CLS]': ids('[CLS]'), '[SEP]': ids('[SEP]') },
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab,
    },
  };
}

/** A look-up in a table of vectors. */
function onnx(tokens: TokenVectors): Buffer {
  const dimensions = tokens[0]?.[1].length ?? 0;
  const table = Float32Array.from(tokens.flatMap(([, vector]) => vector));
  return modelOf({
    nodes: [{ op: 'Gather', inputs: ['table', 'input_ids'], output: 'last_hidden_state' }],
    table: { name: 'table', shape: [tokens.length, dimensions], values: table },
    inputs: [
      valueInfo('input_ids', INT64, ['batch', 'length']),
      valueInfo('attention_mask', INT64, ['batch', 'length']),
    ],
    output: valueInfo('last_hidden_state', FLOAT, ['batch', 'length', dimensions]),
  });
}
