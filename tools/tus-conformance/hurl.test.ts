import { expect, test } from 'vitest';
import { findMismatches, parseHurl } from './hurl.ts';

const file = `# A case
POST {{base_url}}
Upload-Length: 6

HTTP 201

[Captures]
place: header "Location"

PATCH {{place}}
Upload-Offset: 0
\`\`\`
HTTP 7
\`\`\`
HTTP *

[Asserts]
status toString matches /^20[0-9]$/
header "Upload-Offset" == "{{length}}"
header "Tus-Version" not exists
`;
const variables = new Map([['length', '7']]);

test('requests are read with their headers, bodies, captures and assertions', () => {
  const [post, patch] = parseHurl(file);
  expect(post).toMatchObject({
    method: 'POST',
    url: '{{base_url}}',
    headers: [['Upload-Length', '6']],
    body: null,
    status: '201',
    captures: [['place', 'Location']],
  });
  expect(patch).toMatchObject({ method: 'PATCH', body: 'HTTP 7\n', status: '*' });
  expect(patch?.assertions).toHaveLength(3);
});

test('what does not hold of an answer is named', () => {
  const [post, patch] = parseHurl(file);
  if (!post || !patch) throw new Error('there are two requests');
  expect(findMismatches(post, { status: 404, headers: {} }, variables)).toEqual([
    'status 404 and not 201',
  ]);
  const good = { status: 204, headers: { 'upload-offset': '7' } };
  expect(findMismatches(patch, good, variables)).toEqual([]);
  const bad = { status: 500, headers: { 'upload-offset': '8', 'tus-version': '1.0.0' } };
  expect(findMismatches(patch, bad, variables)).toHaveLength(3);
});

test('a construct that is not known is an error, and no case that passes', () => {
  expect(() => parseHurl('GET x\nHTTP 200\n[Asserts]\njsonpath "$.a" == 1')).toThrow('jsonpath');
});
