type Operator = (value: unknown, operand: unknown) => boolean;

/** The operators of LangGraph's InMemoryStore, with its comparisons. */
const operators: Readonly<Record<string, Operator>> = {
  $eq: (value, operand) => value === operand,
  $ne: (value, operand) => value !== operand,
  $gt: (value, operand) => Number(value) > Number(operand),
  $gte: (value, operand) => Number(value) >= Number(operand),
  $lt: (value, operand) => Number(value) < Number(operand),
  $lte: (value, operand) => Number(value) <= Number(operand),
  $in: (value, operand) => Array.isArray(operand) && operand.includes(value),
  $nin: (value, operand) => !Array.isArray(operand) || !operand.includes(value),
};

/** Whether a value has, in each field of the filter, what the filter requires. */
export const matchesFilter = (
  value: Readonly<Record<string, unknown>>,
  filter: Readonly<Record<string, unknown>> = {},
): boolean => Object.entries(filter).every(([name, required]) => matches(value[name], required));

function matches(value: unknown, required: unknown): boolean {
  if (typeof required !== 'object' || required === null) return value === required;
  const conditions = Object.entries(required);
  if (!conditions.every(([name]) => Object.hasOwn(operators, name))) return value === required;
  return conditions.every(([name, operand]) => operators[name]?.(value, operand));
}
