import { z } from 'zod'
import { isAllowed, organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { NewSecret, Secrets } from '#views/payments/settlements/secrets.tsx'
import { CallbackSecrets, NewCallbackSecret } from '../../contract/settlements.ts'
import { readSecrets, rotateSecrets } from './secrets.ts'

export const getCallbackSecrets = operation({
  route: 'GET /api/pay/callback-secrets',
  summary: 'Get the secrets of settlement callbacks',
  permission: 'settings:read',
  input: z.object({}),
  output: CallbackSecrets,
  run: async ({ db, actor, now, identity }) => ({
    ...(await readSecrets(db, organizationOf(actor, 'settings:read'), now())),
    can: { rotate: isAllowed(actor, 'settings:write', await identity.serviceId('platform-pay')) },
  }),
  view: (secrets) => <Secrets secrets={secrets} />,
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
  view: ({ secret }, { request }) => <NewSecret secret={secret} done={doneOf(request)} />,
})

/** The page that sent the request. */
const doneOf = ({ headers }: Pick<Call['request'], 'headers'>): string =>
  URL.parse(headers.get('hx-current-url') ?? '')?.pathname ?? '/pay/settlements'
