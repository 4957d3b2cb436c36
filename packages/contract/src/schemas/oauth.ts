import { z } from 'zod';
import { withCanonicalFields } from '../canonical-fields.ts';
import { idOutput, timestampOutput } from '../fields.ts';
import { offsetPage } from '../list-envelope.ts';

export const oauthGrant = withCanonicalFields(
  z.object({
    id: idOutput,
    client_id: z.string().meta({
      description:
        'The URL of the client’s metadata, or the id of a client that registered itself.',
    }),
    client_name: z.string().nullable().meta({ description: 'As the client calls itself.' }),
    key_id: idOutput.meta({ description: 'The API key that the person signed in with.' }),
    resource: z
      .string()
      .meta({ description: 'The URL of the MCP server that its tokens are for.' }),
    scopes: z.array(z.string()),
    space_ids: z.array(z.string()).nullable().meta({ description: 'null: all spaces.' }),
    user_id: z.string().nullable().meta({
      description: 'The user whose memories alone the client sees and writes.',
    }),
    created_at: timestampOutput,
    expires_at: timestampOutput.meta({
      description: 'When the grant ends, unless the client refreshes its tokens before.',
    }),
  }),
  { api_key_id: 'key_id' },
).meta({ id: 'OAuthGrant' });
export const oauthGrantPage = offsetPage(oauthGrant);

export type OAuthGrant = z.output<typeof oauthGrant>;
