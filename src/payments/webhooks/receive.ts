import { and, eq, isNull, lt, or } from 'drizzle-orm'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { Problem } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { webhook } from '#lib/webhook.ts'
import { providerEndpoints } from '../schema.ts'
import { handleEvent } from './handle.ts'
import { describeEvent, ProviderEvent } from './provider-event.ts'
import { webhookPath } from './register.ts'
import { countRejected } from './rejected.ts'
import { openSecrets, type EndpointRow } from './secrets.ts'
import { verifySigned } from './signature.ts'

export const webhookName = 'payments.stripe'

/**
 * Events of the payment provider (PAY-20). `?endpoint=<ID>` names the endpoint whose secret signs them; without it, it is
 * the platform’s.
 */
export const stripeEvents = webhook({
  name: webhookName,
  path: webhookPath,
  summary: 'Receive events of the payment provider',
  concurrency: 6,
  perTenant: 3,
  verify: async ({ raw, headers, query }, call) => {
    const { owner, rows, secrets } = await findSecrets(call, query.get('endpoint'))
    const event = await verifySigned(raw, headers.get('stripe-signature'), secrets)
    if (event === null) {
      await countRejected(call.db, owner, call.now())
      throw new Problem(400, 'invalid_signature', 'The signature is missing, wrong or older than 5 minutes.')
    }
    await noteEvent(call.db, rows, call.now())
    return describeEvent(ProviderEvent.parse(event), owner)
  },
  handle: handleEvent,
})

interface Signers {
  owner: string | null
  rows: readonly EndpointRow[]
  secrets: readonly string[]
}

type VerifyCall = Pick<Call, 'db' | 'secrets' | 'config' | 'now'>

async function findSecrets({ db, secrets, config, now }: VerifyCall, endpoint: string | null): Promise<Signers> {
  const { id, organizationId } = providerEndpoints
  const isNamed = endpoint !== null
  const rows =
    isNamed && !Id.safeParse(endpoint).success
      ? []
      : await db
          .select()
          .from(providerEndpoints)
          .where(isNamed ? eq(id, endpoint) : isNull(organizationId))
  return {
    owner: rows[0]?.organizationId ?? null,
    rows,
    secrets: [
      ...rows.flatMap((row) => openSecrets(secrets, row, now())),
      ...(!isNamed && config.STRIPE_WEBHOOK_SECRET ? [config.STRIPE_WEBHOOK_SECRET] : []),
    ],
  }
}

const noteMs = 60_000

/** At most once a minute, since it is written for people. */
async function noteEvent(db: Database, [row]: readonly EndpointRow[], now: Date): Promise<void> {
  if (!row || (row.lastEventAt && now.getTime() - row.lastEventAt.getTime() < noteMs)) return
  const { id, lastEventAt } = providerEndpoints
  await db
    .update(providerEndpoints)
    .set({ lastEventAt: now })
    .where(and(eq(id, row.id), or(isNull(lastEventAt), lt(lastEventAt, now))))
}
