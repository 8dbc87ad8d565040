import { reviewToken } from '../support/world/review-token.ts'
import { createUnsubscribeToken } from '../../src/dashboard/delivery/email/unsubscribe-token.ts'
import { createDeletionCode } from '../../src/social/callbacks/deletion-code.ts'
import type { World } from '../support/world.ts'
import { worldCheckout } from '../support/world/subscriptions.ts'
import { requestFor } from './send-request.ts'
import { paramsOf, type DeclaredPage } from './every.ts'
import type { Input } from './samples.ts'

/** An id that doesn't exist. */
export const unknownId = '01890000-0000-7000-8000-000000000000'

export interface PageRoutes {
  /** The URL of a page with a resident's ids (Ada's by default) and additional query parameters. */
  routeOf(page: Pick<DeclaredPage, 'path'>, whose?: World['ada'], more?: Input): string
}

/** Where each page is in a world. */
export async function pageRoutesIn(world: World): Promise<PageRoutes> {
  const mailId = (await world.letters(world.vera.email))[0]?.id
  /** Query parameters that a page needs. */
  const queryFor = (path: string): Input => {
    if (path === '/magic-link/consume') return { token: world.signInToken }
    if (path !== '/unsubscribe') return {}
    const owner = { organizationId: world.ada.things.organizations, personId: world.ada.id }
    return { token: createUnsubscribeToken(world.provided.secrets, owner) }
  }

  const deletionCode = createDeletionCode(world.provided.secrets, {
    subject: 'a'.repeat(64),
    issuedAt: new Date('2026-11-21T10:20:00Z'),
  })

  /** The kind of object that a page's id belongs to. */
  function thingOf(path: string, { id, things }: World['ada']): string {
    if (path.startsWith('/checkout/')) return worldCheckout
    if (path.startsWith('/callbacks/instagram/')) return deletionCode
    if (path.startsWith('/admin/users/')) return id
    if (path.startsWith('/admin/organizations/')) return things.organizations
    if (path.startsWith('/admin/services/') || path.startsWith('/launch/')) return world.serviceId
    if (path.startsWith('/settings/webhooks/')) return things.webhooks
    if (path.startsWith('/settings/workflows/')) return things.workflows
    if (path.startsWith('/settings/members/')) return things.members
    if (path.startsWith('/settings/keys/')) return things.keys
    if (path.startsWith('/admin/apps/') || path.startsWith('/developers/apps/')) return things.apps
    if (path.startsWith('/gateway/mail/')) return things.emails
    if (path.startsWith('/pay/webhooks/')) return things.providerEvents
    if (path.startsWith('/pay/orders/')) return things.orders
    if (path.startsWith('/pay/customers/')) return things.customers
    if (path.startsWith('/pay/refunds/')) return things.refunds
    if (path.startsWith('/pay/invoices/')) return things.invoices
    if (path.startsWith('/pay/settlements/')) return things.settlements
    if (path.startsWith('/pay/reports/')) return things.merchants
    if (path.startsWith('/workspace/accounts/')) return things.accounts
    return path.startsWith('/workspace/brands/') ? things.brands : things.posts
  }

  const paramsFor = (path: string, id: string, whose: World['ada']): Input =>
    Object.fromEntries(
      paramsOf(path).map((name) => [name, name === 'actionId' ? whose.things.actions : (paramFor(path, name) ?? id)]),
    )

  function paramFor(path: string, name: string): string | undefined {
    if (path.startsWith('/dev/mailbox/')) return mailId
    if (path.startsWith('/gateway/models/')) return name === 'provider' ? 'practice' : 'practice-small'
    if (path.startsWith('/demo/bookings/')) return world.bookingToken
    if (path.startsWith('/waitlist/entries/')) return world.waitlistToken
    if (path.startsWith('/admin/inbox/')) return world.bookingToken.split('.')[0]
    if (path.startsWith('/super-admin/')) return world.superAdminToken
    if (path.startsWith('/review/')) return reviewToken
    if (path.startsWith('/pay/receipts/')) return world.receiptToken
    if (/^\/(register\/confirm|password-reset|recovery-email|email-change)\//.test(path)) return world.mailedToken
    return name === 'token' ? world.invitationToken : notIds[name]
  }

  return {
    routeOf: ({ path }, whose = world.ada, more = {}) =>
      requestFor(
        { method: 'GET', path },
        { ...paramsFor(path, thingOf(path, whose), whose), ...queryFor(path), ...more },
      ).route,
  }
}

/** Path parameters that aren't ids. */
const notIds: Record<string, string> = {
  handle: 'acme',
  month: '2026-11',
  platform: 'mastodon',
  provider: 'github',
  tag: 'posts',
}
