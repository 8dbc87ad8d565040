import type { Provided } from '#lib/call.ts'
import type { DatabaseHandle } from '#lib/db.ts'
import type { KeptMail } from '#lib/mail.ts'
import { bearer, callerOf, type Caller, type Handle } from './callers.ts'

export const password = 'correct horse battery'

export interface Person extends Caller {
  id: string
  email: string
  /** The same person in another session; its cookie as a browser sends it. */
  signIn(): Promise<Caller & { cookie: string }>
  /** A caller with a key that the person creates for social. */
  createKey(draft: { scopes: readonly string[]; [field: string]: unknown }): Promise<KeyCaller>
}

export interface KeyCaller extends Caller {
  id: string
  text: string
}

/** The response of registering and signing in. */
export interface SignedUp {
  user: { id: string }
  organization: { id: string } | null
  accessToken: string
}

/** Reads the mails to an address, newest first. */
export type ReadMails = (to: string) => Promise<KeptMail[]>

export const personOf = (handle: Handle, id: string, email: string, accessToken: string): Person => ({
  ...callerOf(handle, bearer(accessToken)),
  id,
  email,
  signIn: () => signIn(handle, email),
  createKey: async (options) => {
    const person = callerOf(handle, bearer(accessToken))
    const draft = { name: 'CI', service: 'platform-socialize', ...options }
    const made = await person.fetchJson<{ id: string; key: string }>('POST /api/api-keys', draft, 201)
    return { ...callerOf(handle, bearer(made.key)), id: made.id, text: made.key }
  },
})

/** Signs in twice, as a program and as a browser: the caller has a bearer token and a cookie. */
async function signIn(handle: Handle, email: string): Promise<Caller & { cookie: string }> {
  const stranger = callerOf(handle, {})
  const route = 'POST /api/auth/login'
  const { accessToken } = await stranger.fetchJson<SignedUp>(route, { email, password })
  const browser = await stranger.fetch(route, { email, password }, { 'sec-fetch-site': 'same-origin' })
  const cookie = browser.headers.getSetCookie().map((text) => text.split(';')[0])
  return { ...callerOf(handle, bearer(accessToken)), cookie: cookie.join('; ') }
}

export const emailOf = (name: string): string => `${name.toLowerCase()}@example.com`

export function signUp(handle: Handle, input: { name: string; organizationName?: string }): Promise<SignedUp> {
  const registration = { ...input, email: emailOf(input.name), password }
  const developerWorkspace = Boolean(input.organizationName)
  return callerOf(handle, {}).fetchJson<SignedUp>('POST /register', { ...registration, developerWorkspace }, 201)
}

/** Invites a new person to an organization, and accepts as them. */
export async function joinOrganization(
  handle: Handle,
  readMails: ReadMails,
  of: Caller & { organizationId: string },
  { name, role }: { name: string; role: string },
): Promise<SignedUp> {
  const email = emailOf(name)
  await of.fetchJson(`POST /api/organizations/${of.organizationId}/invitations`, { email, role }, 201)
  const registration = { name, password, token: tokenIn((await readMails(email))[0]) }
  return callerOf(handle, {}).fetchJson<SignedUp>('POST /api/invitations/register', registration, 201)
}

export const mailsIn =
  ({ db }: Pick<DatabaseHandle, 'db'>, mail: Provided['mail']): ReadMails =>
  async (to) => {
    const heads = (await mail.kept(db)).filter(({ recipient }) => recipient === to)
    const opened = await Promise.all(heads.map(({ id }) => mail.open(db, id)))
    return opened.filter((letter) => letter !== undefined)
  }

/** The secret at the end of a mailed link. */
export const tokenIn = (mail: Pick<KeptMail, 'text'> | undefined): string =>
  /https?:\/\/\S+\/([\w-]+)\s/.exec(mail?.text ?? '')?.[1] ?? ''
