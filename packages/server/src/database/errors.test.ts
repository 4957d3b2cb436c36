import { expect, it } from 'vitest';
import { DatabaseError, isForeignKeyViolation, isUniqueViolation } from './errors.ts';

const unique = (fields: { message?: string; constraint?: string }): DatabaseError =>
  new DatabaseError({ message: 'violated', code: '23505', ...fields });

it.each([
  ['in its field', unique({ constraint: 'memories_content' })],
  ['with the number of a shard', unique({ constraint: 'memories_content_102008' })],
  [
    'in the message',
    unique({ message: 'duplicate key value violates unique constraint "memories_content"' }),
  ],
  [
    'in the message, with the number of a shard',
    unique({ message: 'duplicate key value violates unique constraint "memories_content_102008"' }),
  ],
])('a violated constraint is known by its name %s', (_, error) => {
  expect(isUniqueViolation(error, 'memories_content')).toBe(true);
  expect(isUniqueViolation(error)).toBe(true);
  expect(isUniqueViolation(error, 'memories')).toBe(false);
  expect(isForeignKeyViolation(error, 'memories_content')).toBe(false);
});

it('a violated foreign key is known by the name in the message', () => {
  const message =
    'insert or update on table "memories_102040" violates foreign key constraint ' +
    '"memories_space_102040"';
  const error = new DatabaseError({ message, code: '23503' });
  expect(isForeignKeyViolation(error, 'memories_space')).toBe(true);
});

it.each([{}, { constraint: 'entities_2024' }])('a name is not guessed: %o', (fields) => {
  expect(isUniqueViolation(unique(fields), 'entities')).toBe(false);
});
