import { z } from 'zod'
import type { DemoOrganization } from '#lib/context.ts'
import { createClient, itemsOf, SeedRefused, type Client } from '#lib/seed-client.ts'
import { StartupError } from '#lib/startup-error.ts'
import { demoPassword, demoPeople, type DemoPerson } from './accounts/demo.ts'
import { finishOnboarding } from './seed-onboarding.ts'

const SignedIn = z.object({ accessToken: z.string() })
const Me = z.object({ organization: z.object({ id: z.string() }).nullable() })
const Member = z.object({ email: z.string() })
const Invitation = z.object({ id: z.string(), email: z.string() })

/** @throws {StartupError} that says what to do */
export async function seedPeople(base: string): Promise<DemoOrganization> {
  const [owner, ...others] = demoPeople
  if (!owner) throw new Error('demoPeople is empty')
  const ownToken = (await signIn(base, owner)) ?? (await register(base, owner))
  const client = createClient(base, ownToken)
  const { organization } = await client.request('GET /api/auth/me', Me)
  if (!organization)
    throw new StartupError(`${owner.email} has left the demo organization. Start with an empty database.`)
  const at = `/api/organizations/${organization.id}`
  const { items: members } = await client.request(`GET ${at}/members?limit=100`, itemsOf(Member))
  const missing = others.filter(({ email }) => !members.some((member) => member.email === email))
  for (const person of missing) await invite(base, client, at, person)
  for (const person of demoPeople) {
    const token = person === owner ? ownToken : await signIn(base, person)
    const findToken = (email: string) => tokenFor(base, email)
    if (!token || !(await finishOnboarding(base, { email: person.email, token }, findToken))) break
  }
  return { owner: client, accounts: demoPeople, password: demoPassword }
}

async function signIn(base: string, { email }: DemoPerson): Promise<string | null> {
  try {
    const body = { email, password: demoPassword }
    return (await createClient(base).request('POST /api/auth/login', SignedIn, body)).accessToken
  } catch (error) {
    if (error instanceof SeedRefused && error.status === 401) return null
    throw error
  }
}

async function register(base: string, { email, name }: DemoPerson): Promise<string> {
  const organization = { createOrganization: true, organizationName: 'Acme', organizationSlug: 'acme-demo' }
  const body = { email, name, password: demoPassword, ...organization }
  return (await createClient(base).request('POST /register', SignedIn, body)).accessToken
}

async function invite(base: string, owner: Client, at: string, { email, role, name }: DemoPerson): Promise<void> {
  const { items } = await owner.request(`GET ${at}/invitations?limit=100`, itemsOf(Invitation))
  const open = items.find((invitation) => invitation.email === email)
  if (open) await owner.request(`POST ${at}/invitations/${open.id}/resend`, Invitation, {})
  else await owner.request(`POST ${at}/invitations`, Invitation, { email, role })
  const token = await tokenFor(base, email)
  await createClient(base).request('POST /api/invitations/register', SignedIn, { token, name, password: demoPassword })
}

async function tokenFor(base: string, email: string): Promise<string> {
  const page = async (path: string) => (await fetch(new URL(path, base), { headers: { accept: 'text/html' } })).text()
  const mails = new Set((await page('/dev/mailbox')).match(/\/dev\/mailbox\/[\da-f-]{36}/g))
  for (const path of mails) {
    const mail = await page(path)
    const token = /\/(?:invitations|recovery-email)\/([\w-]{20,})/.exec(mail)?.[1]
    if (token && mail.includes(email)) return token
  }
  throw new StartupError(`The development mailbox has no email to ${email}. Run the seed without SMTP_URL.`)
}
