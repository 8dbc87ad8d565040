import type { Page } from 'playwright-core'
import { axe } from '../support/browser.ts'
import { layoutFaults } from '../support/layout.ts'
import type { Publisher, TestSite } from './test-site.ts'

const widths = [320, 360, 480, 720, 900, 1200, 1440]

/** What is wrong with the page’s layout and accessibility in both color schemes. */
export async function flawsOf(page: Page): Promise<Record<string, unknown>> {
  const flaws: [string, unknown[]][] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    await page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => setTimeout(done))))
    flaws.push([`layout at ${width} px`, await layoutFaults(page)])
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    flaws.push([`axe ${colorScheme}`, await axe(page)])
  }
  await page.emulateMedia({ colorScheme: 'light' })
  return Object.fromEntries(flaws.filter(([, found]) => found.length > 0))
}

interface Ids {
  id: string
}

/** A merchant whose customers pay on the provider’s page. */
export function sellerOn(stage: TestSite, seller: Publisher) {
  const createOrder = (name = 'Latte', unitAmount = 350) =>
    seller.fetchJson<Ids & { number: string }>('POST /api/orders', {
      currency: 'EUR',
      lines: [{ name, quantity: 2, unitAmount }],
      customer: { email: 'lena@example.com', name: 'Lena Vogt' },
    })
  const pay = async (orderId: string, number = '4242424242424242'): Promise<Ids> => {
    const payment = await seller.fetchJson<Ids & { checkoutUrl: string }>('POST /api/payments', { orderId })
    const { pathname, search } = new URL(payment.checkoutUrl)
    const body = new URLSearchParams({ outcome: 'pay', email: 'lena@example.com', number })
    await fetch(`${stage.server.url}${pathname}${search}`, { method: 'POST', body, redirect: 'manual' })
    return payment
  }
  return {
    createOrder,
    pay,
    /** A paid order. */
    sell: async (name?: string, unitAmount?: number) => {
      const order = await createOrder(name, unitAmount)
      const { id } = await pay(order.id)
      await seller.fetchJson(`POST /api/payments/${id}/check`, {})
      return order
    },
    behave: (behavior: object) => seller.fetchJson('PUT /dev/payments/behavior', behavior),
  }
}
