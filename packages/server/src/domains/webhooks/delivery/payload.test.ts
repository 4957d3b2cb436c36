import { describe, expect, it } from 'vitest';
import { buildPayload, buildTestPayload } from './payload.ts';

const at = new Date('2026-01-02T03:04:05.678Z');
const event = {
  id: 'e1',
  type: 'memory.updated',
  space_id: 's1',
  data: { id: 'm1', priority: 3 },
  previous_data: { id: 'm1', priority: 2 },
  changes: ['priority'],
  created_at: at,
};

describe('payload', () => {
  it('has the fields of both published formats', () => {
    expect(JSON.parse(buildPayload(event, { id: 'w1', payload_form: 'object' }))).toEqual({
      id: 'e1',
      type: 'memory.updated',
      created_at: at.toISOString(),
      webhook_id: 'w1',
      space_id: 's1',
      data: event.data,
      previous_data: event.previous_data,
      changes: ['priority'],
    });
  });

  it.each([
    ['memory.updated', 'memory'],
    ['space.created', 'space'],
    ['relationship.deleted', 'relationship'],
    ['feedback.submitted', 'feedback'],
    ['audio.uploaded', 'memory'],
  ])('wraps the data of %s as %s with payload_form wrapped', (type, name) => {
    const body = buildPayload({ ...event, type }, { id: 'w1', payload_form: 'wrapped' });
    expect(JSON.parse(body)).toMatchObject({ data: { [name]: event.data } });
  });

  it('identifies a test event', () => {
    expect(
      buildTestPayload({ id: 'e', at, webhookId: 'w', named: 'memory.created' }),
    ).toMatchObject({
      event: 'webhook.test',
      data: { webhook_id: 'w', test: true, event_type: 'memory.created' },
    });
  });
});
