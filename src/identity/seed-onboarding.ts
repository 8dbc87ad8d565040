import { z } from 'zod'
import { createClient } from '#lib/seed-client.ts'
import { demoPassword } from './accounts/demo.ts'

const Onboarding = z.object({ organization: z.object({ id: z.string(), serviceId: z.string() }).nullable() })

/** So that demo people begin with the dashboard; false where the server doesn't ask them. `findToken` reads a mailed link. */
export async function finishOnboarding(
  base: string,
  { email, token }: { email: string; token: string },
  findToken: (email: string) => Promise<string>,
): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}`, accept: 'text/html' }
  const visit = await fetch(new URL('/dashboard', base), { headers, redirect: 'manual' })
  if (visit.headers.get('location') !== '/onboarding') return false
  const client = createClient(base, token)
  const recovery = `home-${email}`
  await client.request('PUT /api/auth/me/recovery-email', z.unknown(), { email: recovery, password: demoPassword })
  const confirmation = { token: await findToken(recovery) }
  await client.request('POST /api/auth/recovery-email/confirm', z.unknown(), confirmation)
  const { organization } = await client.request('GET /api/auth/me/onboarding', Onboarding)
  if (!organization) return true
  const at = `/api/organizations/${organization.id}/services/${organization.serviceId}/onboarding`
  await client.request(`POST ${at}/complete`, z.unknown(), {})
  return true
}
