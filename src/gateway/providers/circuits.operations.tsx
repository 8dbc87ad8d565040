import { z } from 'zod'
import { organizationOf } from '#lib/authorize.ts'
import { operation } from '#lib/operation.ts'
import { paging } from '#lib/paginate.ts'
import { Circuits } from '#views/gateway/circuits.tsx'
import { ProviderCircuitList } from '../contract/telemetry.ts'
import { usableCredentials } from '../credentials/resolve.ts'
import { dayAfter, dayOf } from '../usage/partitions.ts'
import { listTotals } from '../usage/reads.ts'
import { circuitKey } from './breakers.ts'

/** Models that weren't used for longer are left out. */
const days = 7

export const listProviderCircuits = operation({
  route: 'GET /api/telemetry/circuits',
  summary: 'List circuits of models on this server',
  permission: 'usage:read',
  input: z.object(paging),
  output: ProviderCircuitList,
  run: async (call) => {
    const { actor, db, input, ledger, now, upstreams } = call
    await ledger.settled()
    const organizationId = organizationOf(actor, 'usage:read')
    const to = dayOf(now())
    const [used, credentials] = await Promise.all([
      // A platform credential is shared: only models that the organization itself used are shown.
      listTotals(db, ['provider', 'model'], {
        ...input,
        organizationId,
        from: dayAfter(to, 1 - days),
        to,
        filters: { family: 'ai' },
      }),
      usableCredentials(call, { organizationId, test: false }),
    ])
    return {
      nextCursor: used.nextCursor,
      items: used.items.flatMap(({ provider, model }) => {
        const credential = credentials.get(provider ?? '')
        if (!provider || !model || !credential) return []
        const state = upstreams.breakers.stateOf(circuitKey(credential, model))
        return [{ provider, model, credential: credential.level, ...state }]
      }),
    }
  },
  view: ({ items }) => <Circuits items={items} />,
})
