import { databaseAddress, type Config } from '#config'
import { watchAssets } from '#lib/assets.ts'
import type { Provided } from '#lib/call.ts'
import type { Running, StartDependencies } from '#lib/background.ts'
import type { Context } from '#lib/context.ts'
import { openDatabase } from '#lib/db.ts'
import { startPostgres } from '#lib/embedded-postgres.ts'
import { createDns } from '#lib/dns.ts'
import { openEvents } from '#lib/events.ts'
import { logFault } from '#lib/log/fault.ts'
import { createChecks, shareCalls } from '#lib/health.ts'
import type { Handler } from '#lib/http.ts'
import { listen } from '#lib/http/listen.ts'
import { createLive } from '#lib/live.ts'
import type { Log } from '#lib/log.ts'
import { createMail } from '#lib/mail.ts'
import { createMetrics } from '#lib/metrics.ts'
import { databaseMetrics, outsideCallMetrics, processMetrics, socketMetrics } from '#lib/metrics/own.ts'
import { migrate } from '#lib/db/migrate.ts'
import { jobsOf } from '#lib/incoming-webhooks/handle.ts'
import { createOutbound } from '#lib/outbound.ts'
import { reportOutsideCalls } from '#lib/outside-calls.ts'
import { openQueue } from '#lib/queue.ts'
import { withDerivationKey } from '#lib/secrets/derivation-key.ts'
import { secretsOf, type Secrets } from '#lib/secrets.ts'
import { databaseAway, describeFault } from '#lib/postgres/faults.ts'
import { directAddress, requestLimits, type DatabaseAddress } from '#lib/postgres/pool.ts'
import { warnWithoutLimits } from '#lib/postgres/pooler-limits.ts'
import { StartupError } from '#lib/startup-error.ts'
import { openStorage } from '#lib/storage.ts'
import { startTracing } from '#lib/telemetry.ts'
import { systemClock } from '#lib/time.ts'
import type { createApp } from './app.tsx'
import { chosenContexts } from './contexts.ts'
import { ownNamesOf } from './own-names.ts'
import { hostsOf } from './hosts.ts'
import { schedulesOf, startSchedule } from './schedule.ts'
import { onRevokedAccess, openServices, syncActions } from './services.ts'
import { version } from '../package.json'

export interface Server {
  url: string
  welcome: string
  /** Accepts no more requests, waits up to 8 s for running work, and leaves the rest to other servers (PLT-32). */
  stop(): Promise<void>
}

/** Closes what was opened; called in reverse order. */
type Undo = (() => Promise<unknown> | void)[]

const shutdownGraceMs = 8_000
/** Milliseconds between checks whether identity in another process responds. */
const identityLife = 1_000
const now = systemClock

/** Milliseconds: how long a start retries when the database goes away in the meantime, and the pause between attempts. */
const restart = { limit: 60_000, pause: 500 }

/**
 * Aborting `stop` closes what was opened, and throws. Waits for a database that is lost after it was reached.
 * @throws {StartupError} that says what to fix
 */
export async function openServer(
  config: Config,
  log: Log,
  app: typeof createApp,
  stop: AbortSignal = new AbortController().signal,
): Promise<Server> {
  const deadline = performance.now() + restart.limit
  let wasReached = false
  for (;;) {
    const undo: Undo = []
    const close = () => closeAll(undo, log)
    const reached = () => void (wasReached = true)
    try {
      return await assemble({ config, log, app, undo, stop, reached }, close)
    } catch (error) {
      await close()
      if (stop.aborted || !wasReached || !databaseAway(error)) throw error
      if (performance.now() > deadline) throw lostDatabase(error)
      logFault(log, 'the database connection was lost during startup', error)
      await Bun.sleep(restart.pause)
    }
  }
}

/** In reverse order; a failure doesn't keep the rest open. */
async function closeAll(undo: Undo, log: Log): Promise<void> {
  for (const step of undo.splice(0).toReversed())
    await Promise.resolve()
      .then(step)
      .catch((error: unknown) => logFault(log, 'stopping', error))
}

const lostDatabase = (cause: unknown) =>
  new StartupError(
    `The database connection was lost during startup (${describeFault(cause)}). Start Atrium again when the database is available.`,
    { cause },
  )

interface Assembly {
  config: Config
  log: Log
  app: typeof createApp
  undo: Undo
  stop: AbortSignal
  reached: () => void
}

async function assemble(
  { config, log, app, undo, stop, reached }: Assembly,
  close: () => Promise<void>,
): Promise<Server> {
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT) undo.push(await traces(config.OTEL_EXPORTER_OTLP_ENDPOINT, log))
  const secrets = secretsOf(config)
  const at = databaseAddress(config) ?? directAddress(await embedded(config, log, undo))
  stop.throwIfAborted()
  await migrate(at.directUrl)
  reached()
  stop.throwIfAborted()
  const { database, queue, provided, chosen, metrics, handle } = await wire({ config, log, app, secrets, at, undo })
  await syncActions({ ...provided, now }, database, handle)
  if (config.ATRIUM_ENV === 'development') watchAssets()

  stop.throwIfAborted()
  const listener = listen({ hostname: config.HOST, port: config.PORT }, handle, log)
  socketMetrics(metrics, listener.openSockets)
  const address = `http://${listener.hostname}:${listener.port}`
  let stopped: Promise<void> | undefined
  const stopListening = () =>
    (stopped ??= Promise.race([listener.stop(), Bun.sleep(shutdownGraceMs)]).then(() => listener.stop(true)))
  undo.push(stopListening)
  await queue.work(jobsOf(chosen), provided, now)
  stop.throwIfAborted()

  const running = await startAll(chosen, { ...provided, database, metrics, baseUrl: () => address }, shutdownGraceMs)
  const clocked = startSchedule(
    schedulesOf(chosen),
    ({ job }, tick) => queue.enqueue(database.db, job, {}, { tick }),
    (name, error) => logFault(log, 'scheduled', error, { name }),
  )
  const stopAll = async () => {
    clocked.stop()
    // Requests and publishing get the same time to finish; then the rest is closed.
    await Promise.all([running.stop(shutdownGraceMs), closeAll([stopListening], log)])
    await close()
  }
  return { url: address, welcome: welcome(config, address), stop: stopAll }
}

/** When one fails, those that were started are stopped. */
async function startAll(chosen: readonly Context[], parts: StartDependencies, graceMs: number): Promise<Running> {
  const started: Running[] = []
  const stop = async (limitMs: number) =>
    void (await Promise.all(
      started.map((each) => each.stop(limitMs).catch((error: unknown) => logFault(parts.log, 'stopping', error))),
    ))
  try {
    for (const { start } of chosen) if (start) started.push(await start(parts))
  } catch (error) {
    await stop(graceMs)
    throw error
  }
  return { stop }
}

const traces = (endpoint: string, log: Log) =>
  startTracing({ endpoint, version, reportError: (message) => log.warn('tracing', { error: message }) })

async function embedded(config: Config, log: Log, undo: Undo): Promise<string> {
  const postgres = await startPostgres({ dataDir: config.DATA_DIR, log: (message) => log.info(message) })
  undo.push(() => postgres.stop())
  return postgres.url
}

interface Wiring {
  config: Config
  log: Log
  app: typeof createApp
  secrets: Secrets
  at: DatabaseAddress | string
  undo: Undo
}

/** Without the listener and the schedules. */
export async function wire({ config, log, app, secrets: keys, at, undo }: Wiring) {
  const { DATABASE_STATEMENT_TIMEOUT_MS: statementMs, DATABASE_WAIT_MS: waitMs } = config
  const limits = { ...requestLimits, statementMs, queueMs: waitMs, lockMs: waitMs }
  const database = openDatabase(at, config.DATABASE_POOL, limits)
  undo.push(() => database.close())
  if (typeof at !== 'string' && at.directUrl !== at.url) await warnWithoutLimits(database.sql, log)
  const secrets = await withDerivationKey(keys, database.db)
  const events = await openEvents(database, (error) => logFault(log, 'events', error))
  undo.push(() => events.close())
  const queue = await openQueue(database, log)
  undo.push(() => queue.stop(shutdownGraceMs))

  const chosen = chosenContexts(config)
  const outbound = createOutbound({ allowPrivate: config.ALLOW_PRIVATE_NETWORK })
  const { close: closeServices, ...services } = await openServices({
    outbound,
    config,
    chosen,
    log,
    database,
    events,
    queue,
    secrets,
    now,
    handle: (request) => handle(request),
  })
  undo.push(() => services.keyUses.flush(), closeServices)
  const storage = openStorage(config)
  const mail = createMail({
    config,
    secrets,
    queue,
    log,
    transport: services.gateway.isConfigured ? services.gateway.mail : null,
  })
  const ownNames = ownNamesOf(config)
  const { validate: authenticate, serviceId } = services.identity
  const live = createLive({ contexts: chosen, events, log, authenticate, serviceId })
  undo.push(() => live.close())
  onRevokedAccess(events, (id) => live.recheck(id))
  const provided: Provided = {
    config,
    hosts: hostsOf(config),
    secrets,
    events,
    queue,
    mail,
    log,
    dns: createDns(config.DNS_RESOLVER),
    outbound,
    storage,
    ownNames,
    live,
    ...services,
  }
  const identityState = async () => ((await provided.identity.isReachable()) ? 'ok' : 'unreachable')
  const checks = createChecks(database, shareCalls(identityState, identityLife))
  const metrics = createMetrics()
  processMetrics(metrics)
  databaseMetrics(metrics, database, config.DATABASE_POOL)
  if (config.ATRIUM_ENV !== 'test') reportOutsideCalls(outsideCallMetrics(metrics, log))
  const handle: Handler = app({ contexts: chosen, database, provided, now, log, checks, metrics })
  return { database, queue, provided, chosen, metrics, handle }
}

const welcome = (config: Config, address: string): string =>
  config.ATRIUM_ENV === 'development'
    ? `Atrium is ready on ${address}\nOpen it in a browser to create an organization.\nOr run "bun run seed" in another terminal, and sign in with one of the demo accounts that it prints.`
    : `Atrium is ready on ${address}`
