import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Instant, Timestamp } from '#lib/time.ts'
import { Binding, KeyMode } from '../api-keys/contract.ts'
import { Role, principalType } from './fields.ts'

const Suspended = z.object({
  organizationId: Id,
  name: z.string(),
  reason: z.string(),
  deletesAt: Timestamp.nullable().describe('When the deletion of the organization becomes final; null without one.'),
})

/** IDN-05: what stands behind a credential. */
export const Validation = z.object({
  valid: z.literal(true),
  tokenType: z.enum(['access', 'session', 'service', 'api_key']),
  context: z.enum(['personal', 'organization', 'service']),
  principal: z.object({
    id: Id,
    principalType,
    principalServices: z.array(z.string()).describe('Ids of the services in which the principal may do anything.'),
    launcherEligible: z.boolean(),
  }),
  organization: z.object({ id: Id, slug: z.string(), role: Role }).nullable(),
  permissions: z.array(z.string()),
  sessionId: Id.nullable(),
  apiKey: z
    .object({
      id: Id,
      mode: KeyMode,
      bindings: z.array(Binding).describe('All that the key reaches; empty: everything of its organization.'),
    })
    .nullable(),
  suspension: Suspended.nullable().describe(
    'Set while the organization is suspended: then there is no organization and there are no permissions.',
  ),
  resources: z
    .array(Binding.extend({ permissions: z.array(z.string()) }))
    .describe('All that a member reaches whose role is limited, with what is permitted there; empty: everything.'),
  onlyIn: Id.nullable().describe('The only organization in which the session works: its own provider opened it.'),
  barred: z
    .object({ organizationId: Id, name: z.string(), needs: z.enum(['second_factor', 'own_sign_in']) })
    .nullable()
    .describe('Set while the organization asks more of the session: then there is no organization and no permission.'),
  service: z.string().nullable().describe('The calling service’s slug.'),
  app: Id.nullable().describe('The id of the third-party app that the person signed in to: nothing else is permitted.'),
  audience: z.string().nullable().describe('The only service that a service token is meant for.'),
  expiresAt: Timestamp.nullable().describe('Null for an API key without an end.'),
})
export type Validation = z.input<typeof Validation>

/** The same as its receiver reads it. */
export const ReceivedValidation = Validation.extend({
  expiresAt: Instant.nullable(),
  // A server of the previous release doesn't tell it.
  suspension: Suspended.extend({ deletesAt: Instant.nullable().default(null) }).nullable(),
})
