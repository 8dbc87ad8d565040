import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Instant, Timestamp } from '#lib/time.ts'
import { Binding, KeyMode } from '../api-keys/contract.ts'
import { Role, principalType } from './fields.ts'

const Suspended = z.object({
  organizationId: Id,
  name: z.string(),
  reason: z.string(),
  deletesAt: Timestamp.nullable().describe(
    'When the deletion of the organization becomes final; null when none is scheduled.',
  ),
})

export const Validation = z.object({
  valid: z.literal(true),
  tokenType: z.enum(['access', 'session', 'service', 'api_key']),
  context: z.enum(['personal', 'organization', 'service']),
  principal: z.object({
    id: Id,
    principalType,
    principalServices: z.array(z.string()).describe('IDs of the services in which the principal has any permission.'),
    launcherEligible: z.boolean(),
  }),
  organization: z.object({ id: Id, slug: z.string(), role: Role }).nullable(),
  permissions: z.array(z.string()),
  sessionId: Id.nullable(),
  apiKey: z
    .object({
      id: Id,
      mode: KeyMode,
      responsible: Id.describe(
        'The person behind the key: its creator, or the one behind the agent’s key that created it.',
      ).optional(),
      bindings: z
        .array(Binding)
        .describe('The resources that the key is limited to. Empty if it has access to the whole organization.'),
    })
    .nullable(),
  suspension: Suspended.nullable().describe(
    'Set while the organization is suspended. In that case, `organization` is null and `permissions` is empty.',
  ),
  resources: z
    .array(Binding.extend({ permissions: z.array(z.string()) }))
    .describe(
      'The only resources that a member with a limited role has access to, with their permissions there; empty without a limit.',
    ),
  onlyIn: Id.nullable().describe(
    'The only organization in which the session works, because it was opened by that organization’s SSO.',
  ),
  unmetRequirement: z
    .object({ organizationId: Id, name: z.string(), needs: z.enum(['second_factor', 'sso']) })
    .nullable()
    .describe(
      'Set while the session doesn’t meet the organization’s sign-in requirements. In that case, `organization` is null and `permissions` is empty.',
    ),
  service: z.string().nullable().describe('The slug of the calling service.'),
  app: Id.nullable().describe(
    'The ID of the third-party app that the person signed in to. The session has access to nothing else.',
  ),
  audience: z.string().nullable().describe('The only service that accepts the token; null for tokens that all accept.'),
  expiresAt: Timestamp.nullable().describe('Null for an API key that doesn’t expire.'),
})
export type Validation = z.input<typeof Validation>

/** `Validation` as another process parses it. */
export const ReceivedValidation = Validation.extend({
  expiresAt: Instant.nullable(),
  // A server of the previous release doesn't send it.
  suspension: Suspended.extend({ deletesAt: Instant.nullable().default(null) }).nullable(),
})
