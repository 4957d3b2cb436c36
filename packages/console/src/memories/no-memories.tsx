import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Icon } from '../ui/icons.tsx';
import { type Tab, Tabs } from '../ui/tabs.tsx';

const curlExample = `curl ${location.origin}/v1/memories \\
  -H "Authorization: Bearer $MNEME_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"content": "Ana prefers tea in the morning."}'`;

const scriptExample = `import { createClient } from '@mneme/sdk';

const mneme = createClient({
  url: '${location.origin}',
  apiKey: process.env.MNEME_API_KEY,
});
await mneme.memories.create({
  body: { content: 'Ana prefers tea in the morning.' },
});`;

const agentExample = `{
  "mcpServers": {
    "mneme": {
      "type": "http",
      "url": "${location.origin}/mcp",
      "headers": { "Authorization": "Bearer \${MNEME_API_KEY}" }
    }
  }
}`;

const example = (id: string, label: string, text: string): Tab => ({
  id,
  label,
  content: () => (
    <div className="example">
      <pre className="code">{text}</pre>
      <CopyButton text={text} />
    </div>
  ),
});

const examples = [
  example('curl', 'Command line', curlExample),
  example('script', 'TypeScript', scriptExample),
  example('agent', 'An agent over MCP', agentExample),
];

/** Teaches the three ways to store the first memory, which then appears without a reload. */
export const NoMemories = () => (
  <div className="empty empty-wide">
    <Icon name="memories" />
    <h2>Store your first memory</h2>
    <p>It appears here as soon as it is stored.</p>
    <div className="examples">
      <Tabs label="Ways to store a memory" tabs={examples} />
    </div>
  </div>
);

export const NoMatches = ({ clear }: { clear: () => void }) => (
  <div className="empty">
    <Icon name="filter" />
    <h2>No memory matches these filters</h2>
    <p>Remove a filter, or search by meaning with the key /.</p>
    <Button onClick={clear}>Clear filters</Button>
  </div>
);
