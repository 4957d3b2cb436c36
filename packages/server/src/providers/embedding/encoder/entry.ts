import { handleThreadRequests } from '../../../kernel/worker-thread.ts';
import { TextEncoder } from './text-encoder.ts';
import { readEncoderPack } from './weights.ts';

const encoder = new TextEncoder(await readEncoderPack());

/** Responds with the vectors of the texts, in their order. */
handleThreadRequests<readonly string[]>((texts) => texts.map((text) => encoder.encode(text)));
