export const FLOAT = 1;
export const INT64 = 7;
const OPSET = 13;
const IR_VERSION = 8;

interface Graph {
  readonly nodes: readonly { op: string; inputs: readonly string[]; output: string }[];
  readonly table?: { name: string; shape: readonly number[]; values: Float32Array<ArrayBuffer> };
  readonly inputs: readonly Buffer[][];
  readonly output: Buffer[];
}

/** ModelProto of onnx.proto3: field numbers are those of that file. */
export function modelOf({ nodes, table, inputs, output }: Graph): Buffer {
  const tensor = table && [
    ...table.shape.map((size) => number(1, size)),
    number(2, FLOAT),
    text(8, table.name),
    bytes(9, Buffer.from(table.values.buffer)),
  ];
  const graph = [
    ...nodes.map((node) =>
      message(1, [
        ...node.inputs.map((name) => text(1, name)),
        text(2, node.output),
        text(4, node.op),
      ]),
    ),
    text(2, 'tiny'),
    ...(tensor ? [message(5, tensor)] : []),
    ...inputs.map((input) => message(11, input)),
    message(12, output),
  ];
  const opset = message(8, [text(1, ''), number(2, OPSET)]);
  return Buffer.concat([number(1, IR_VERSION), message(7, graph), opset]);
}

/** A tensor that goes in or comes out; a name in its shape stands for any size. */
export function valueInfo(
  name: string,
  type: number,
  shape: readonly (string | number)[],
): Buffer[] {
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
