import { z } from 'zod'
import { ignoreInvalid } from '#lib/text.ts'
import { page } from '#lib/page.ts'
import { reply, type Reply } from '#lib/reply.ts'
import { Accounts, hasAccount, type AccountsProps } from '#views/social/accounts/accounts.tsx'
import { NoBrand, type NoBrandProps } from '#views/social/brands/no-brand.tsx'
import { Provider } from '../contract.ts'
import { brandIdOf, rememberBrand, replyWithoutBrand } from '../http/current-brand.ts'
import { askFirstSteps } from '../http/first-steps.ts'
import { listIntegrations } from './integrations.operations.tsx'

const Unconnected = ignoreInvalid(z.enum(['denied', 'expired', 'failed']))
const Network = ignoreInvalid(Provider)

export const accountsPage = page({
  path: '/workspace/accounts',
  permission: 'accounts:read',
  query: z.object({ unconnected: Unconnected, network: Network }),
  screen: 'accounts milestones',
  title: 'Accounts',
  icon: 'plug',
  load: async (call): Promise<Reply<AccountsProps | NoBrandProps>> => {
    const list = await call.ask(listIntegrations, { brandId: brandIdOf(call.request), brand: 'current' })
    const { brand } = list
    if (!brand) return replyWithoutBrand(list)
    const { unconnected: why, network } = call.input
    const unconnected = why && network ? { why, network } : null
    const steps = await askFirstSteps(call, { page: 'account', brand, hasAccount: hasAccount(list) })
    return reply(200, { brand, list, unconnected, steps }, rememberBrand(call, brand.id))
  },
  view: (props) => ('list' in props ? <Accounts {...props} /> : <NoBrand {...props} />),
})
