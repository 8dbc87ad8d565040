import type { Config } from '#config'
import type { Context, DemoOrganization } from '#lib/context.ts'
import { createLog } from '#lib/log.ts'
import { StartupError } from '#lib/startup-error.ts'
import { createApp } from '../app.tsx'
import { openServer } from '../boot.ts'
import { chosenContexts } from '../contexts.ts'

/** Uses the public API of the running server, or of one of its own; running it twice changes nothing. */
export async function seed(config: Config, say: (line: string) => void, now: Date): Promise<void> {
  if (!config.offlineHelps)
    throw new StartupError(`Demo accounts aren’t available with ATRIUM_ENV=${config.ATRIUM_ENV}.`)
  const own = (await isReachable(addressOf(config)))
    ? null
    : await openServer({ ...config, PORT: 0 }, createLog('warn'), createApp)
  try {
    const base = own?.url ?? addressOf(config)
    const { accounts, password } = await createDemo(chosenContexts(config), base, now)
    if (own) await Bun.sleep(publishingMs)
    say('The demo organization is ready. Sign in as one of')
    for (const { email, role } of accounts) say(`  ${email.padEnd(22)} ${role}`)
    say(`Password: ${password}`)
  } finally {
    await own?.stop()
  }
}

async function createDemo(contexts: readonly Context[], base: string, now: Date): Promise<DemoOrganization> {
  const organization = await contexts.find((context) => context.seed?.organization)?.seed?.organization?.(base)
  if (!organization) throw new StartupError('The demo organization needs identity: add it to SERVICES.')
  for (const context of contexts) await context.seed?.content?.(organization.owner, now)
  return organization
}

/** For a server that the seed started to publish due posts. */
const publishingMs = 2_500

const addressOf = ({ HOST, PORT }: Config): string => `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`

async function isReachable(base: string): Promise<boolean> {
  try {
    const answer = await fetch(new URL('/healthz', base), { signal: AbortSignal.timeout(2_000) })
    return answer.ok && answer.headers.has('x-request-id')
  } catch {
    return false
  }
}
