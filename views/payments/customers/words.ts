import type { Customer } from '#payments/types'
import { money } from '../money.ts'

type Named = Pick<Customer, 'id' | 'name' | 'email'>

/** Whose personal data was deleted is known by the end of the ID. */
export const customerText = ({ id, name, email }: Named): string => name ?? email ?? `Customer ${id.slice(-8)}`

export const spentText = ({ totals }: Pick<Customer, 'totals'>): string =>
  totals.length > 0 ? totals.map(({ spent, currency }) => money(spent, currency)).join(' + ') : '–'

export const countOrders = ({ totals }: Pick<Customer, 'totals'>): number =>
  totals.reduce((sum, { orders }) => sum + orders, 0)
