import {
  type CallToolResult,
  type ContentBlock,
  type GetPromptResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  Server,
} from '@modelcontextprotocol/server';

/**
 * The tools, resources and prompts that the scenarios of the conformance suite call by name. They
 * run on Mneme's HTTP server instead of its own, so that the scenarios test how it transports them.
 */

const json = 'application/json';
const text = (value: string): ContentBlock => ({ type: 'text', text: value });
/** A picture of one pixel. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg' +
  '==';
const image: ContentBlock = { type: 'image', data: png, mimeType: 'image/png' };
/** The header of a WAVE file without samples. */
const wav = Buffer.from('RIFF$\0\0\0WAVEfmt ', 'latin1').toString('base64');
const resource = (uri: string, mimeType: string, value: string): ContentBlock => ({
  type: 'resource',
  resource: { uri, mimeType, text: value },
});

const noArguments = { type: 'object' as const };
const contactSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object' as const,
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

const content = (...blocks: ContentBlock[]): CallToolResult => ({ content: blocks });
const tools: Readonly<Record<string, CallToolResult>> = {
  test_simple_text: content(text('A text.')),
  test_image_content: content(image),
  test_audio_content: content({ type: 'audio', data: wav, mimeType: 'audio/wav' }),
  test_embedded_resource: content(resource('test://embedded-resource', 'text/plain', 'Embedded.')),
  test_multiple_content_types: content(
    text('Several:'),
    image,
    resource('test://mixed-content-resource', json, '{"value":123}'),
  ),
  test_error_handling: { ...content(text('This tool always fails.')), isError: true },
  json_schema_2020_12_tool: content(text('The schema was kept.')),
};

function readResource(uri: string): ReadResourceResult {
  const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
  if (id !== undefined) {
    return { contents: [{ uri, mimeType: json, text: JSON.stringify({ id }) }] };
  }
  if (uri === 'test://static-text') {
    return { contents: [{ uri, mimeType: 'text/plain', text: 'A text.' }] };
  }
  if (uri === 'test://static-binary') {
    return { contents: [{ uri, mimeType: 'image/png', blob: png }] };
  }
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown resource: ${uri}`, { uri });
}

type Arguments = Readonly<Record<string, string>>;
const user = (block: ContentBlock) => ({ role: 'user' as const, content: block });
const prompts: Readonly<Record<string, (args: Arguments) => GetPromptResult['messages']>> = {
  test_simple_prompt: () => [user(text('A prompt.'))],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [user(text(`With ${arg1} and ${arg2}.`))],
  test_prompt_with_embedded_resource: ({ resourceUri = '' }) => [
    user(resource(resourceUri, 'text/plain', 'Embedded.')),
    user(text('Process it.')),
  ],
  test_prompt_with_image: () => [user(image), user(text('Describe it.'))],
};
const promptArguments: Readonly<Record<string, readonly string[]>> = {
  test_prompt_with_arguments: ['arg1', 'arg2'],
  test_prompt_with_embedded_resource: ['resourceUri'],
};

const cache = { ttlMs: 60_000, cacheScope: 'private' } as const;
const cached = ['tools', 'prompts', 'resources', 'resources/templates'] as const;

const unknown = (name: string) =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown name: ${name}`);

export function createFixtureServer(): Server {
  const server = new Server(
    { name: 'fixture', version: '1' },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      cacheHints: {
        ...Object.fromEntries(cached.map((name) => [`${name}/list`, cache])),
        'server/discover': cache,
        'resources/read': cache,
      },
    },
  );
  server.setRequestHandler('tools/list', () => ({
    tools: Object.keys(tools).map((name) => ({
      name,
      description: `The fixture ${name}`,
      inputSchema: name.startsWith('json_schema') ? contactSchema : noArguments,
    })),
  }));
  server.setRequestHandler('tools/call', ({ params: { name } }) => {
    const result = tools[name];
    if (result === undefined) throw unknown(name);
    return result;
  });
  server.setRequestHandler('resources/list', () => ({
    resources: ['test://static-text', 'test://static-binary'].map((uri) => ({ uri, name: uri })),
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }],
  }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => readResource(uri));
  server.setRequestHandler('prompts/list', () => ({
    prompts: Object.keys(prompts).map((name) => ({
      name,
      description: `The fixture ${name}`,
      arguments: (promptArguments[name] ?? []).map((one) => ({ name: one, required: true })),
    })),
  }));
  server.setRequestHandler('prompts/get', ({ params: { name, arguments: args = {} } }) => {
    const messages = prompts[name]?.(args);
    if (messages === undefined) throw unknown(name);
    return { messages };
  });
  return server;
}
