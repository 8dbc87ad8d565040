import { inArray } from 'drizzle-orm'
import type { Config } from '#config'
import type { Role } from '#lib/actor.ts'
import type { Database } from '#lib/db.ts'
import { users } from '../schema.ts'

export interface DemoPerson {
  role: Role
  name: string
  email: string
}

/** The owner first. */
export const demoPeople: readonly DemoPerson[] = [
  { role: 'owner', name: 'Olivia Marsh', email: 'owner@demo.example' },
  { role: 'admin', name: 'Adam Reyes', email: 'admin@demo.example' },
  { role: 'editor', name: 'Edda Lind', email: 'editor@demo.example' },
  { role: 'reviewer', name: 'Rei Tanaka', email: 'reviewer@demo.example' },
  { role: 'viewer', name: 'Vera Costa', email: 'viewer@demo.example' },
]

/** Shown on the sign-in page. */
export const demoPassword = 'atrium demo accounts'

const loopback = ['127.0.0.1', '::1', 'localhost']

/** Only in development, on a server that no other machine can reach. */
export const isDemoOffered = ({ ATRIUM_ENV, HOST }: Config): boolean =>
  ATRIUM_ENV === 'development' && loopback.includes(HOST)

export async function listDemoAccounts(db: Database, config: Config): Promise<DemoPerson[]> {
  if (!isDemoOffered(config)) return []
  const emails = demoPeople.map(({ email }) => email)
  const rows = await db.select({ email: users.email }).from(users).where(inArray(users.email, emails))
  const known = new Set(rows.map(({ email }) => email))
  return demoPeople.filter(({ email }) => known.has(email))
}
