import type { FastifyInstance } from 'fastify';
import { AppError } from '../kernel/errors.ts';

const allow = 'POST, OPTIONS';

/** Answers OPTIONS for a URL outside of the contract that takes POST alone, and 405 to the rest. */
export function refuseOtherMethods(scope: FastifyInstance, url: string): void {
  scope.route({
    method: ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'],
    url,
    handler: async () => {
      throw new AppError('method_not_allowed', { headers: { allow } });
    },
  });
  scope.options(url, async (_request, reply) => reply.code(204).header('allow', allow).send());
}
