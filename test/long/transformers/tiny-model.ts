import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A model's vocabulary with the vector of each token; the first four are BERT's special ones. */
export type TokenVectors = readonly (readonly [token: string, vector: readonly number[]])[];

const FLOAT = 1;
const INT64 = 7;
const OPSET = 13;
const IR_VERSION = 8;

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

/** ModelProto of onnx.proto3: field numbers are those of that file. */
function onnx(tokens: TokenVectors): Buffer {
  const dimensions = tokens[0]?.[1].length ?? 0;
  const table = Float32Array.from(tokens.flatMap(([, vector]) => vector));
  const gather = [text(1, 'table'), text(1, 'input_ids'), text(2, 'last_hidden_state')];
  const graph = [
    message(1, [...gather, text(4, 'Gather')]),
    text(2, 'tiny'),
    message(5, [
      number(1, tokens.length),
      number(1, dimensions),
      number(2, FLOAT),
      text(8, 'table'),
      bytes(9, Buffer.from(table.buffer)),
    ]),
    message(11, valueInfo('input_ids', INT64, ['batch', 'length'])),
    message(11, valueInfo('attention_mask', INT64, ['batch', 'length'])),
    message(12, valueInfo('last_hidden_state', FLOAT, ['batch', 'length', dimensions])),
  ];
  const opset = message(8, [text(1, ''), number(2, OPSET)]);
  return Buffer.concat([number(1, IR_VERSION), message(7, graph), opset]);
}

function valueInfo(name: string, type: number, shape: (string | number)[]): Buffer[] {
  const sizes = shape.map((size) =>
    message(1, [typeof size === 'string' ? text(2, size) : number(1, size)]),
  );
  return [text(1, name), message(2, [message(1, [number(1, type), message(2, sizes)])])];
}

function varint(value: number): Buffer {
  const out: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) out.push((rest % 128) | 128);
  return Buffer.from([...out, rest]);
}

function number(field: number, value: number): Buffer {
  return Buffer.concat([varint(field * 8), varint(value)]);
}

function bytes(field: number, value: Buffer): Buffer {
  return Buffer.concat([varint(field * 8 + 2), varint(value.length), value]);
}

function text(field: number, value: string): Buffer {
  return bytes(field, Buffer.from(value));
}

function message(field: number, parts: readonly Buffer[]): Buffer {
  return bytes(field, Buffer.concat(parts));
}
