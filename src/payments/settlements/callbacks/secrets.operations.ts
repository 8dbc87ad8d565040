import { z } from 'zod'
import { organizationOf } from '#lib/authorize.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { CallbackSecrets, NewCallbackSecret } from '../../contract/settlements.ts'
import { readSecrets, rotateSecrets } from './secrets.ts'

export const getCallbackSecrets = operation({
  route: 'GET /api/pay/callback-secrets',
  summary: 'Get the secrets of settlement callbacks',
  permission: 'settings:read',
  input: z.object({}),
  output: CallbackSecrets,
  run: ({ db, actor, now }) => readSecrets(db, organizationOf(actor, 'settings:read'), now()),
})

export const rotateCallbackSecret = operation({
  route: 'POST /api/pay/callback-secrets',
  summary: 'Create a secret for settlement callbacks',
  permission: 'settings:write',
  input: z.object({}),
  output: NewCallbackSecret,
  creates: true,
  secrets: ['secret'],
  problems: { secret_overlap: 409 },
  run: async ({ db, actor, secrets, now }) =>
    reply(
      201,
      await rotateSecrets({
        db,
        secrets,
        organizationId: organizationOf(actor, 'settings:write'),
        by: actor.principal.id,
        at: now(),
      }),
    ),
})
