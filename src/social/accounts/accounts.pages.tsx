import { z } from 'zod'
import { Problem } from '#lib/errors.ts'
import { page } from '#lib/page.ts'
import { redirect, reply, type Reply } from '#lib/reply.ts'
import { Accounts, type AccountsProps } from '#views/social/accounts.tsx'
import { NoBrand, type NoBrandProps } from '#views/social/no-brand.tsx'
import { Integration, Provider } from '../contract.ts'
import { rememberBrand, requestedBrand, replyWithoutBrand } from '../http/current-brand.ts'
import { finish } from './connecting.ts'
import * as integrations from './integrations.ts'
import { may } from '../may.ts'

const Unconnected = z.enum(['denied', 'expired', 'failed']).optional().catch(undefined)
const Network = Provider.optional().catch(undefined)

export const accountsPage = page({
  path: '/workspace/accounts',
  permission: 'accounts:read',
  query: z.object({ unconnected: Unconnected, network: Network }),
  screen: 'accounts',
  title: 'Accounts',
  icon: 'plug',
  load: async (call): Promise<Reply<AccountsProps | NoBrandProps>> => {
    const brand = await requestedBrand(call, call.actor)
    if (!brand) return replyWithoutBrand(call)
    const cards = await integrations.list(call.db, call.actor, call.config, brand.id)
    const shown = {
      brand: { id: brand.id, name: brand.name, timeZone: brand.timeZone },
      integrations: z.array(Integration).parse(cards),
      mayWrite: await may(call, 'accounts:write'),
      unconnected: unconnectedOf(call.input),
    }
    return reply(200, shown, rememberBrand(call, brand.id))
  },
  view: (shown) => ('integrations' in shown ? <Accounts {...shown} /> : <NoBrand {...shown} />),
})

/** What became of a consent, as `connectedPage` says it in the address. */
const unconnectedOf = ({ unconnected: why, network }: { unconnected?: Why; network?: Provider }) =>
  why && network ? { why, network } : null

type Why = z.output<typeof Unconnected>

/** Where the consent pages of networks send people back to (SOC-05). */
export const connectedPage = page({
  path: '/workspace/accounts/callback/:platform',
  permission: 'accounts:write',
  query: z.object({
    platform: Provider,
    state: z.string().max(200).optional(),
    code: z.string().max(2000).optional(),
    error: z.string().max(2000).optional(),
  }),
  title: 'Connecting',
  load: async (call) => {
    const { platform } = call.input
    const finished = await finish(call, call.input).catch(failed)
    if ('connection' in finished) return redirect(`/workspace/accounts?brandId=${finished.connection.brandId}`)
    const { unconnected, brandId } = finished
    const query = new URLSearchParams({ unconnected, network: platform, ...(brandId && { brandId }) })
    return redirect(`/workspace/accounts?${query}`)
  },
  view: () => <></>,
})

/** The network's own trouble is told on the accounts page; everything else as always. */
function failed(error: unknown): { unconnected: 'failed'; brandId: null } {
  if (error instanceof Problem && [409, 502].includes(error.status)) return { unconnected: 'failed', brandId: null }
  throw error
}
