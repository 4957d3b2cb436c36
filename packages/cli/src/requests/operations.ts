import { type Operation, operations } from '@mneme/sdk';

/** The operation of the SDK with this operationId. */
export function findOperation(id: string): Operation {
  const [area = '', verb = ''] = id.split('.');
  const areas = operations as unknown as Record<string, Record<string, Operation>>;
  const operation = areas[area]?.[verb];
  if (!operation) throw new Error(`The SDK has no operation ${id}.`);
  return operation;
}
