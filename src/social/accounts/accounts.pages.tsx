import { z } from 'zod'
import { page } from '#lib/page.ts'
import { reply, type Reply } from '#lib/reply.ts'
import { Accounts, type AccountsProps } from '#views/social/accounts.tsx'
import { NoBrand, type NoBrandProps } from '#views/social/no-brand.tsx'
import { Integration } from '../contract.ts'
import { currentBrand, remembered } from '../brands/current-brand.ts'
import * as integrations from './integrations.ts'
import { may, withoutBrand } from '../may.ts'

export const accountsPage = page({
  path: '/workspace/accounts',
  permission: 'accounts:read',
  query: z.object({}),
  screen: 'accounts',
  title: 'Accounts',
  load: async (call): Promise<Reply<AccountsProps | NoBrandProps>> => {
    const { brand } = await currentBrand(call, call.actor)
    if (!brand) return withoutBrand(call)
    const cards = await integrations.list(call.db, call.actor, call.config, brand.id)
    const shown = {
      brand: { id: brand.id, name: brand.name, timeZone: brand.timeZone },
      integrations: z.array(Integration).parse(cards),
      mayWrite: await may(call, 'accounts:write'),
    }
    return reply(200, shown, remembered(brand.id))
  },
  view: (shown) => ('integrations' in shown ? <Accounts {...shown} /> : <NoBrand {...shown} />),
})
