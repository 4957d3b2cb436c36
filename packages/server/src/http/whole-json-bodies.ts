import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { JsonBodyReader } from './json-body/reader.ts';
import { jsonMediaType } from './media-type.ts';
import { sendContinue } from './request-timeout.ts';

/** A body may be any JSON; its limits of depth and size apply. */
const anyBody = { body: z.unknown() };

/** Reads JSON bodies without a schema: the protocols have their own errors for their fields. */
export function readWholeBodies(scope: FastifyInstance): void {
  scope.addHook('preParsing', async ({ raw }) => sendContinue(raw));
  scope.removeContentTypeParser(jsonMediaType);
  scope.addContentTypeParser(
    jsonMediaType,
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, bytes: Buffer) => {
      const reader = new JsonBodyReader(anyBody);
      reader.write(bytes);
      const body = reader.finish();
      return body.status === 'valid' ? body.data : undefined;
    },
  );
}
