import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { ActionButtons, Href } from '#lib/raised-actions.ts'
import { plainText } from '#lib/text.ts'
import { Instant } from '#lib/time.ts'
import { reply } from '#lib/reply.ts'
import { storeNotice } from './take.ts'

const text = (max: number) => plainText(max).min(1)
const name = plainText(200).nullable()

/** The state of an action in another process’s outbox. */
const Notice = z
  .object({
    id: Id,
    organizationId: Id,
    surface: z.enum(['action', 'notice']),
    service: name,
    kind: name,
    permission: name,
    resourceKind: name,
    resourceId: Id.nullable(),
    personId: Id.nullable(),
    cause: text(200),
    title: text(200),
    reason: text(2000),
    href: Href,
    actions: ActionButtons,
    dueAt: Instant.nullable(),
    raisedAt: Instant,
    resolvedAt: Instant.nullable(),
    version: z.int().min(1).max(2_147_483_647).describe('Counts the changes: an older one is ignored.'),
  })
  .refine(({ resourceKind, resourceId }) => (resourceKind === null) === (resourceId === null), {
    path: ['resourceId'],
    message: 'Must be set together with resourceKind.',
  })

export const receiveNotification = operation({
  route: 'PUT /api/internal/notifications/:id',
  summary: 'Record a raised action of a service',
  permission: 'service',
  callers: ['platform-socialize', 'platform-pay', 'platform-gateway', 'platform-identity'],
  input: Notice,
  output: z.null(),
  audit: false,
  run: async (call) => {
    await storeNotice(call, call.input)
    return reply(204, null)
  },
})
